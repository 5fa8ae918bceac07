#include "mpc/lattice/key.h"

#include <array>

#include "mpc/ring/ring.h"
#include "net/collectives/pack.h"

namespace tacit::mpc::lattice {

namespace {

// How many limbs determine a sum of 8192 words of k+9 bits with signs, which is below 2^(k+22).
std::int64_t opening_limbs(const Modulus& modulus, int k) { return k + 24 <= 2 * modulus.prime_bits ? 2 : 3; }

std::span<std::uint64_t> all(std::uint64_t* words) { return {words, static_cast<std::size_t>(kDegree)}; }

std::size_t limb_bytes(const Ring& ring) { return static_cast<std::size_t>(kDegree * ring.modulus().prime_bits / 8); }

// Joins residues modulo the first primes of a ring to the number between -P/2 and P/2, in two's complement. P is the product of
// these primes, at most three.
class Joined {
 public:
  Joined(const Ring& ring, std::int64_t count) : all_(1) {
    for (std::int64_t i = 0; i < count; ++i) {
      const Prime& prime = primes_.emplace_back(ring.prime(i));
      all_ *= prime.value();
      auto& inverses = inverses_.emplace_back();
      for (std::int64_t j = 0; j < i; ++j)
        inverses.push_back(prime.factor(prime.public_inverse(ring.prime(j).value())));
    }
  }

  // Digits in the mixed radix of the primes (Garner): x = d_0 + p_0·(d_1 + p_1·d_2).
  Wide of(const Limbs& residues, std::int64_t coefficient) const {
    std::array<std::uint64_t, 3> digits{};
    for (std::size_t i = 0; i < primes_.size(); ++i) {
      const std::uint64_t p = primes_[i].value();
      digits[i] = residues[static_cast<std::int64_t>(i)][coefficient];
      // A digit below another prime may exceed p by far less than p, as the primes have the same number of bits.
      for (std::size_t j = 0; j < i; ++j) {
        digits[i] = less(inverses_[i][j].times(digits[i] + p - less(digits[j], p), p), p);
      }
    }
    Wide joined = 0;
    for (std::size_t i = primes_.size(); i-- > 0;) joined = joined * primes_[i].value() + digits[i];
    const Wide is_negative = (all_ / 2 - joined) >> 127;
    return joined - (all_ & (Wide{0} - is_negative));
  }

 private:
  std::vector<Prime> primes_;
  std::vector<std::vector<Factor>> inverses_;  // one for each earlier prime
  Wide all_;
};

// residues of a'' mod p, below 3p.
void residues_of(const AnswerWords& words, const Prime& prime, std::uint64_t* out) {
  const std::uint64_t p = prime.value();
  const Factor word = prime.factor(static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % p));
  for (std::int64_t i = 0; i < kDegree; ++i) {
    out[i] = less(prime.from_word(words.low.data()[i]), p);
    if (words.high.size() > 0) out[i] += word.times(words.high.data()[i], p);
  }
}

}  // namespace

Key::Key(const Ring& ring, Stream random) : ring_(ring), secret_(ring.limbs()) {
  SecretLimbs ternary(1);
  draw_ternary(random, ternary[0]);
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    const Prime& prime = ring.prime(limb);
    ring.residues(limb, ternary[0], kDegree, secret_[limb]);
    ring.transform(limb).forward(secret_[limb]);
    const Factor word = prime.factor(static_cast<std::uint64_t>((static_cast<Wide>(1) << 64) % prime.value()));
    for (std::uint64_t& value : all(secret_[limb])) value = less(word.times(value, prime.value()), prime.value());
  }
}

void Key::encrypt(const std::uint64_t* message, int k, const Limbs& a, Stream error, std::span<std::byte> b) const {
  SecretLimbs errors(1), work(1);
  draw_errors(error, errors[0]);
  for (std::int64_t limb = 0; limb < ring_.limbs(); ++limb) {
    const Prime prime = ring_.prime(limb);
    ring_.residues(limb, errors[0], kDegree, work[0]);
    ring_.add_message(limb, message, k, work[0]);
    ring_.transform(limb).forward(work[0]);
    for (std::int64_t i = 0; i < kDegree; ++i) {
      const std::uint64_t mask = prime.montgomery(product(a[limb][i], secret_[limb][i]));
      work[0][i] = less(prime.reduced(work[0][i]) + prime.value() - mask, prime.value());
    }
    const std::size_t size = limb_bytes(ring_);
    net::pack({all(work[0]), ring_.modulus().prime_bits}, b.subspan(static_cast<std::size_t>(limb) * size, size));
  }
}

void Key::open(std::span<const std::byte> answer, int k, std::span<const std::int64_t> wanted,
               std::span<std::uint64_t> shares) const {
  const AnswerWords words = read_answer(answer, k, std::ssize(wanted));
  SecretLimbs products(opening_limbs(ring_.modulus(), k));
  for (std::int64_t limb = 0; limb < products.count(); ++limb) {
    const Transform& transform = ring_.transform(limb);
    residues_of(words, transform.prime(), products[limb]);
    transform.forward(products[limb]);
    for (std::int64_t i = 0; i < kDegree; ++i) {
      products[limb][i] = transform.prime().montgomery(product(products[limb][i], secret_[limb][i]));
    }
    transform.backward(products[limb], ring_.to_coefficients(limb));
  }
  const Joined joined(ring_, products.count());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Wide product = joined.of(products, wanted[i]);
    const Wide hint = static_cast<Wide>(words.hints.data()[i]) << (kSlack - kHint);
    shares[i] = static_cast<std::uint64_t>((product + hint + (1 << (kSlack - 1))) >> kSlack) & low_bits(k);
  }
}

bool read_residues(const Ring& ring, std::span<const std::byte> message, Limbs& b) {
  std::uint64_t too_large = 0;
  const std::size_t size = limb_bytes(ring);
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    net::unpack(message.subspan(static_cast<std::size_t>(limb) * size, size),
                {all(b[limb]), ring.modulus().prime_bits});
    const std::uint64_t most = ring.prime(limb).value() - 1;
    for (const std::uint64_t residue : all(b[limb])) too_large |= (most - residue) >> 63;
  }
  return too_large == 0;
}

}  // namespace tacit::mpc::lattice
