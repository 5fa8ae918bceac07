// The four conditions under which an answer hides the peer's share (mpc/lattice/masked_product.h), and what the key's holder finds
// where a condition is broken.
#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <cmath>
#include <numeric>
#include <random>

#include "mpc/lattice/key.h"
#include "mpc/lattice/leakage.h"
#include "mpc/lattice/uniform_half.h"
#include "tests/mpc/lattice/exact.h"

namespace tacit::mpc::lattice {
namespace {

using Numbers = std::vector<std::uint64_t>;

std::vector<std::int64_t> every_coefficient() {
  std::vector<std::int64_t> all(kDegree);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Numbers random_numbers(int k, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Numbers words(kDegree);
  for (std::uint64_t& word : words) word = random() & low_bits(k);
  return words;
}

Numbers signed_numbers(Numbers words, int k) {
  for (std::uint64_t& word : words) word = static_cast<std::uint64_t>(signed_value(word, k));
  return words;
}

// A key's holder, and its peer.
class Pair {
 public:
  explicit Pair(const Modulus& modulus)
      : ring(modulus), key(ring, own_stream({})), halves_({}, 0, modulus), public_key(encrypted(Numbers(kDegree), 1)) {}

  Ciphertext encrypted(const Numbers& words, int k) {
    return encrypted(words, k, halves_.expand(halves_.seed(next_++), ring));
  }
  Ciphertext encrypted(const Numbers& words, int k, const Limbs& a) const {
    std::vector<std::byte> message(static_cast<std::size_t>(ring.modulus().message_bytes()));
    key.encrypt(words.data(), k, a, own_stream({}), message);
    Ciphertext out{a, Limbs(ring.limbs())};
    EXPECT_TRUE(read_residues(ring, message, out.b));
    return out;
  }

  // The peer's sum for one ciphertext and its multiplier of k bits.
  HiddenSum answered(const Ciphertext& ciphertext, const Numbers& multiplier, int k, const Zero& zero) const {
    return answered(public_key, ciphertext, multiplier, k, zero);
  }
  HiddenSum answered(const Ciphertext& ciphertext, const Numbers& multiplier, int k) const {
    return answered(ciphertext, multiplier, k, Zero(own_stream({})));
  }
  HiddenSum answered(const Ciphertext& with_key, const Ciphertext& ciphertext, const Numbers& multiplier, int k,
                     const Zero& zero) const {
    const Numbers words = signed_numbers(multiplier, k);
    const Term term{&ciphertext};
    return hidden_sum(
        ring, with_key, std::span(&term, 1), [&](std::int64_t, std::uint64_t* out) { std::ranges::copy(words, out); },
        zero);
  }

  const Ring ring;
  const Key key;

 private:
  UniformHalves halves_;
  std::int64_t next_ = 0;

 public:
  const Ciphertext public_key;
};

// Terms of Rounding of a polynomial that is given by its transforms.
Limbs terms_of(const Ring& ring, const Limbs& transforms) {
  Limbs out(ring.limbs());
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    for (std::int64_t i = 0; i < kDegree; ++i) out[limb][i] = ring.prime(limb).montgomery(transforms[limb][i]);
    ring.transform(limb).backward(out[limb], ring.to_terms(limb));
  }
  return out;
}

// The terms of a·s, from those of a.
Limbs times_secret(const Pair& pair, const Limbs& a) {
  Limbs out = a;
  for (std::int64_t limb = 0; limb < pair.ring.limbs(); ++limb) {
    const Prime& prime = pair.ring.prime(limb);
    pair.ring.transform(limb).forward(out[limb]);
    for (std::int64_t i = 0; i < kDegree; ++i) {
      out[limb][i] = prime.montgomery(product(out[limb][i], pair.key.secret()[limb][i]));
    }
    pair.ring.transform(limb).backward(out[limb], pair.ring.to_coefficients(limb));
  }
  return out;
}

Limbs sum_or_difference(const Ring& ring, const Limbs& x, const Limbs& y, bool add) {
  Limbs out(ring.limbs());
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    const std::uint64_t p = ring.prime(limb).value();
    for (std::int64_t i = 0; i < kDegree; ++i) out[limb][i] = (x[limb][i] + (add ? y[limb][i] : p - y[limb][i])) % p;
  }
  return out;
}

std::uint64_t rounded_word(const Ring& ring, const Limbs& terms, std::int64_t i, int w) {
  std::vector<const std::uint64_t*> each;
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) each.push_back(terms[limb]);
  return static_cast<std::uint64_t>(ring.rounding().rounded(each, i, w));
}

struct Message {
  std::vector<std::byte> bytes;
  Numbers shares;
};

Message message_of_sum(const Ring& ring, const HiddenSum& sum, int k) {
  Message out{std::vector<std::byte>(static_cast<std::size_t>(answer_bytes(k, kDegree))), Numbers(kDegree)};
  write_answer(ring, sum, k, every_coefficient(), out.bytes, out.shares);
  return out;
}

// How many hints are not those that follow from a' and the key.
int moved_hints(const Pair& pair, const HiddenSum& sum, int k) {
  const Message message = message_of_sum(pair.ring, sum, k);
  const AnswerWords words = read_answer(message.bytes, k, kDegree);
  const Limbs zero_terms = terms_of(pair.ring, [&] {
    Limbs zero(pair.ring.limbs());
    for (std::int64_t limb = 0; limb < zero.count(); ++limb) std::fill_n(zero[limb], kDegree, 0);
    return zero;
  }());
  const Limbs alone = sum_or_difference(pair.ring, zero_terms, times_secret(pair, sum.a), false);
  int moved = 0;
  for (std::int64_t i = 0; i < kDegree; ++i) {
    moved += (rounded_word(pair.ring, alone, i, k + kHint) & low_bits(kHint)) != words.hints.data()[i] ? 1 : 0;
  }
  return moved;
}

// The noise of b + a·s around the nearest message: of terms.
std::vector<double> noise_of(const Pair& pair, const Limbs& a, const Limbs& b, int k) {
  const Limbs sum = sum_or_difference(pair.ring, b, times_secret(pair, a), true);
  const Exact q = modulus_of(pair.ring);
  std::vector<double> out;
  for (std::int64_t i = 0; i < kDegree; ++i) {
    out.push_back(std::ldexp(centred(from_terms(pair.ring, sum, i).shifted(k) % q, q).value(), -k));
  }
  return out;
}

double deviation_of(const std::vector<double>& values) {
  double squares = 0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

const std::vector<std::pair<int, int>> kRingsAndModuli = {{38, 0}, {51, 1}, {64, 2}, {60, 2}};

TEST(Answer, GivesSharesOfTheProductOfFullPolynomials) {
  for (const auto& [k, number] : kRingsAndModuli) {
    Pair pair(modulus(number));
    const Numbers l = random_numbers(k, 1), m = random_numbers(k, 2);
    const Message message = message_of_sum(pair.ring, pair.answered(pair.encrypted(l, k), m, k), k);
    Numbers opened(kDegree);
    pair.key.open(message.bytes, k, every_coefficient(), opened);
    for (std::size_t at = 0; at < static_cast<std::size_t>(kDegree); at += 97) {
      std::uint64_t exact = 0;
      for (std::size_t i = 0; i < l.size(); ++i) {
        exact += i <= at ? l[i] * m[at - i] : -(l[i] * m[static_cast<std::size_t>(kDegree) + at - i]);
      }
      EXPECT_EQ((opened[at] + message.shares[at]) & low_bits(k), exact & low_bits(k)) << k << " " << at;
    }
  }
}

// (a) No more than the hints of b' leaves, and they follow from a' and the key.
static_assert(!std::is_copy_constructible_v<HiddenSum> &&
              std::is_same_v<decltype(HiddenSum::b), SecretLimbs>);  // wiped
TEST(AnswerConditions, HintsFollowFromTheUniformHalfAndTheKey) {
  for (const auto& [k, number] : kRingsAndModuli) {
    Pair pair(modulus(number));
    const auto sum = pair.answered(pair.encrypted(random_numbers(k, 3), k), random_numbers(k, 4), k);
    EXPECT_EQ(moved_hints(pair, sum, k), 0);
    EXPECT_EQ(answer_bytes(k, kDegree), kDegree * (k + 9 + 3) / 8);
    EXPECT_LT(hint_leakage(k, kDegree, modulus(number).bits), 0x1p-60);
  }
}

// Where there is no room, the formula says how often a hint would move.
TEST(AnswerConditions, HintsMoveAsOftenAsTheFormulaSaysUnderSmallModuli) {
  const Numbers of_30{0x3fff4001, 0x3ffe8001, 0x3ffc0001}, of_29{0x1ffd4001, 0x1ffc8001, 0x1ffc0001, 0x1ffb0001};
  const Modulus small{90, 30, of_30}, medium{116, 29, of_29};
  for (const auto& [k, modulus] : {std::pair(38, small), std::pair(51, medium)}) {
    Pair pair(modulus);
    const auto sum = pair.answered(pair.encrypted(random_numbers(k, 5), k), random_numbers(k, 6), k);
    const double expected = hint_leakage(k, kDegree, modulus.bits) * kDegree;
    EXPECT_GT(moved_hints(pair, sum, k), expected / 2);
    EXPECT_LT(moved_hints(pair, sum, k), expected * 2);
  }
}

TEST(AnswerConditions, TheWholeHalfOfTheMessageWouldShowTheMultiplier) {
  constexpr int k = 38;
  Pair pair(modulus(0));
  const Ciphertext ciphertext = pair.encrypted(random_numbers(k, 7), k);
  Numbers m(kDegree);
  std::vector<std::size_t> places;
  std::mt19937_64 random(8);
  for (std::size_t i = 0; i < 26; ++i) {
    places.push_back(i * 300 + random() % 300);
    m[places.back()] = random() & low_bits(k);
  }
  const HiddenSum sum = pair.answered(ciphertext, m, k);
  // The holder knows the errors e of its ciphertext; the noise is m times e.
  const auto e = noise_of(pair, terms_of(pair.ring, ciphertext.a), terms_of(pair.ring, ciphertext.b), k);
  const auto noise = noise_of(pair, sum.a, sum.b, k);
  Eigen::MatrixXd turned(kDegree, 26);
  for (std::size_t column = 0; column < places.size(); ++column) {
    for (std::size_t i = 0; i < e.size(); ++i) {
      const std::size_t at = (i + places[column]) % e.size();
      turned(static_cast<Eigen::Index>(at), static_cast<Eigen::Index>(column)) =
          i + places[column] < e.size() ? e[i] : -e[i];
    }
  }
  const Eigen::VectorXd seen = Eigen::Map<const Eigen::VectorXd>(noise.data(), kDegree);
  const Eigen::VectorXd found = (turned.transpose() * turned).ldlt().solve(turned.transpose() * seen);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto exact = static_cast<double>(signed_value(m[places[i]], k));
    EXPECT_NEAR(found(static_cast<Eigen::Index>(i)), exact, 0x1p13);
  }
}

// x / y mod p, value by value, as coefficients between -p/2 and p/2: for the first prime.
std::vector<std::int64_t> quotient(const Ring& ring, const Limbs& terms, const Limbs& by_transforms) {
  const Prime& prime = ring.prime(0);
  const std::uint64_t p = prime.value();
  std::uint64_t cofactor = 1;  // terms are the residues times (Q/p)^-1
  for (std::int64_t limb = 1; limb < ring.limbs(); ++limb)
    cofactor = prime.public_product(cofactor, ring.prime(limb).value() % p);
  Numbers words(kDegree);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = prime.public_product(terms[0][i], cofactor);
  ring.transform(0).forward(words.data());
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = prime.public_product(words[i] % p, prime.public_inverse(by_transforms[0][i]));
  }
  ring.transform(0).backward(words.data(), ring.to_coefficients(0));
  std::vector<std::int64_t> out;
  for (const std::uint64_t word : words) out.push_back(static_cast<std::int64_t>(word > p / 2 ? word - p : word));
  return out;
}

std::vector<std::int64_t> numbers_of(const Numbers& words, int k) {
  std::vector<std::int64_t> out;
  for (const std::uint64_t word : words) out.push_back(signed_value(word, k));
  return out;
}

// (b) A fresh (u, e1) for every answer.
TEST(AnswerConditions, TwoAnswersUnderOneZeroWouldShowTheDifferenceOfTheirMultipliers) {
  constexpr int k = 38;
  Pair pair(modulus(0));
  const Ciphertext ciphertext = pair.encrypted(random_numbers(k, 9), k);
  const Numbers m1 = random_numbers(k, 10), m2 = random_numbers(k, 11);
  std::vector<std::int64_t> difference = numbers_of(m1, k);
  for (std::size_t i = 0; i < m2.size(); ++i) difference[i] -= signed_value(m2[i], k);
  const Zero zero(own_stream({}));
  const auto of_answers = [&](const HiddenSum& one, const HiddenSum& two) {
    return quotient(pair.ring, sum_or_difference(pair.ring, one.a, two.a, false), ciphertext.a);
  };
  EXPECT_EQ(of_answers(pair.answered(ciphertext, m1, k, zero), pair.answered(ciphertext, m2, k, zero)), difference);
  EXPECT_NE(of_answers(pair.answered(ciphertext, m1, k), pair.answered(ciphertext, m2, k)), difference);
}

TEST(AnswerConditions, AnAnswerWithoutAZeroWouldShowTheMultiplier) {
  constexpr int k = 38;
  Pair pair(modulus(0));
  const Ciphertext ciphertext = pair.encrypted(random_numbers(k, 12), k);
  const Numbers m = random_numbers(k, 13);
  Zero none(own_stream({}));
  std::fill_n(none.u[0], kDegree, 0);
  std::fill_n(none.e1[0], kDegree, 0);
  EXPECT_EQ(quotient(pair.ring, pair.answered(ciphertext, m, k, none).a, ciphertext.a), numbers_of(m, k));
  const HiddenSum hidden = pair.answered(ciphertext, m, k);
  EXPECT_NE(quotient(pair.ring, hidden.a, ciphertext.a), numbers_of(m, k));
  // And a'' is uniform bit by bit.
  const AnswerWords words = read_answer(message_of_sum(pair.ring, hidden, k).bytes, k, kDegree);
  for (int bit = 0; bit < k + kSlack; ++bit) {
    double ones = 0;
    for (std::int64_t i = 0; i < kDegree; ++i) ones += static_cast<double>(words.low.data()[i] >> bit & 1);
    EXPECT_NEAR(ones / kDegree, 0.5, 6 * 0.5 / std::sqrt(kDegree)) << bit;
  }
}

TEST(AnswerConditions, AnAnswerHoldsTheEncryptionOfZeroInFull) {
  Pair pair(modulus(1));
  const Zero zero(own_stream({}));
  const HiddenSum sum = hidden_sum(
      pair.ring, pair.public_key, {}, [](std::int64_t, std::uint64_t*) {}, zero);
  Limbs errors(pair.ring.limbs());  // e1 as terms
  for (std::int64_t limb = 0; limb < errors.count(); ++limb) {
    const Prime& prime = pair.ring.prime(limb);
    for (std::int64_t i = 0; i < kDegree; ++i) {
      const std::uint64_t residue = prime.from_signed(zero.e1[0][i]) % prime.value();
      errors[limb][i] = prime.public_product(residue, pair.ring.rounding().cofactor_inverse(limb));
    }
  }
  const Numbers u(zero.u[0], zero.u[0] + kDegree), e1(zero.e1[0], zero.e1[0] + kDegree);
  EXPECT_GT(std::ranges::count_if(u, [](std::uint64_t x) { return x != 0; }), kDegree / 2);
  EXPECT_GT(std::ranges::count_if(e1, [](std::uint64_t x) { return x != 0; }), kDegree / 2);
  EXPECT_EQ(quotient(pair.ring, sum_or_difference(pair.ring, sum.a, errors, false), pair.public_key.a),
            numbers_of(u, 64));
  EXPECT_EQ(quotient(pair.ring, sum.b, pair.public_key.b), numbers_of(u, 64));
}

Limbs constant_transforms(const Ring& ring, const Exact& value) {
  Limbs out(ring.limbs());
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) {
    std::fill_n(out[limb], kDegree, value.residue(ring.prime(limb).value()));
  }
  return out;
}

// (c) The holder chooses no `a`.
TEST(AnswerConditions, AHalfOfTheHoldersChoiceWouldShowTheMultiplier) {
  constexpr int k = 38, kShift = 111;
  Pair pair(modulus(0));
  const Numbers nothing(kDegree), m = random_numbers(k, 14);
  const Ciphertext planted_key = pair.encrypted(nothing, 1, constant_transforms(pair.ring, Exact(0)));
  const Ciphertext planted =
      pair.encrypted(random_numbers(k, 15), k, constant_transforms(pair.ring, Exact::power_of_two(kShift)));
  const auto found_with = [&](const Ciphertext& key, const Ciphertext& ciphertext) {
    const HiddenSum sum = pair.answered(key, ciphertext, m, k, Zero(own_stream({})));
    const AnswerWords words = read_answer(message_of_sum(pair.ring, sum, k).bytes, k, kDegree);
    const long double unit =
        std::ldexp(1.0L, kShift + k + kSlack) / static_cast<long double>(modulus_of(pair.ring).value());
    Numbers found;
    for (std::int64_t i = 0; i < kDegree; ++i) {
      const auto number = static_cast<long double>(signed_value(words.low.data()[i], k + kSlack));
      found.push_back(static_cast<std::uint64_t>(std::llround(number / unit)) & low_bits(k));
    }
    return found;
  };
  EXPECT_EQ(found_with(planted_key, planted), m);
  EXPECT_NE(found_with(pair.public_key, planted), m) << "the nonce's public key hides a planted a";
}

TEST(AnswerConditions, TwoMessagesUnderOneHalfWouldShowTheirDifference) {
  constexpr int k = 38;
  Pair pair(modulus(0));
  const Numbers l1 = random_numbers(k, 16), l2 = random_numbers(k, 17);
  const Ciphertext one = pair.encrypted(l1, k), same_half = pair.encrypted(l2, k, one.a), other = pair.encrypted(l2, k);
  const auto difference_of = [&](const Ciphertext& x, const Ciphertext& y) {
    const Limbs terms = terms_of(pair.ring, sum_or_difference(pair.ring, x.b, y.b, false));
    Numbers out;
    for (std::int64_t i = 0; i < kDegree; ++i) out.push_back(rounded_word(pair.ring, terms, i, k));
    return out;
  };
  Numbers difference;
  for (std::size_t i = 0; i < l1.size(); ++i) difference.push_back((l1[i] - l2[i]) & low_bits(k));
  EXPECT_EQ(difference_of(one, same_half), difference);
  EXPECT_NE(difference_of(one, other), difference);
}

// (d) The noise is that of the formula, with the multiplier's own number of coefficients.
TEST(AnswerConditions, TheNoiseIsThatOfTheFormula) {
  for (const auto& [k, number] : kRingsAndModuli) {
    for (const std::size_t terms : {112U, 4336U, 8192U}) {
      Pair pair(modulus(number));
      Numbers m = random_numbers(k, 18);
      std::fill(m.begin() + static_cast<std::ptrdiff_t>(terms), m.end(), 0);
      const HiddenSum sum = pair.answered(pair.encrypted(random_numbers(k, 19), k), m, k);
      EXPECT_NEAR(deviation_of(noise_of(pair, sum.a, sum.b, k)) / noise_deviation(k, static_cast<std::int64_t>(terms)),
                  1, 0.15);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc::lattice
