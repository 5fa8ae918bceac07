#include "mpc/ot/transpose.h"

#include <utility>

namespace tacit::mpc {

namespace {

constexpr int kRows = static_cast<int>(kBlockBits);

// Swaps the upper right and the lower left quarters of all squares of 2·kHalf bits.
template <int kMatrices, int kHalf>
void swap_quarters(std::uint64_t* words) {
  constexpr int kRowWords = 2 * kMatrices;
  std::uint64_t mask = 0;
  for (int i = 0; i < 64; i += 2 * kHalf) mask |= (~std::uint64_t{0} >> (64 - kHalf)) << i;
  for (int begin = 0; begin < kRows; begin += 2 * kHalf) {
    std::uint64_t* const a = words + begin * kRowWords;
    std::uint64_t* const b = a + kHalf * kRowWords;
    for (int i = 0; i < kHalf * kRowWords; ++i) {
      const std::uint64_t change = ((a[i] >> kHalf) ^ b[i]) & mask;
      b[i] ^= change;
      a[i] ^= change << kHalf;
    }
  }
}

}  // namespace

template <int kMatrices>
void transpose(Block* blocks) {
  for (int i = 0; i < kRows / 2 * kMatrices; ++i) std::swap(blocks[i].high, blocks[i + kRows / 2 * kMatrices].low);
  auto* const words = reinterpret_cast<std::uint64_t*>(blocks);
  swap_quarters<kMatrices, 32>(words);
  swap_quarters<kMatrices, 16>(words);
  swap_quarters<kMatrices, 8>(words);
  swap_quarters<kMatrices, 4>(words);
  swap_quarters<kMatrices, 2>(words);
  swap_quarters<kMatrices, 1>(words);
}

template void transpose<1>(Block* blocks);
template void transpose<8>(Block* blocks);

}  // namespace tacit::mpc
