#include "mpc/ot/correlation_hash.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kKeysAtOnce = 128;  // keys: their blocks stay in the first-level cache
constexpr int kBlockNumberBits = 24;

}  // namespace

CorrelationHash::CorrelationHash() : pi_("tacit pads"), inner_(kKeysAtOnce) {}

void CorrelationHash::hash(std::span<const Block> x, const Block& offset, std::uint64_t first, std::int64_t use,
                           std::int64_t blocks, std::span<Block> out) {
  TACIT_CHECK(use >= 0 && use < kMostUses && blocks >= 0 && blocks <= kMostBlocks);
  TACIT_CHECK(std::ssize(out) == std::ssize(x) * blocks && first + x.size() >= first);
  const std::uint64_t named = static_cast<std::uint64_t>(use) << kBlockNumberBits;
  for (std::int64_t at = 0; at < std::ssize(x); at += kKeysAtOnce) {
    const auto some =
        x.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(std::min(kKeysAtOnce, std::ssize(x) - at)));
    const std::uint64_t number = first + static_cast<std::uint64_t>(at);
    if (blocks == 1) {
      pi_.hash(some, offset, number, named, out.data() + at);
    } else {
      hash_some(some.data(), std::ssize(some), offset, number, named, blocks, out.data() + at * blocks);
    }
  }
}

void CorrelationHash::hash_some(const Block* x, std::int64_t size, const Block& offset, std::uint64_t first,
                                std::uint64_t use, std::int64_t blocks, Block* out) {
  Block* const inner = inner_.data();
  for (std::int64_t k = 0; k < size; ++k) inner[k] = x[k] ^ offset;
  pi_.permute({inner, inner + size});
  Block* at = out;
  for (std::int64_t k = 0; k < size; ++k) {
    const std::uint64_t number = first + static_cast<std::uint64_t>(k);
    for (std::int64_t b = 0; b < blocks; ++b) *at++ = inner[k] ^ Block { number, use + static_cast<std::uint64_t>(b) };
  }
  pi_.permute({out, at});
  at = out;
  for (std::int64_t k = 0; k < size; ++k) {
    for (std::int64_t b = 0; b < blocks; ++b) *at++ ^= inner[k];
  }
}

}  // namespace tacit::mpc
