#include "mpc/lattice/blocks.h"

#include <algorithm>

namespace tacit::mpc::lattice {

namespace {

std::int64_t parts(std::int64_t size, std::int64_t width) { return (size + width - 1) / width; }
std::int64_t part_of(std::int64_t size, std::int64_t width, std::int64_t i) {
  return std::min(width, size - i * width);
}

}  // namespace

ProductSize Blocks::count() const { return {parts(size.m, width.m), parts(size.c, width.c), parts(size.p, width.p)}; }

void Blocks::left(RingView l, std::int64_t x, std::int64_t t, int bits, std::uint64_t* out) const {
  const std::int64_t rows = part_of(size.m, width.m, x), columns = part_of(size.c, width.c, t);
  std::fill_n(out, left_length(), 0);
  for (std::int64_t v = 0; v < rows; ++v) {
    for (std::int64_t j = 0; j < columns; ++j) {
      out[v + width.m * j] = l.at(x * width.m + v, t * width.c + j) & low_bits(bits);
    }
  }
}

void Blocks::right(RingView r, std::int64_t t, std::int64_t y, int bits, std::uint64_t* out) const {
  const std::int64_t rows = part_of(size.c, width.c, t), columns = part_of(size.p, width.p, y);
  std::fill_n(out, right_length(), 0);
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t h = 0; h < columns; ++h) {
      out[width.m * (width.c * h + width.c - 1 - j)] = r.at(t * width.c + j, y * width.p + h) & low_bits(bits);
    }
  }
}

ProductSize Blocks::part(std::int64_t x, std::int64_t y) const {
  return {part_of(size.m, width.m, x), size.c, part_of(size.p, width.p, y)};
}

std::vector<std::int64_t> Blocks::wanted(std::int64_t x, std::int64_t y) const {
  const ProductSize results = part(x, y);
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(results.m * results.p));
  for (std::int64_t v = 0; v < results.m; ++v) {
    for (std::int64_t h = 0; h < results.p; ++h) out.push_back(v + width.m * (width.c * h + width.c - 1));
  }
  return out;
}

}  // namespace tacit::mpc::lattice
