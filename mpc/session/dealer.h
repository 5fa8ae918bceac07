// Dealer is the context of a protocol's dealer side, which runs on masks alone. A protocol draws its masks in the order of the
// party's side, and states the same requests for correlations.
//
// Two classes implement it. MeshDealer (mesh_dealer.h) draws the sums of all parties' masks, and sends shares of the correlations.
// Maker (ahead/maker.h) belongs to a party of a session without a dealer: it draws the party's own masks, and makes the correlations
// with the makers of the other parties.
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/kernels/workers.h"
#include "mpc/session/profile.h"

namespace tacit::mpc {

class Dealer {
 public:
  virtual ~Dealer() = default;

  virtual int parties() const = 0;
  virtual Workers& workers() = 0;
  virtual Waited waited() const = 0;

  // Every call until the next begin() belongs to this operation.
  virtual void begin(std::int64_t operation) = 0;

  // A mask; Correlations::mask gives the party its share. A MeshDealer has the sum of all shares, a Maker the share of its own party.
  virtual RingTensor mask(Shape shape, int bits) = 0;
  virtual BitTensor mask_bits(Shape shape) = 0;
  // The order that Correlations::order gives to its owner. Empty at a party that is not the owner.
  virtual Permutation order(int owner, std::int64_t count) = 0;

  // States a request for a correlation, whose shares Correlations::words and bits return to the parties. The request and its masks may end
  // after the call.
  virtual void deal(const WordRequest& request) = 0;
  virtual void deal(const BitRequest& request) = 0;

  // The outcome of decide(), which rank 0 tells.
  virtual bool decision() = 0;
};

}  // namespace tacit::mpc
