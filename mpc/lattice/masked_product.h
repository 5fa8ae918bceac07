// MaskedProduct — shares of the matrix product of two shared matrices, made pair by pair with ciphertexts of RLWE.
//
// Party i encrypts its share L of one operand under its own key: (a, b) with b + a·s = round(Q·L / 2^k) + e. Both ends make `a`
// from the session's nonce, and i sends b. Its peer j multiplies by its own share R of the other operand, adds a fresh encryption
// of zero, and gets (a', b') with b' + a'·s = (Q / 2^k)·L·R + noise. It sends a' alone, rounded to k+9 bits, and 3 bits of each
// wanted coefficient of b', the hint. The upper k bits of b' are its share of L·R, and a''·s and the hint give the share of i.
// Nothing else hides the noise, which depends on R: no large random number is added (noise flooding).
//
// Requires    every party makes the same calls with the same shapes and widths
// Rounds      1 for the keys, then 2 for a product: ciphertexts, answers. A product with messages beyond 256 MiB is cut into parts,
//             2 rounds each
// Sends       to each peer 553 kB of public keys, once. For a product, blocks of at most 8192 products of coefficients, chosen by
//             an exhaustive search for the fewest bytes (product_plan.h): for each block of an encrypted operand 154, 184 or 215 kB,
//             for each block of the result k+9 kB and 3 bits an element. If the ciphertexts of an operand are kept (Keeping), each
//             party of a pair encrypts it once for all its products, in blocks of their own (kept_parts); from then on the parties
//             send answers alone, in the second of two rounds. The first one has no message: so a product may run in lock step with
//             the one that keeps the ciphertexts, if that one has begun no later
// Memory      for each peer, its two messages: at most 512 MiB. Besides, unpacked ciphertexts of one peer: at most 3 times 256 MiB.
//             Then 2 MB for each thread. Kept ciphertexts stay packed: 154, 184 or 215 kB each, for each peer
// Error       none, except with a probability of 2^-78 for each element of the result: the rounding errors of a'', times s, exceed
//             the room of 224 units of 2^-9 (standard deviation 21.3)
// Secure      against n-1 passive parties, under RLWE with N = 8192, ternary secrets and moduli of 150, 180 and 210 bits (primes.h),
//             and AES-128 as a generator, up to the distance in MadeCost::leakage. An active party can make a product wrong, silently
// Papers      Baum, Escudero, Pedrouzo-Ulloa, Scholl, Troncoso-Pastoriza, SCN 2020, and de Castro, Juvekar, Vaikuntanathan, WAHC 2021:
//             products from RLWE with shares by local rounding. Here only half of the result travels
//
// Why the holder i learns nothing of R, though it knows s, L and all errors of its own ciphertexts. b' is
// -a'·s + (Q / 2^k)·L·R + E0 + E1, where E0 is the sum of R times these errors, and E1 = u·e_pk + e1·s is below 2^12.
//   1. The message L·R vanishes in a hint, modulo 8. E1 moves a hint with a probability of at most 2^-95. Without it, a hint
//      follows from a', s and E0.
//   2. a' is a sum plus pk_a·u + e1, for a fresh ternary u and a fresh error e1. pk_a comes from the nonce. So a' is uniform and
//      hides R, by RLWE under the secret u.
//   3. E0 is small against Q / 2^(k+3), and it is fixed before a'. So E0 moves a hint with a probability of at most
//      E|E0|·2^(k+3) / Q, which MadeCost::leakage adds up. The whole answer then follows from a uniform a' and the holder's s.
// This holds under four conditions. Tests check each, and break it where the attack is cheap (answer_conditions_test.cc):
//   (a) b' and its low bits never leave. An answer has k+9 bits a coefficient of a' and 3 bits a wanted coefficient of b'. If b'
//       left, b' + a'·s would give the noise, and the noise gives R by linear algebra over the known errors.
//   (b) u and e1 are fresh for every answer. Two answers with the same (u, e1) would show the difference of their R, and without
//       them an answer would show R. This holds for answers to one kept ciphertext as for others: a kept ciphertext is public to
//       the peer, and each of its products has new answers, each with its own (u, e1).
//   (c) The holder chooses no `a`: both ends make pk_a and every a from the nonce, to which every party contributes. With pk_a = 0
//       and a constant a of the holder's choice, a'' would be R. And a name of an `a` serves one message: the operand of a kept
//       ciphertext never changes, and an operand that is encrypted in two layouts or widths has other names each time.
//   (d) The leakage (leakage.h) is summed over all wanted coefficients of a session's answers, each with the number of coefficients of
//       its own multipliers, and over all peers; for a kept ciphertext once for each product. A product whose own sum is beyond
//       2^-54 takes the next modulus. The network counts
//       the sum, on a plan as well, so it is known before a run (MadeCost::leakage). A run beyond 2^-40 is refused before it begins,
//       and as a last guard a session ends with a ConfigError before the product that would exceed it.
// Do not add answers of several parties under a joint key: the rounding error of a'' times the other holders' secrets would be in
// the hints, and the hints would show these secrets.
//
// On a plan (PairNetwork) only the traffic is counted. Thread: one.
#pragma once

#include <memory>

#include "mpc/kernels/workers.h"
#include "mpc/lattice/keeping.h"
#include "mpc/ot/pair_network.h"
#include "mpc/random/nonce.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

class MaskedProduct {
 public:
  // One for a nonce, as the names of `a` begin anew. Every party constructs it at the same time: it makes its keys and sends the
  // public ones, of all moduli, so that later costs depend on no earlier product. Network and workers must outlive it.
  MaskedProduct(PairNetwork& network, const Nonce& nonce, Workers& workers);
  ~MaskedProduct();

  // This party's share of x·y mod 2^bits, where x and y are its shares of the factors (any words; multiply() reduces them). On a plan no
  // word is read, and the result is empty. `keeping` is the same at all parties.
  RingTensor multiply(RingView x, RingView y, int bits, const Keeping& keeping = {});

  // The bytes that two parties send each other for this product, in both directions.
  static std::int64_t pair_bytes(Shape x, Shape y, int bits, int parties);
  // The same for a product whose left or right operand is kept: for its ciphertexts, once, and for the answers of each product. A party
  // keeps half of the bytes of the ciphertexts for each peer.
  struct KeptBytes {
    std::int64_t ciphertexts = 0, answers = 0;
  };
  static KeptBytes kept_pair_bytes(Shape x, Shape y, int bits, int parties, bool left);
  // The product's part of the leakage of a session, in the units of leakage_units.h.
  static std::int64_t product_leakage(Shape x, Shape y, int bits, int parties, const Keeping& keeping = {});

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tacit::mpc
