// cut — where tensors are divided: into chunks, one for each party, and into segments, one for each message.
//
// Every cut is after a multiple of eight words (kPackBlock), so that cutting adds no padding: the bytes of the pieces
// are together the bytes of the whole. Cuts depend on shapes alone; all parties make the same ones.
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

// Large enough that messages are few, small enough that a receiver adds one while it is in its cache.
inline constexpr std::int64_t kSegmentBytes = 512 * 1024;

std::int64_t packed_bytes(std::span<const WordShape> tensors);

// `chunks` pieces whose packed sizes differ by little more than a block of eight words; some are empty when there is
// too little to share.
std::vector<Parts> cut_into_chunks(std::span<const WordShape> tensors, int chunks);

// Pieces of at most kSegmentBytes, as few as they can be in this order; none where there is nothing to send.
std::vector<Parts> cut_into_segments(std::span<const WordShape> tensors);

std::vector<WordShape> shapes_of(const Parts& parts, std::span<const WordShape> tensors);
std::vector<Words> views_of(const Parts& parts, Tensors tensors);

}  // namespace tacit::net
