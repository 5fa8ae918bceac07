// WidePack — packing whole blocks of eight words by AVX-512: a register holds a block. The bytes are the same as the bytes of pack.h.
//
// A function may touch up to seven bytes after the packed blocks: the caller leaves this room.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tacit::net {

struct WidePack {
  using Word = std::uint64_t;
  // `bits` is from kFewestBits to 63.
  void (*pack)(const Word* words, std::int64_t blocks, int bits, std::byte* out);
  void (*unpack)(const std::byte* in, std::int64_t blocks, int bits, Word* words);
  void (*add)(const std::byte* in, std::int64_t blocks, int bits, Word* words);

  // For narrower words the portable loops are faster, since a packed word holds many of them.
  static constexpr int kFewestBits = 21;
};

// Null if this machine has no AVX-512, or TACIT_INSTRUCTIONS leaves it out.
const WidePack* wide_pack();

// Defined in wide_pack_avx512.cc, which exists for x86-64 only.
const WidePack& wide_pack_avx512();

}  // namespace tacit::net
