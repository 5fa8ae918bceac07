// MaskedProduct — shares of the matrix product of two shared matrices, made pair by pair with RLWE ciphertexts.
//
// Party i sends an encryption of its share of one operand. Its peer multiplies it by its own share of the other operand, adds a
// fresh encryption of zero, and sends half of the result back, rounded, with 3 bits for every wanted coefficient (see
// ../shared design: four conditions (a) to (d) of the security argument, stated in this file in full).
// Every party calls it with the same public arguments. On a plan (PairNetwork), only the traffic is counted. Thread: one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mpc/kernels/workers.h"
#include "mpc/ot/pair_network.h"
#include "mpc/random/nonce.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

class MaskedProduct {
 public:
  // Every party constructs it at the same time: the keys are made and sent here, or at the first use of a modulus.
  MaskedProduct(PairNetwork& network, const Nonce& nonce, Workers& workers);
  ~MaskedProduct();

  // This party's share of x·y mod 2^bits, where x and y are its shares of the factors (any words; they are reduced).
  RingTensor multiply(RingView x, RingView y, int bits);

  // Bound of the distance between the answers so far and answers that hide this party's shares completely, as a power of two:
  // -45.6 stands for 2^-45.6. The session ends before it exceeds -40.
  double leakage() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::mpc
