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

BitTensor Tile::elements(const BitTensor& all) const {
  BitTensor part({1, size()});
  if (!contents_) return part;
  TACIT_CHECK(begin_ % kWordBits == 0 && end_ <= all.size());
  std::copy_n(all.words().begin() + begin_ / kWordBits, part.words().size(), part.words().begin());
  part.clear_padding();
  return part;
}

std::span<const BitTensor> Tile::elements(std::span<const BitTensor> all) {
  std::vector<BitTensor>& list = lists_.emplace_back();
  for (const BitTensor& bits : all) list.push_back(elements(bits));
  return list;
}

ProductRequest part(const ProductRequest& all, Tile& tile) {
  return {tile.elements(all.x), tile.elements(all.y), all.bits};
}

RowProductRequest part(const RowProductRequest& all, Tile& tile) {
  return {tile.rows(all.x), tile.rows(all.y), all.bits};
}

WrapRequest part(const WrapRequest& all, Tile& tile) { return {tile.elements(all.r), all.k, all.bits}; }

WideningRequest part(const WideningRequest& all, Tile& tile) { return {tile.kept(tile.elements(*all.mu)), all.bits}; }

SelectionRequest part(const SelectionRequest& all, Tile& tile) {
  return {tile.kept(tile.elements(*all.mu)), tile.elements(all.r), all.k, all.bits, all.with_mu};
}

GroupProductsRequest part(const GroupProductsRequest& all, Tile& tile) {
  return {tile.elements(all.r), all.low, all.hi, all.groups, all.count};
}

CarryProductsRequest part(const CarryProductsRequest& all, Tile& tile) {
  return {tile.elements(all.generate), tile.elements(all.propagate), all.count};
}

}  // namespace tacit::mpc
