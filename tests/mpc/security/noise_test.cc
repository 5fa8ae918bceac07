// Noise keeps the stated variance against each observer, given everything that the observer knows.
//
// An observer's knowledge is a set of columns. The observer faces the variance of z that a least-squares fit on these columns
// leaves.
#include "mpc/protocols/noise.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sodium.h>

#include <Eigen/Cholesky>
#include <barrier>
#include <mutex>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/inside.h"
#include "net/error.h"
#include "tests/mpc/security/recorded_session.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::mpc {
namespace {

constexpr Shape kNoiseShape{160, 125};
constexpr Format kNoiseFormat{64, 45};
constexpr std::int64_t kSigma = 64;
constexpr double kVariance = kSigma * kSigma;

using Samples = std::vector<double>;

// z of one run, and its parts.
struct NoiseSeen {
  Samples z, dealt;
  std::vector<Samples> own, dealt_words;  // by party; words as numbers in -1 … 1
};

Share secret(Session& session) {
  const Matrix values = Matrix::Constant(kNoiseShape.rows, kNoiseShape.cols, 3);
  return input(session, 0, kNoiseShape, kNoiseFormat, &values, "values");
}

Samples as_samples(const std::vector<std::uint64_t>& words, double unit) {
  Samples samples;
  for (const std::uint64_t word : words) samples.push_back(unit * static_cast<double>(static_cast<std::int64_t>(word)));
  return samples;
}

void add_words(const std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& sum) {
  sum.resize(words.size());
  for (std::size_t i = 0; i < words.size(); ++i) sum[i] += words[i];
}

NoiseSeen noise_seen(int parties, const Noise& noise) {
  Views views(parties);
  std::mutex mutex;
  std::vector<std::vector<std::uint64_t>> added(static_cast<std::size_t>(parties));  // the noise of each party
  run_viewed(views, [&](Session& session, net::Mesh& mesh) {
    const Share x = secret(session);
    mesh.set_step("noise");
    const Share noisy = add_noise(session, x, noise);
    if (!mesh.world().is_party()) return;
    const std::lock_guard lock(mutex);
    std::vector<std::uint64_t>& difference = added[static_cast<std::size_t>(mesh.rank())];
    const auto before = Inside::words(x).words(), after = Inside::words(noisy).words();
    for (std::size_t i = 0; i < before.size(); ++i) difference.push_back(after[i] - before[i]);
  });
  NoiseSeen seen;
  std::vector<std::uint64_t> z, dealt(static_cast<std::size_t>(kNoiseShape.size()));
  for (std::size_t party = 0; party < added.size(); ++party) {
    std::vector<std::uint64_t> own = added[party];
    add_words(own, z);
    std::vector<std::uint64_t> words(own.size());
    for (const SeenWords& drawn : views.by_party[party].drawn) {
      if (drawn.step == "noise") words = drawn.words;
    }
    add_words(words, dealt);
    for (std::size_t i = 0; i < own.size(); ++i) own[i] -= words[i];
    seen.own.push_back(as_samples(own, 1));
    seen.dealt_words.push_back(as_samples(words, 0x1p-63));
  }
  seen.z = as_samples(z, 1);
  seen.dealt = as_samples(dealt, 1);
  return seen;
}

// The variance that is left of z, in units of sigma².
double left(const Samples& z, const std::vector<Samples>& known) {
  const auto count = static_cast<Eigen::Index>(z.size()), columns = std::ssize(known) + 1;
  Matrix m = Matrix::Ones(count, columns);
  for (Eigen::Index c = 1; c < columns; ++c) {
    for (Eigen::Index i = 0; i < count; ++i) {
      m(i, c) = known[static_cast<std::size_t>(c - 1)][static_cast<std::size_t>(i)];
    }
  }
  const Eigen::Map<const Eigen::VectorXd> target(z.data(), count);
  // Columns that are zero everywhere do not change the fit.
  const Matrix normal = m.transpose() * m + 1e-9 * Matrix::Identity(columns, columns);
  const Eigen::VectorXd fit = normal.ldlt().solve(m.transpose() * target);
  return (target - m * fit).squaredNorm() / static_cast<double>(count) / kVariance;
}

std::vector<Samples> known_to_all_but(const NoiseSeen& seen, std::size_t honest) {
  std::vector<Samples> known;
  for (std::size_t party = 0; party < seen.own.size(); ++party) {
    if (party == honest) continue;
    known.push_back(seen.own[party]);
    known.push_back(seen.dealt_words[party]);
  }
  return known;
}

struct Stated {
  NoiseFrom from;
  double outsiders, dealer, parties;
};

std::vector<Stated> stated(double n) {
  return {{NoiseFrom::kDealt, 1, 0, 1}, {NoiseFrom::kParties, n, n, 1}, {NoiseFrom::kBoth, 2 - 1 / n, 1, 1}};
}

// The variance that the parts leave, in units of sigma². Sigmas are rounded up: the parts of five parties leave up to 3.3 % more than
// the statement.
Stated of_parts(const Noise& noise, int parties) {
  const NoiseParts::Left left =
      noise_parts(noise, parties).left(parties, noise.colluding < 0 ? parties - 1 : noise.colluding);
  const auto variance = [](double sigma) { return sigma * sigma / kVariance; };
  return {noise.from, variance(left.outsiders), variance(left.dealer), variance(left.colluding)};
}

// 20,000 samples: seven percent are seven standard deviations.
constexpr double kWithin = 0.07;

void expect_a_little_above(double left, double stated) {
  EXPECT_GE(left, stated - 1e-9);
  EXPECT_LE(left, 1.04 * stated + 1e-9);
}

TEST(Noise, LeavesTheStatedVarianceToEachObserver) {
  for (const int parties : {2, 3, 5}) {
    for (const Stated& row : stated(parties)) {
      const Noise noise{kSigma, row.from};
      const Stated parts = of_parts(noise, parties);
      expect_a_little_above(parts.outsiders, row.outsiders);
      expect_a_little_above(parts.dealer, row.dealer);
      expect_a_little_above(parts.parties, row.parties);
      const NoiseSeen seen = noise_seen(parties, noise);
      EXPECT_NEAR(left(seen.z, {}), parts.outsiders, kWithin * parts.outsiders);
      // Also the negative control: the dealer that dealt all the noise knows all the noise.
      EXPECT_NEAR(left(seen.z, {seen.dealt}), parts.dealer, kWithin * parts.dealer + 1e-9);
      for (std::size_t honest = 0; honest < seen.own.size(); ++honest) {
        EXPECT_NEAR(left(seen.z, known_to_all_but(seen, honest)), parts.parties, kWithin * parts.parties)
            << "honest " << honest;
      }
      // No variance is left to an observer who knows all parts.
      std::vector<Samples> all = seen.own;
      all.push_back(seen.dealt);
      EXPECT_LT(left(seen.z, all), 1e-9);
    }
  }
}

TEST(Noise, LeavesTheStatedVarianceToFewerPartiesThanAllButOne) {
  constexpr int kAll = 5, kTogether = 2;
  for (const NoiseFrom from : {NoiseFrom::kParties, NoiseFrom::kBoth}) {
    const Noise noise{kSigma, from, kTogether};
    const NoiseSeen seen = noise_seen(kAll, noise);
    std::vector<Samples> known(seen.own.begin(), seen.own.begin() + kTogether);
    known.insert(known.end(), seen.dealt_words.begin(), seen.dealt_words.begin() + kTogether);
    const double parts = of_parts(noise, kAll).parties;
    expect_a_little_above(parts, 1);
    EXPECT_NEAR(left(seen.z, known), parts, kWithin * parts);
  }
}

// Two sessions of one job, with the same keys of all links, the same nonce and so the same masks, differ in their noise:
// neither the job nor any seed that two ranks share determines it.
struct Repeated {
  std::vector<std::uint64_t> delta, z;
};

Repeated with_shared_randomness_fixed(const Noise& noise) {
  constexpr int kPair = 2;
  std::mutex mutex;
  std::barrier<> together(kPair + 1);
  Repeated seen;
  net::run_ranks(with_fixed_randomness(net::mesh_kind("Memory").make(kPair, 1)), [&](net::Mesh& mesh) {
    run_rank(mesh, [&](Session& session, net::Mesh&) {
      together.arrive_and_wait();  // all seeds of links and sessions are made
      if (mesh.rank() == 0) randombytes_set_implementation(&randombytes_sysrandom_implementation);
      together.arrive_and_wait();
      const Share x = secret(session);
      const Masked masked = mask(session, x);
      const Share noisy = add_noise(session, x, noise);
      if (!mesh.world().is_party()) return;
      const std::lock_guard lock(mutex);
      const auto opened = Inside::owner_of_public(masked)->words();
      seen.delta.assign(opened.begin(), opened.end());
      const auto before = Inside::words(x).words(), after = Inside::words(noisy).words();
      std::vector<std::uint64_t> difference;
      for (std::size_t i = 0; i < before.size(); ++i) difference.push_back(after[i] - before[i]);
      add_words(difference, seen.z);
    });
  });
  return seen;
}

TEST(Noise, IsOfNoSeedThatTwoRanksShare) {
  for (const NoiseFrom from : {NoiseFrom::kDealt, NoiseFrom::kParties, NoiseFrom::kBoth}) {
    const Noise noise{kSigma, from};
    const Repeated first = with_shared_randomness_fixed(noise), second = with_shared_randomness_fixed(noise);
    ASSERT_EQ(first.delta, second.delta) << "the sessions do not share their masks";
    const Samples z = as_samples(first.z, 1), other = as_samples(second.z, 1);
    const double alone = left(z, {});
    EXPECT_GT(alone, 0.9);
    EXPECT_GT(left(z, {other}), 0.99 * alone);
  }
}

TEST(Noise, PartsSufficeForEachObserverAndAreNoLargerThanNeeded) {
  constexpr std::int64_t kWide = std::int64_t{3} << 44;
  for (int parties = 1; parties <= 8; ++parties) {
    for (int together = 0; together < parties; ++together) {
      const double t = together, n = parties;
      const auto of = [&](NoiseFrom from) {
        const NoiseParts::Left sigma = noise_parts({kWide, from, together}, parties).left(parties, together);
        const double unit = static_cast<double>(kWide);
        return std::array{sigma.outsiders / unit, sigma.dealer / unit, sigma.colluding / unit};
      };
      const auto are = [](double a, double b, double c) {
        const auto near = [](double x) { return testing::DoubleNear(x, 1e-12); };
        return testing::ElementsAre(near(a), near(b), near(c));
      };
      EXPECT_THAT(of(NoiseFrom::kDealt), are(1, 0, 1));
      EXPECT_THAT(of(NoiseFrom::kParties), are(std::sqrt(n / (n - t)), std::sqrt(n / (n - t)), 1));
      EXPECT_THAT(of(NoiseFrom::kBoth), are(std::sqrt(1 + t / n), 1, 1));
      for (const std::int64_t sigma : {std::int64_t{1}, std::int64_t{2}, std::int64_t{5}, kWide - 1}) {
        const auto parts = [&](NoiseFrom from) { return noise_parts({sigma, from, together}, parties); };
        const auto least = static_cast<double>(sigma) * (1 - 1e-15);
        EXPECT_GE(parts(NoiseFrom::kBoth).left(parties, together).dealer, least);
        EXPECT_GE(parts(NoiseFrom::kBoth).left(parties, together).colluding, least);
        EXPECT_GE(parts(NoiseFrom::kParties).left(parties, together).colluding, least);
      }
    }
  }
}

TEST(Noise, RefusesThatAllPartiesPoolWhatTheyKnow) {
  EXPECT_EQ(noise_parts({5, NoiseFrom::kParties, 1}, 2).each, 5);
  try {
    noise_parts({5, NoiseFrom::kParties, 2}, 2);
    FAIL() << "noise against all parties";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at least one party must stay out"));
  }
}

// Of unusual shapes, in rings of several widths; by parties and in the clear session of revealed_in_the_clear().
constexpr int kClearParties = 8;

TEST(Noise, IsAddedToEveryElementForNothingButWhatIsDealt) {
  for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{129, 3}, Shape{1, 2000}}) {
    const Matrix values = Matrix::Constant(shape.rows, shape.cols, -2);
    for (const NoiseFrom from : {NoiseFrom::kDealt, NoiseFrom::kParties, NoiseFrom::kBoth}) {
      for (const int ring : {20, 64}) {
        const Noise noise{100, from};
        const auto program = [&](Session& s) {
          const Share x = input(s, 0, shape, {ring, 0}, &values, "values");
          const Cost before = s.stated();
          const Share noisy = add_noise(s, x, noise);
          const Cost cost = s.stated() - before;
          const bool dealt = noise_parts(noise, s.parties()).dealt > 0;
          EXPECT_EQ(cost.rounds, 0);
          EXPECT_EQ(cost.bytes, 0);
          EXPECT_EQ(cost.dealt_messages, dealt && s.stated() != Cost() ? 1 : 0);
          return noisy;
        };
        for (const int parties : {0, 1, 2, 3, 5, 8}) {
          const Matrix z =
              (parties == 0 ? revealed_in_the_clear(program) : revealed_by_parties(parties, program)) - values;
          ASSERT_EQ(shape_of(z), shape);
          if (z.size() < 2000) continue;
          const int n = parties == 0 ? kClearParties : parties;
          const double sigma = noise_parts(noise, n).left(n, n - 1).outsiders;
          const auto count = static_cast<double>(z.size());
          EXPECT_NEAR(z.squaredNorm() / count / (sigma * sigma), 1, 7 * std::sqrt(2 / count));
        }
      }
    }
  }
}

TEST(Noise, OfOneSeedIsEqualInTheClearAndOfAnotherIsNot) {
  const auto program = [&](Session& s) { return add_noise(s, secret(s), {kSigma}); };
  const Matrix first = revealed_in_the_clear(program, 1);
  EXPECT_EQ(first, revealed_in_the_clear(program, 1));
  EXPECT_NE(first, revealed_in_the_clear(program, 2));
}

}  // namespace
}  // namespace tacit::mpc
