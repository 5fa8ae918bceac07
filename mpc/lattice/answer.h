// answer — the peer's part of a masked product: the sum of ciphertexts c_t times its own polynomials m_t, hidden.
//
// (a', b') is that sum and a fresh encryption of zero, (pk_a·u + e1, pk_b·u) with a ternary u. The answer is a'' =
// round(2^(k+9)·a' / Q), all coefficients, and 3 bits below the message of b' for each wanted coefficient. The k bits above them
// are the peer's share of the product. No other bit of b' leaves (the conditions of the security argument: masked_product.h).
//
//   message    a'' mod 2^(k+9): kDegree words of k+9 bits (beyond 64 bits: all low words of 64 bits, then all high parts),
//              then the hints: 3 bits for each wanted coefficient
#pragma once

#include <span>

#include "mpc/kernels/workers.h"
#include "mpc/lattice/ring.h"
#include "mpc/lattice/sampling.h"
#include "net/channel.h"

namespace tacit::mpc::lattice {

inline constexpr int kHint = 3;   // bits of b' that are sent
inline constexpr int kSlack = 9;  // bits of a'' below the message

struct Ciphertext {
  Limbs a, b;  // transforms, below p
};

// c_t, and how many coefficients of m_t may differ from zero: the lowest `length`.
struct Term {
  const Ciphertext* ciphertext = nullptr;
  std::int64_t length = kDegree;
};

std::int64_t answer_bytes(int k, std::int64_t wanted);

// u and e1 of one answer, drawn from a stream that serves no other.
struct Zero {
  explicit Zero(Stream random);
  SecretLimbs u, e1;  // one limb each: coefficients in two's complement
};

// (a', b') as terms of Rounding, all limbs. Only write_answer() reads them, as b' must not leave. Wiped, as all numbers between.
struct HiddenSum {
  SecretLimbs a, b;
};

// multiplier(t, words) writes the lowest terms[t].length coefficients of m_t, in two's complement.
HiddenSum hidden_sum(const Ring& ring, const Ciphertext& public_key, std::span<const Term> terms,
                     WorkRef<std::int64_t, std::uint64_t*> multiplier, const Zero& zero);

// Writes the message, and the peer's share of each wanted coefficient.
void write_answer(const Ring& ring, const HiddenSum& sum, int k, std::span<const std::int64_t> wanted,
                  std::span<std::byte> message, std::span<std::uint64_t> shares);

// a'' and the hints of a message.
struct AnswerWords {
  WordMemory low, high;  // of a''; high is empty up to 64 bits
  WordMemory hints;
};
AnswerWords read_answer(std::span<const std::byte> message, int k, std::int64_t wanted);

}  // namespace tacit::mpc::lattice
