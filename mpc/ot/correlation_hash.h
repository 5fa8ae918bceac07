// CorrelationHash makes pads from the keys of correlated oblivious transfers:
//
//   H(x, i) = pi(pi(x) ^ i) ^ pi(x),   i = (number of the transfer: 64 bits; use: 40 bits; block: 24 bits)
//
// pi is AES-128 under a fixed key of its own. If each i occurs once for the transfers of one direction of one pair, then H(x ^ Delta,
// i) looks uniform to a party that knows x and not Delta: tweakable correlation robustness (Guo, Katz, Wang, Yu, Efficient and
// Secure Multiparty Computation from Fixed-Key Block Ciphers, S&P 2020), with pi as a random permutation. A counter that
// overflows its bits is a bug (BrokenInvariant).
//
// Time        depends on the counts alone
// Thread      one at a time
#pragma once

#include <cstdint>
#include <span>

#include "mpc/ot/fixed_key_aes.h"

namespace tacit::mpc {

class CorrelationHash {
 public:
  static constexpr std::int64_t kMostUses = std::int64_t{1} << 40;
  static constexpr std::int64_t kMostBlocks = std::int64_t{1} << 24;

  CorrelationHash();

  // out[k·blocks + b] = H(x[k] ^ offset, (first + k, use, b)), for b below `blocks`.
  void hash(std::span<const Block> x, const Block& offset, std::uint64_t first, std::int64_t use, std::int64_t blocks,
            std::span<Block> out);

 private:
  void hash_some(const Block* x, std::int64_t size, const Block& offset, std::uint64_t first, std::uint64_t use,
                 std::int64_t blocks, Block* out);

  FixedKeyAes pi_;
  SecretBlocks inner_;  // pi(x) of some keys
};

}  // namespace tacit::mpc
