// Numbers modulo Q are scaled, and messages lifted, as exact arithmetic does it.
#include "mpc/lattice/rounding.h"

#include <gtest/gtest.h>

#include <random>

#include "mpc/ring/ring.h"
#include "tests/mpc/lattice/exact.h"

namespace tacit::mpc::lattice {
namespace {

// Puts x at coefficient 0.
void put_terms(const Ring& ring, const Exact& x, Limbs& terms) {
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    const std::uint64_t p = ring.prime(limb).value();
    terms[limb][0] = ring.prime(limb).public_product(x.residue(p), ring.rounding().cofactor_inverse(limb));
  }
}

Wide rounded(const Ring& ring, const Limbs& terms, int w) {
  std::vector<const std::uint64_t*> each;
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) each.push_back(terms[limb]);
  return ring.rounding().rounded(each, 0, w);
}

Wide low_part_of(Wide x, int w) { return x & ((static_cast<Wide>(1) << w) - 1); }

// round(2^w·x / Q) mod 2^w; or one less, where the exact fraction is less than 2^-67 above a half.
void expect_rounded(const Ring& ring, const Exact& x, int w) {
  const Exact q = modulus_of(ring), doubled = q.shifted(1);
  const Exact scaled = x.shifted(w + 1) + q;
  const Exact quotient = scaled / doubled, rest = scaled % doubled;
  Limbs terms(ring.limbs());
  put_terms(ring, x, terms);
  const Wide exact = low_part_of((quotient % Exact::power_of_two(w)).low(), w), found = rounded(ring, terms, w);
  const bool is_near = rest.shifted(67) < doubled;
  EXPECT_TRUE(found == exact || (is_near && found == low_part_of(exact - 1, w))) << w << " of " << ring.modulus().bits;
}

TEST(Rounding, IsExactOnRandomNumbers) {
  std::mt19937_64 random(1);
  for (int number = 0; number < kModuli; ++number) {
    const Ring ring(modulus(number));
    for (int i = 0; i < 300; ++i) {
      Exact x;
      for (int word = 0; word < 4; ++word) x = x.shifted(64) + Exact(random());
      x = x % modulus_of(ring);
      for (const int w : {1, 4, 28, 41, 47, 54, 60, 63, 64, 65, 67, 73}) expect_rounded(ring, x, w);
    }
  }
}

TEST(Rounding, IsExactAtTheBordersOrOneLessNextToThem) {
  std::mt19937_64 random(2);
  for (int number = 0; number < kModuli; ++number) {
    const Ring ring(modulus(number));
    const Exact q = modulus_of(ring);
    for (const Exact& x : {Exact(0), Exact(1), q - Exact(1), q / Exact(2), q / Exact(2) + Exact(1)}) {
      for (int w = 1; w <= 73; ++w) expect_rounded(ring, x, w);
    }
    for (const int w : {1, 41, 47, 60, 64, 67, 73}) {
      for (int i = 0; i < 40; ++i) {  // (r + 1/2)·Q / 2^w, and its neighbours
        const Exact r = i == 0   ? Exact(0)
                        : i == 1 ? Exact::power_of_two(w) - Exact(1)
                                 : Exact(random() >> (64 - std::min(w, 63)));
        const Exact border = (r.shifted(1) + Exact(1)) * q / Exact::power_of_two(w + 1);
        for (const Exact& x : {border - Exact(1), border, border + Exact(1), border + Exact(2)})
          expect_rounded(ring, x % q, w);
      }
    }
  }
}

TEST(Ring, LiftsMessagesExactly) {
  std::mt19937_64 random(3);
  for (int number = 0; number < kModuli; ++number) {
    const Ring ring(modulus(number));
    const Exact q = modulus_of(ring);
    for (const int k : {1, 2, 8, 25, 38, 39, 51, 52, 63, 64}) {
      std::vector<std::uint64_t> words(kDegree);
      for (std::uint64_t& word : words) word = random() & low_bits(k);
      words[0] = 0;
      words[1] = low_bits(k);
      words[2] = std::uint64_t{1} << (k - 1);
      words[3] = words[2] - 1;
      for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
        const std::uint64_t p = ring.prime(limb).value();
        std::vector<std::uint64_t> lifted(kDegree, 1);
        ring.add_message(limb, words.data(), k, lifted.data());
        for (std::size_t i = 0; i < 40; ++i) {
          const Exact exact = (q * Exact(words[i]) + Exact::power_of_two(k - 1)) / Exact::power_of_two(k);
          EXPECT_EQ(lifted[i] % p, (exact + Exact(1)).residue(p)) << k << " " << i;
          EXPECT_LE(lifted[i], 2 * p);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tacit::mpc::lattice
