#include "mpc/levels/range_audit.h"

#include <gtest/gtest.h>

#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "tests/mpc/run_program.h"

namespace tacit::mpc {
namespace {

class Audit : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Parties, Audit, testing::Values(1, 2, 3, 5));

constexpr Format kFormat{51, 13};
constexpr double kRange = 4;
constexpr double kUnit = 1.0 / 8192;
enum Opening { kShown, kMasked, kLifted, kOpenings };
constexpr int kNone = -1;

// Opens three values in three ways; returns the index of the value that left its range of 4.
int which_left(Session& s, const std::vector<Matrix>& values, std::int64_t at_once = RangeAudit::kAtOnce) {
  std::vector<Share> x;
  for (const Matrix& one : values) x.push_back(input(s, 0, shape_of(one), kFormat, &one, "x"));
  RangeAudit audit(s, kOpenings, at_once);
  const int ring = RangeAudit::ring_of(kFormat.fraction_bits, kRange);
  const Shown shown = show(s, x[kShown]);
  const Masked masked = mask(s, x[kMasked]);
  const Share lifted = lift(s, show(s, narrow(x[kLifted], ring)), kWordBits);
  std::int64_t before = s.stated().rounds;
  audit.watch(kShown, shown, x[kShown], ring);
  audit.watch(kMasked, masked, x[kMasked], ring);
  audit.watch_lift(kLifted, lifted, x[kLifted], ring);
  EXPECT_EQ(s.stated().rounds, before);
  bool clean = true;
  for (int time = 0; time < 2; ++time) {  // a second opening finds the violation again
    before = s.stated().rounds;
    const Public opened = audit.open("range watch");
    EXPECT_LE(s.stated().rounds, before + 2);
    s.output([&](const PublicReader& read) { clean = RangeAudit::is_clean(read(opened)); });
  }
  if (clean) return kNone;
  const Public groups = audit.open_groups("range watch: which");
  int found = kNone;
  s.output([&](const PublicReader& read) {
    for (int group = 0; group < kOpenings; ++group) {
      if (!RangeAudit::left_range(read(groups), group)) continue;
      EXPECT_EQ(found, kNone);
      found = group;
    }
  });
  return found;
}

void expect_left(int parties, const std::vector<Matrix>& values, int which,
                 std::int64_t at_once = RangeAudit::kAtOnce) {
  ClearSession clear(parties);
  EXPECT_EQ(which_left(clear, values, at_once), which) << "in the clear";
  const auto program = [&](Session& s, int rank) {
    const int found = which_left(s, values, at_once);
    if (rank < parties) {
      EXPECT_EQ(found, which) << "at rank " << rank;
    }
  };
  // A violation costs an opening that no plan contains.
  run_parties(parties, program, {.planned = which == kNone});
}

std::vector<Matrix> values_within() {
  std::vector<Matrix> values{Matrix::Random(7, 9) * kRange, Matrix::Random(65, 3) * kRange,
                             Matrix::Random(1, 200) * kRange};
  for (Matrix& one : values) one(0, 0) = kRange, one(0, 1) = -kRange;
  return values;
}

TEST_P(Audit, IsCleanWhereEveryValueIsWithinItsRangeEdgesIncluded) {
  for (int time = 0; time < 5; ++time) expect_left(GetParam(), values_within(), kNone);
}

TEST_P(Audit, FindsOneValueThatIsThreeTimesTooLargeHoweverItIsOpened) {
  for (int opening = 0; opening < kOpenings; ++opening) {
    for (const double value : {3 * kRange, -3 * kRange - kUnit, 1e5, -1e9}) {
      std::vector<Matrix> values = values_within();
      values[static_cast<std::size_t>(opening)].data()[5] = value;
      expect_left(GetParam(), values, opening);
    }
  }
}

TEST_P(Audit, OfManyElementsComparesThemInBlocksOfRows) {
  expect_left(GetParam(), values_within(), kNone, 10);
  for (const Opening opening : {kShown, kMasked}) {
    for (const bool last : {false, true}) {
      std::vector<Matrix> values = values_within();
      Matrix& one = values[opening];
      one.data()[last ? one.size() - 1 : 0] = 3 * kRange;
      expect_left(GetParam(), values, opening, 10);
    }
  }
}

TEST_P(Audit, OfNothingFindsNothing) {
  expect_left(GetParam(), {Matrix::Zero(0, 3), Matrix::Zero(3, 0), Matrix::Zero(0, 0)}, kNone);
}

// Values that are opened in the first round of an audit count in the next audit: the sums are taken before.
TEST_P(Audit, KnowsWhetherSomethingWasWatchedSinceItsSumsWereTaken) {
  const Matrix large = Matrix::Constant(2, 3, 5 * kRange);
  const int ring = RangeAudit::ring_of(kFormat.fraction_bits, kRange);
  run_parties(GetParam(),
              [&](Session& s, int rank) {
                const Share x = input(s, 0, shape_of(large), kFormat, &large, "x");
                RangeAudit audit(s, 1);
                EXPECT_FALSE(audit.has_news());
                const auto is_clean = [&](const RangeAudit::Masking& with) {
                  const Public opened = audit.open("range watch", with);
                  bool clean = true;
                  s.output([&](const PublicReader& read) { clean = RangeAudit::is_clean(read(opened)); });
                  return clean;
                };
                const auto together = [&](std::span<const Share> shares) {
                  std::vector<Share> all(shares.begin(), shares.end());
                  all.push_back(x);
                  std::vector<Masked> masked = mask(s, all);
                  audit.watch(0, masked.back(), x, ring);
                  masked.pop_back();
                  return masked;
                };
                EXPECT_TRUE(is_clean(together));
                EXPECT_TRUE(audit.has_news());
                EXPECT_EQ(is_clean({}), rank == GetParam()) << "the dealer sees nothing";
                EXPECT_FALSE(audit.has_news());
              },
              {.planned = false});
}

// An element between one and three times the range is found with a probability; a lift is found
// when it went wrong.
TEST(AuditOfManyElements, FindsThemWhereEachIsALittleTooLarge) {
  std::vector<Matrix> values = values_within();
  values[kMasked] = Matrix::Constant(400, 1, 1.2 * kRange);  // 0.9^400 is the probability that none is found
  run_parties(2,
              [&](Session& s, int rank) {
                const int found = which_left(s, values);
                if (rank < 2) {
                  EXPECT_EQ(found, kMasked);
                }
              },
              {.planned = false});
}

// The coefficients of the first sum are odd.
TEST(AuditOfANarrowRing, NeverMissesASingleElement) {
  constexpr int kTimes = 400;
  const int ring = RangeAudit::ring_of(kFormat.fraction_bits, kRange);
  for (int time = 0; time < kTimes; ++time) {
    ClearSession s;
    Matrix x = Matrix::Zero(1, kTimes);
    x(0, time) = 3 * kRange;  // each element has coefficients of its own
    const Share wide = input(s, 0, shape_of(x), {ring + 2, kFormat.fraction_bits}, &x, "x");
    RangeAudit audit(s, 1);
    audit.watch_lift(0, lift(s, show(s, narrow(wide, ring)), kWordBits), wide, ring);
    const Public opened = audit.open("range watch");
    s.output([&](const PublicReader& read) { EXPECT_FALSE(RangeAudit::is_clean(read(opened))) << time; });
  }
}

// With two bits over its range, two errors of 2^j pass the first sum with probability 1/2, and the second one with 1/4.
TEST(AuditOfANarrowRing, MissesTwoElementsNoMoreThanItsBitsState) {
  constexpr int kTimes = 400;
  const int ring = RangeAudit::ring_of(kFormat.fraction_bits, kRange);
  int found = 0;
  for (int time = 0; time < kTimes; ++time) {
    ClearSession s;
    Matrix x = Matrix::Zero(1, 2 * kTimes);
    x(0, 2 * time) = x(0, 2 * time + 1) = 3 * kRange;  // each element has coefficients of its own
    const Share wide = input(s, 0, shape_of(x), {ring + 2, kFormat.fraction_bits}, &x, "x");
    RangeAudit audit(s, 1);
    audit.watch_lift(0, lift(s, show(s, narrow(wide, ring)), kWordBits), wide, ring);
    const Public opened = audit.open("range watch");
    s.output([&](const PublicReader& read) { found += RangeAudit::is_clean(read(opened)) ? 0 : 1; });
  }
  EXPECT_GE(found, kTimes * 4 / 5);  // 7/8 are expected, and the limit lies four deviations lower
}

TEST(AuditRing, HoldsTheRangeAndLittleMore) {
  EXPECT_EQ(RangeAudit::ring_of(13, 128), 13 + 7 + 2);
  EXPECT_EQ(RangeAudit::ring_of(13, 129), 13 + 8 + 2);
  EXPECT_EQ(RangeAudit::ring_of(13, 0.25), 13 - 2 + 2);
  EXPECT_EQ(RangeAudit::ring_of(13, 0), 2);
}

}  // namespace
}  // namespace tacit::mpc
