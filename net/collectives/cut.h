// cut divides tensors into chunks, one for each party, and into segments, one for each message.
//
// Every cut follows a multiple of eight words (kPackBlock), so that cutting adds no padding: the
// sizes of the pieces add up to the size of the whole. Cuts depend on shapes only, and are
// therefore equal at all parties.
#pragma once

#include <vector>

#include "net/collectives/pack.h"
#include "net/collectives/words.h"

namespace tacit::net {

// Words [begin, begin + count) of one tensor of a list.
struct Part {
  std::int64_t tensor = 0;
  std::int64_t begin = 0;
  std::int64_t count = 0;

  bool operator==(const Part&) const = default;
};
using Parts = std::vector<Part>;

// Large enough for few messages, and small enough that a receiver adds a segment while it is in the
// cache.
inline constexpr std::int64_t kSegmentBytes = 512 * 1024;

std::int64_t packed_bytes(std::span<const WordShape> tensors);

// Returns `chunks` pieces. Their packed sizes differ by little more than a block of eight words.
// Some pieces are empty if the tensors are too small.
std::vector<Parts> cut_into_chunks(std::span<const WordShape> tensors, int chunks);

// Returns pieces of at most kSegmentBytes, as few as possible in this order; an empty list without
// words.
std::vector<Parts> cut_into_segments(std::span<const WordShape> tensors);

std::vector<WordShape> shapes_of(const Parts& parts, std::span<const WordShape> tensors);
std::vector<Words> views_of(const Parts& parts, Tensors tensors);

}  // namespace tacit::net
