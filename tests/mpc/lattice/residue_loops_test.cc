// Every instruction set gives the residues of the portable loops.
#include "mpc/lattice/residue_loops.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "mpc/lattice/answer.h"
#include "mpc/lattice/transform.h"
#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc::lattice {
namespace {

using Residues = std::vector<std::uint64_t>;

Residues residues_below(std::uint64_t bound, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Residues words(kDegree);
  for (std::uint64_t& word : words) word = random() % bound;
  words[0] = words[17] = words[kDegree - 1] = bound - 1;
  return words;
}

Residues reduced(Residues words, std::uint64_t p) {
  for (std::uint64_t& word : words) {
    EXPECT_LT(word, 4 * p);
    word %= p;
  }
  return words;
}

TEST(ResidueLoops, TransformAlike) {
  for (const std::uint64_t p : {modulus(0).primes[0], modulus(1).primes[3], modulus(2).primes[4]}) {
    const Transform portable(Prime(p), Instructions::kPortable);
    const Factor scale = portable.prime().factor(portable.inverse_degree());
    for (const Instructions instructions : available_instructions()) {
      const Transform wide(Prime(p), instructions);
      for (const std::int64_t length : {1, 3, 4, 5, 8, 9, 16, 17, 33, 64, 100, 512, 2048, 4096, 4097, 8192}) {
        Residues words = residues_below(4 * p, 1);
        std::fill(words.begin() + length, words.end(), 0);
        Residues same = words;
        portable.forward(words.data(), length);
        wide.forward(same.data(), length);
        EXPECT_EQ(reduced(same, p), reduced(words, p)) << name(instructions) << " " << length;
      }
      Residues words = residues_below(2 * p, 2), same = words;
      portable.backward(words.data(), scale);
      wide.backward(same.data(), scale);
      EXPECT_EQ(same, words) << name(instructions);
    }
  }
}

TEST(ResidueLoops, SumProductsAlike) {
  const std::uint64_t p = modulus(0).primes[0];
  const Residues largest(kDegree, p - 1), most(kDegree, 4 * p - 1);
  const Residues a = residues_below(p, 3), b = residues_below(p, 4), m = residues_below(4 * p, 5);
  const std::array<LimbProduct, 4> products{{{a.data(), b.data(), m.data()},
                                             {largest.data(), a.data(), most.data()},
                                             {b.data(), largest.data(), most.data()},
                                             {b.data(), a.data(), m.data()}}};
  for (const Instructions instructions : available_instructions()) {
    const ResidueLoops& loops = residue_loops(instructions);
    for (std::size_t count = 1; count <= products.size(); ++count) {
      std::array<Residues, 4> words;
      words.fill(Residues(kDegree));
      const SumWords sum_a{words[0].data(), words[1].data()}, sum_b{words[2].data(), words[3].data()};
      for (int i = 0; i < 2; ++i) loops.multiply_add(std::span(products).first(count), sum_a, sum_b);
      for (std::size_t i = 0; i < a.size(); ++i) {
        Wide exact_a = 0, exact_b = 0;
        for (std::size_t j = 0; j < count; ++j) {
          exact_a += 2 * product(products[j].a[i], products[j].multiplier[i]);
          exact_b += 2 * product(products[j].b[i], products[j].multiplier[i]);
        }
        ASSERT_TRUE(loops.sum(sum_a, static_cast<std::int64_t>(i)) == exact_a) << name(instructions) << " " << count;
        ASSERT_TRUE(loops.sum(sum_b, static_cast<std::int64_t>(i)) == exact_b) << name(instructions) << " " << count;
      }
    }
  }
}

// Also with more terms than a sum without a carry has.
TEST(ResidueLoops, AnswerAlike) {
  for (int number = 0; number < kModuli; ++number) {
    const Zero zero(Stream(fixed_seed(1)));
    std::vector<Residues> answers;
    for (const Instructions instructions : {Instructions::kPortable, available_instructions().back()}) {
      const Ring ring(modulus(number), instructions);
      Ciphertext ciphertext{Limbs(ring.limbs()), Limbs(ring.limbs())};
      for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
        std::ranges::copy(residues_below(ring.prime(limb).value(), 6), ciphertext.a[limb]);
        std::ranges::copy(residues_below(ring.prime(limb).value(), 7), ciphertext.b[limb]);
      }
      const std::vector<Term> terms(number == 0 ? 2051 : 7, Term{&ciphertext, 8});
      const auto write = [](std::int64_t t, std::uint64_t* words) {
        for (std::uint64_t i = 0; i < 8; ++i) words[i] = static_cast<std::uint64_t>(t) * 0x9e3779b97f4a7c15 + i;
      };
      const HiddenSum sum = hidden_sum(ring, ciphertext, terms, write, zero);
      Residues& words = answers.emplace_back();
      for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
        words.insert(words.end(), sum.a[limb], sum.a[limb] + kDegree);
        words.insert(words.end(), sum.b[limb], sum.b[limb] + kDegree);
      }
      EXPECT_EQ(words, answers.front()) << name(instructions);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc::lattice
