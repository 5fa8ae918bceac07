#include "mpc/made/share_products.h"

#include <algorithm>

#include "mpc/made/tiles.h"

namespace tacit::mpc {

namespace {

// The rows of a matrix, row t at places i·rows + t for each i below `times`.
SharedWords repeated(const SharedWords& words, std::int64_t times) {
  SharedWords out{words.rows * times, words.columns, words.width, words.holders, nullptr};
  if (words.own == nullptr) return out;
  auto own = std::make_shared<OwnWords>();
  own->reserve(words.own->size() * static_cast<std::size_t>(times));
  for (std::int64_t i = 0; i < times; ++i) own->insert(own->end(), words.own->begin(), words.own->end());
  out.own = std::move(own);
  return out;
}

// A part of a matrix: all views have their words in place.
RingView part_of(RingView all, std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols) {
  RingView part = all;
  part.shape = {rows, cols};
  if (all.words != nullptr) part.words += row * all.row_stride + col * all.col_stride;
  return part;
}

// The product, row after row, where the words of x are bound.
SharedWords block_product(Engine& engine, RingView x, RingView y, int bits) {
  const Engine::Product product{engine.shared(x, 1, bits),
                                repeated(engine.shared(y, y.shape.cols, bits), x.shape.rows)};
  return sums_of_rows(engine.products(std::span(&product, 1)).front(), x.shape.cols);
}

// The same, in blocks of at most kMostProductsInTile products of words.
SharedWords matrix_product(Engine& engine, RingView x, RingView y, int bits) {
  const std::int64_t m = x.shape.rows, c = x.shape.cols, p = y.shape.cols;
  const std::int64_t cols = std::min(p, kMostProductsInTile);
  const std::int64_t inner = std::clamp<std::int64_t>(kMostProductsInTile / cols, 1, std::max<std::int64_t>(1, c));
  const std::int64_t rows = std::min(m, kMostProductsInTile / (cols * inner));
  SharedWords out{m, p, bits, all_of(engine.parties()), nullptr};
  auto own = std::make_shared<OwnWords>(engine.planned() ? 0 : static_cast<std::size_t>(m * p));
  for (std::int64_t row = 0; row < m; row += rows) {
    for (std::int64_t col = 0; col < p; col += cols) {
      const std::int64_t height = std::min(rows, m - row), width = std::min(cols, p - col);
      for (std::int64_t t = 0; t < c; t += inner) {
        const std::int64_t depth = std::min(inner, c - t);
        const SharedWords block =
            block_product(engine, part_of(x, row, height, t, depth), part_of(y, t, depth, col, width), bits);
        for (std::int64_t i = 0; i < block.size() && block.own != nullptr; ++i) {
          std::uint64_t& to = (*own)[static_cast<std::size_t>((row + i / width) * p + col + i % width)];
          to = (to + (*block.own)[static_cast<std::size_t>(i)]) & low_bits(bits);
        }
      }
    }
  }
  if (!engine.planned()) out.own = std::move(own);
  return out;
}

SharedWords transposed(const SharedWords& words) {
  SharedWords out{words.columns, words.rows, words.width, words.holders, nullptr};
  if (words.own == nullptr) return out;
  auto own = std::make_shared<OwnWords>();
  own->reserve(words.own->size());
  for (std::int64_t c = 0; c < words.columns; ++c) {
    for (std::int64_t r = 0; r < words.rows; ++r) {
      own->push_back((*words.own)[static_cast<std::size_t>(r * words.columns + c)]);
    }
  }
  out.own = std::move(own);
  return out;
}

}  // namespace

std::vector<SharedWords> made(Engine& engine, const ProductRequest& request) {
  const Engine::Product product{engine.shared(request.x, 1, request.bits), engine.shared(request.y, 1, request.bits)};
  return engine.products(std::span(&product, 1));
}

std::vector<SharedWords> made(Engine& engine, const RowProductRequest& request) {
  const auto& [x, y, bits] = request;
  const auto [rows, cols] = x.shape;
  SharedWords total = engine.constant(0, rows, 1, bits);
  for (std::int64_t col = 0; col < cols; col += kMostProductsInTile) {
    const std::int64_t width = std::min(cols - col, kMostProductsInTile);
    const ProductRequest block{part_of(x, 0, rows, col, width), part_of(y, 0, rows, col, width), bits};
    total = sum(total, sums_of_rows(made(engine, block).front(), width));
  }
  return {total};
}

std::vector<SharedWords> made(Engine& engine, const MatrixProductRequest& request) {
  const RingView x = request.x, y = request.y;
  if (x.shape.rows <= y.shape.cols) return {matrix_product(engine, x, y, request.bits)};
  return {transposed(matrix_product(engine, y.transposed(), x.transposed(), request.bits))};
}

std::int64_t pair_bytes_by_bits(Shape x, Shape y, int bits) {
  constexpr std::int64_t kBound = 8;  // of a bit, in both directions
  const std::int64_t products = x.rows * x.cols * y.cols, bound = std::min(x.rows, y.cols) * x.cols;
  return products * bits * (bits + 1) / 8 + bound * bits * kBound;
}

}  // namespace tacit::mpc
