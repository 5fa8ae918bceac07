// Tiles — parts of a request, each a request of its own. The memory for bound bits (BitTimesWord) then depends on the tile's size
// alone: 16 bytes for a bit, a peer and a direction.
//
// A request consists of units, which are made independently: elements, or rows. A tile has the units begin … end-1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

class Tile {
 public:
  // `contents`: false on a plan, where only shapes count.
  Tile(std::int64_t begin, std::int64_t end, bool contents) : begin_(begin), end_(end), contents_(contents) {}
  Tile(const Tile&) = delete;
  Tile& operator=(const Tile&) = delete;

  std::int64_t size() const { return end_ - begin_; }

  // The tile's elements in row-major order, as one row. The view holds no longer than the tile.
  RingView elements(RingView all);
  // The tile's rows.
  RingView rows(RingView all) const;
  // Its bits: `each` for each unit, 1 for elements and the columns for rows; begin · each is a multiple of 64.
  const BitTensor* bits(const BitTensor& all, std::int64_t each = 1);
  std::span<const BitTensor> bits(std::span<const BitTensor> all);

 private:
  BitTensor part(const BitTensor& all, std::int64_t each) const;

  const std::int64_t begin_, end_;
  const bool contents_;
  std::deque<RingTensor> words_;  // copies
  std::deque<BitTensor> bits_;
  std::deque<std::vector<BitTensor>> lists_;
};

// Units of a request.
template <typename Request>
std::int64_t units(const Request& request) {
  return request.shape().size();
}
inline std::int64_t units(const RowProductRequest& request) { return request.x.shape.rows; }
inline std::int64_t units(const LookUpRequest& request) { return request.lambda.shape.size(); }
inline std::int64_t units(const WinnerRequest& request) { return request.y.shape.rows; }

// Units of a tile, at most: a multiple of 64 where bits are cut. Each element of the first kind binds up to some 100 bits, and of the
// second kind up to some 100 words, too.
constexpr std::int64_t kMostInTile = std::int64_t{1} << 16;
constexpr std::int64_t kMostProductsInTile = std::int64_t{1} << 13;
template <typename Request>
std::int64_t most_units(const Request& /*request*/) {
  return kMostInTile;
}
inline std::int64_t most_units(const ProductRequest& /*request*/) { return kMostProductsInTile; }
inline std::int64_t most_units(const LiftedProductRequest& /*request*/) { return kMostProductsInTile; }
inline std::int64_t most_units(const MaskProductsRequest& /*request*/) { return kMostProductsInTile; }
std::int64_t most_units(const RowProductRequest& request);
std::int64_t most_units(const LookUpRequest& request);
std::int64_t most_units(const WinnerRequest& request);

ProductRequest part(const ProductRequest& all, Tile& tile);
RowProductRequest part(const RowProductRequest& all, Tile& tile);
WrapRequest part(const WrapRequest& all, Tile& tile);
LiftedProductRequest part(const LiftedProductRequest& all, Tile& tile);
LiftedMultipleRequest part(const LiftedMultipleRequest& all, Tile& tile);
MaskProductsRequest part(const MaskProductsRequest& all, Tile& tile);
WideningRequest part(const WideningRequest& all, Tile& tile);
SelectionRequest part(const SelectionRequest& all, Tile& tile);
LookUpRequest part(const LookUpRequest& all, Tile& tile);
WinnerRequest part(const WinnerRequest& all, Tile& tile);
GroupProductsRequest part(const GroupProductsRequest& all, Tile& tile);
CarryProductsRequest part(const CarryProductsRequest& all, Tile& tile);

}  // namespace tacit::mpc
