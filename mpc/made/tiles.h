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
  // Its elements; `begin` is a multiple of 64.
  BitTensor elements(const BitTensor& all) const;
  const BitTensor* kept(BitTensor bits) { return &bits_.emplace_back(std::move(bits)); }
  std::span<const BitTensor> elements(std::span<const BitTensor> all);

 private:
  const std::int64_t begin_, end_;
  const bool contents_;
  std::deque<RingTensor> words_;  // copies
  std::deque<BitTensor> bits_;
  std::deque<std::vector<BitTensor>> lists_;
};

// A tile has at most this many units: a multiple of 64, or 1.
constexpr std::int64_t kMostInTile = std::int64_t{1} << 16;

// Of a request by elements.
template <typename Request>
std::int64_t units(const Request& request) {
  return request.shape().size();
}
template <typename Request>
std::int64_t most_units(const Request& /*request*/) {
  return kMostInTile;
}

// Every bit of a factor is bound, and multiplies a word.
constexpr std::int64_t kMostProductsInTile = std::int64_t{1} << 13;
inline std::int64_t most_units(const ProductRequest& /*request*/) { return kMostProductsInTile; }
inline std::int64_t units(const RowProductRequest& request) { return request.x.shape.rows; }
inline std::int64_t most_units(const RowProductRequest& request) {
  return std::max<std::int64_t>(1, kMostProductsInTile / std::max<std::int64_t>(1, request.x.shape.cols));
}

ProductRequest part(const ProductRequest& all, Tile& tile);
RowProductRequest part(const RowProductRequest& all, Tile& tile);
WrapRequest part(const WrapRequest& all, Tile& tile);
WideningRequest part(const WideningRequest& all, Tile& tile);
SelectionRequest part(const SelectionRequest& all, Tile& tile);
GroupProductsRequest part(const GroupProductsRequest& all, Tile& tile);
CarryProductsRequest part(const CarryProductsRequest& all, Tile& tile);

}  // namespace tacit::mpc
