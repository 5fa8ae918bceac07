// OwnMasks draws a party's shares of masks in a session without a dealer: from a seed that the party alone has, by the operation and the
// number of the draw in it. Two objects of one seed draw the same masks: the party's, and its maker's (ahead/maker.h).
//
// Thread: one, which may use the workers.
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/random/pair_seed.h"

namespace tacit::mpc {

class OwnMasks {
 public:
  OwnMasks(net::Secret seed, const Nonce& nonce, Workers& workers, int rank)
      : own_(std::move(seed), nonce, &workers), rank_(rank) {}

  void begin(std::int64_t operation) {
    operation_ = operation;
    draws_ = 0;
  }
  std::int64_t operation() const { return operation_; }

  RingTensor mask(Shape shape, int bits);
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant, RingTensor& sum);
  BitTensor mask_bits(Shape shape);
  Permutation order(int owner, std::int64_t count);  // empty, unless this party is the owner

 private:
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }

  PairSeed own_;
  const int rank_;
  std::int64_t operation_ = 0;
  int draws_ = 0;  // in this operation
};

}  // namespace tacit::mpc
