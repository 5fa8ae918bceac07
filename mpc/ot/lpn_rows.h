// LpnRows — the public matrix A of learning parity with noise, whose rows have ten ones each (local linear code).
//
// Column j of row r of round n is (word >> 21·(j mod 3)) mod 2^log_base, for word 4r + j / 3 of the stream whose block b, of two words,
// is pi(n, b). pi is AES-128 under a public key. The key comes from the session's joint coin and differs for each direction of each
// pair, so no party that follows the protocol plants a matrix, and no two rounds share one.
//
// Time        depends on the counts and on the columns, which are public
// Thread      one at a time
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mpc/kernels/transfer_loops.h"
#include "mpc/ot/fixed_key_aes.h"
#include "mpc/ring/uninitialised.h"

namespace tacit::mpc {

class LpnRows {
 public:
  // The key: 16 bytes. log_base: at most 21.
  LpnRows(std::string_view key, int log_base, Instructions instructions = best_instructions());

  // rows[r] ^= the sum of the blocks of `base` in the columns of row first + r.
  void add(std::uint64_t round, std::int64_t first, std::span<const Block> base, std::span<Block> rows);

 private:
  const TransferLoops& loops_;
  FixedKeyAes pi_;
  int log_base_;
  UninitialisedVector<Block> stream_;
};

}  // namespace tacit::mpc
