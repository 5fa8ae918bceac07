#include "mpc/made/tiles.h"

#include <utility>

namespace tacit::mpc {

RingView Tile::elements(RingView all) {
  const Shape row{1, size()};
  if (!contents_) return {nullptr, row, size(), 1};
  const auto [rows, cols] = all.shape;
  if (all.col_stride == 1 && (all.row_stride == cols || rows == 1)) return {all.words + begin_, row, size(), 1};
  RingTensor& copy = words_.emplace_back(row, kWordBits);
  for (std::int64_t i = begin_; i < end_; ++i) copy.data()[i - begin_] = all.at(i / cols, i % cols);
  return copy.view();
}

RingView Tile::rows(RingView all) const {
  RingView part = all;
  part.shape.rows = size();
  part.words = contents_ ? all.words + begin_ * all.row_stride : nullptr;
  return part;
}

BitTensor Tile::part(const BitTensor& all, std::int64_t each) const {
  const std::int64_t begin = begin_ * each;
  BitTensor part(each == 1 ? Shape{1, size()} : Shape{size(), each});
  if (!contents_) return part;
  TACIT_CHECK(begin % kWordBits == 0 && end_ * each <= all.size());
  std::copy_n(all.words().begin() + begin / kWordBits, part.words().size(), part.words().begin());
  part.clear_padding();
  return part;
}

const BitTensor* Tile::bits(const BitTensor& all, std::int64_t each) { return &bits_.emplace_back(part(all, each)); }

std::span<const BitTensor> Tile::bits(std::span<const BitTensor> all) {
  std::vector<BitTensor>& list = lists_.emplace_back();
  for (const BitTensor& bits : all) list.push_back(part(bits, 1));
  return list;
}

std::int64_t most_units(const RowProductRequest& request) {
  return std::max<std::int64_t>(1, kMostProductsInTile / std::max<std::int64_t>(1, request.x.shape.cols));
}

std::int64_t most_units(const LookUpRequest& request) {
  return std::max<std::int64_t>(1, 8 * kMostProductsInTile / std::max<std::int64_t>(1, request.entries));
}

std::int64_t most_units(const WinnerRequest& request) {
  const std::int64_t words_of_row = request.y.shape.cols << (request.y.shape.cols - 1);
  return std::max<std::int64_t>(1, 8 * kMostProductsInTile / kWordBits / words_of_row) * kWordBits;
}

ProductRequest part(const ProductRequest& all, Tile& tile) {
  return {tile.elements(all.x), tile.elements(all.y), all.bits};
}

RowProductRequest part(const RowProductRequest& all, Tile& tile) {
  return {tile.rows(all.x), tile.rows(all.y), all.bits};
}

WrapRequest part(const WrapRequest& all, Tile& tile) { return {tile.elements(all.r), all.k, all.bits}; }

LiftedProductRequest part(const LiftedProductRequest& all, Tile& tile) {
  return {tile.elements(all.x), tile.elements(all.y), all.k, all.l, all.bits, all.with_wrap_of_x};
}

LiftedMultipleRequest part(const LiftedMultipleRequest& all, Tile& tile) {
  return {tile.elements(all.r), all.k, all.mantissa, all.shift, all.bits};
}

MaskProductsRequest part(const MaskProductsRequest& all, Tile& tile) {
  MaskProductsRequest part{{}, all.k, {1, tile.size()}, all.products};
  for (const RingView r : all.r) part.r.push_back(tile.elements(r));
  return part;
}

LookUpRequest part(const LookUpRequest& all, Tile& tile) {
  LookUpRequest part{tile.elements(all.lambda), all.table, all.entries, all.bits, {}, all.factor_bits};
  for (const RingView y : all.factors) part.factors.push_back(tile.elements(y));
  return part;
}

WinnerRequest part(const WinnerRequest& all, Tile& tile) {
  const std::int64_t columns = all.y.shape.cols;
  return {tile.bits(*all.pairs, columns * (columns - 1) / 2), tile.rows(all.y), all.bits, all.y_bits};
}

WideningRequest part(const WideningRequest& all, Tile& tile) { return {tile.bits(*all.mu), all.bits}; }

SelectionRequest part(const SelectionRequest& all, Tile& tile) {
  return {tile.bits(*all.mu), tile.elements(all.r), all.k, all.bits, all.with_mu};
}

GroupProductsRequest part(const GroupProductsRequest& all, Tile& tile) {
  return {tile.elements(all.r), all.low, all.hi, all.groups, all.count};
}

CarryProductsRequest part(const CarryProductsRequest& all, Tile& tile) {
  return {tile.bits(all.generate), tile.bits(all.propagate), all.count};
}

}  // namespace tacit::mpc
