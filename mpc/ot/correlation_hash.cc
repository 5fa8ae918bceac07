#include "mpc/ot/correlation_hash.h"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kKeysAtOnce = 128;  // keys: their blocks stay in the first-level cache
constexpr int kBlockNumberBits = 24;

}  // namespace

CorrelationHash::CorrelationHash() : pi_("tacit pads") {}

void CorrelationHash::hash(std::span<const Block> x, const Block& offset, std::uint64_t first, std::int64_t use,
                           std::int64_t blocks, std::span<Block> out) {
  TACIT_CHECK(use >= 0 && use < kMostUses && blocks >= 0 && blocks <= kMostBlocks);
  TACIT_CHECK(std::ssize(out) == std::ssize(x) * blocks && first + x.size() >= first);
  const std::uint64_t named = static_cast<std::uint64_t>(use) << kBlockNumberBits;
  for (std::size_t at = 0; at < x.size(); at += kKeysAtOnce) {
    const auto some = x.subspan(at, std::min(kKeysAtOnce, x.size() - at));
    hash_some(some, offset, first + at, named, blocks, out.data() + static_cast<std::int64_t>(at) * blocks);
  }
}

void CorrelationHash::hash_some(std::span<const Block> x, const Block& offset, std::uint64_t first, std::uint64_t use,
                                std::int64_t blocks, Block* out) {
  std::array<Block, kKeysAtOnce> inner;
  for (std::size_t k = 0; k < x.size(); ++k) inner[k] = x[k] ^ offset;
  pi_.permute(std::span(inner).first(x.size()));
  Block* at = out;
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::int64_t b = 0; b < blocks; ++b)
      *at++ = inner[k] ^ Block { first + k, use + static_cast<std::uint64_t>(b) };
  }
  pi_.permute({out, at});
  at = out;
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::int64_t b = 0; b < blocks; ++b) *at++ ^= inner[k];
  }
  sodium_memzero(inner.data(), sizeof inner);
}

}  // namespace tacit::mpc
