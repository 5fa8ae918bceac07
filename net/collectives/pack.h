// pack — words of k bits to and from bytes, densely: word i takes the bits from i·k on, lowest bit first.
//
// Eight words take exactly k bytes, so a tensor may be cut after every eighth word without a bit of padding. Words are
// reduced mod 2^k on the way, and the padding bits after the last word are zero.
#pragma once

#include <bit>

#include "net/channel.h"
#include "net/collectives/words.h"

namespace tacit::net {

static_assert(std::endian::native == std::endian::little, "words of 64 bits travel in their order in memory");

inline constexpr std::int64_t kPackBlock = 8;

std::int64_t packed_bytes(std::int64_t count, int bits);

// `packed` has exactly packed_bytes(words.count(), words.bits) bytes, here and below.
void pack(ConstWords words, Bytes packed);
void unpack(ConstBytes packed, Words words);

// sum = (sum + packed) mod 2^k, or sum ^ packed: a received share is added without a pass of its own.
void add_packed(ConstBytes packed, Words sum);

// Clears the bits above k in place.
void reduce(Words words);

// Words of 64 bits need no packing: these are their bytes.
ConstBytes as_bytes(ConstWords words);
Bytes as_writable_bytes(Words words);

}  // namespace tacit::net
