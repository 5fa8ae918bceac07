// Negative control: the checks of the security tests detect spoilt randomness, in every variant
// that keeps message lengths right. This shows that the checks can fail.
#include <gtest/gtest.h>

#include "tests/mpc/security/broken_correlations.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/mpc/security/composed_run.h"
#include "tests/mpc/security/uniformity.h"

namespace tacit::mpc {
namespace {

constexpr int kParties = 2;

void run_spoilt(Views& views, const CorrelationSource& source) {
  run_viewed(views, every_protocol(all_zero()), source);
}

// The dependence in the second party's view, with the first party honest.
Dependence dependence_where(const CorrelationSource& source, Seen seen) {
  Views views(kParties);
  run_viewed(
      views, [](Session& session, net::Mesh&) { run_composed(session, 3, -2.5); }, source);
  return dependence_of(columns_of(views, {1}, 0, seen));
}

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(BrokenRandomness, NoMasksLeaveOpeningsUneven) {
  Views views(kParties);
  run_spoilt(views, spoilt(Fault::kNoMasks));
  const Names uneven = uneven_openings(views.record, kParties);
  for (const char* step : {"mask", "mask in a wide ring", "show", "compare", "show the rivals", "compare the pairs"}) {
    EXPECT_TRUE(has(uneven, step)) << step;
  }
}

TEST(BrokenRandomness, MasksThatAreOneBitShortLeaveOpeningsUneven) {
  Views views(kParties);
  run_spoilt(views, spoilt(Fault::kShortMasks));
  const Names uneven = uneven_openings(views.record, kParties);
  for (const char* step : {"mask", "mask in a wide ring"}) EXPECT_TRUE(has(uneven, step)) << step;
}

TEST(BrokenRandomness, MasksThatAreOneBitShortAtOnePartyLeaveItsDrawsUneven) {
  Views views(kParties);
  run_spoilt(views, spoilt(Fault::kShortMasks, 1));
  EXPECT_FALSE(has(uneven_openings(views.record, kParties), "mask")) << "the other party's masks hide it";
  EXPECT_TRUE(has(uneven_draws(views), "mask, drawn at 1"));
}

TEST(BrokenRandomness, SharesThatAreOneBitShortLeaveDrawsUneven) {
  Views views(kParties);
  run_spoilt(views, spoilt(Fault::kShortShares));
  const Names uneven = uneven_draws(views);
  for (const char* name : {"product, drawn at 0", "look up, drawn at 1", "winner, drawn at 0"}) {
    EXPECT_TRUE(has(uneven, name)) << name;
  }
}

TEST(BrokenRandomness, MasksThatAreTheSameInEverySessionLeaveOpeningsEqual) {
  Views first(kParties), second(kParties);
  for (Views* views : {&first, &second}) run_spoilt(*views, spoilt(Fault::kKnownMasks));
  const Names equal = equal_openings(first.record, second.record, kParties);
  for (const char* step : {"mask", "mask in a wide ring"}) EXPECT_TRUE(has(equal, step)) << step;
  EXPECT_TRUE(uneven_openings(first.record, kParties).empty()) << "each session by itself looks well";
}

TEST(BrokenRandomness, ARecordHasAllItsMessagesInCommonWithItself) {
  Views views(kParties);
  run_spoilt(views, from_the_dealer);
  EXPECT_GT(messages_in_common(views.record, views.record).size(), 50U);
  EXPECT_EQ(equal_openings(views.record, views.record, kParties).size(), std::size(kOpenings));
}

// A single party receives all dealt values in the clear: there is no other party to hide them from.
TEST(BrokenRandomness, WhatIsDealtToOnePartyAloneIsUneven) {
  net::Record record;
  run_recorded(1, record, every_protocol(all_zero()));
  const Names uneven = uneven_dealings(record, 1);
  for (const char* step : {"compare", "lift", "select and lift", "look up", "winner", "noise"}) {
    EXPECT_TRUE(has(uneven, step)) << step;
  }
}

TEST(BrokenRandomness, TheSumOfARevealIsUneven) {
  net::Record record;
  run_recorded(kParties, record, every_protocol(all_zero()));
  for (const Revealing& revealing : kRevealings) {
    if (!revealing.to_all) continue;
    const auto sum = opened(record, revealing.step, kParties, kSecretFormat.ring_bits, net::Sum::kAdd);
    EXPECT_GT(unevenness_of_words(sum, kSecretFormat.ring_bits), kTooUneven);
  }
}

TEST(BrokenRandomness, NoMasksAtTheHonestPartyLeaveTheOthersViewDependent) {
  for (const Seen seen : {Seen::kSent, Seen::kOpened}) {
    EXPECT_GT(dependence_where(spoilt(Fault::kNoMasks, 0), seen).sums, 0U);
  }
}

TEST(BrokenRandomness, OneMaskForTwoValuesOfTheHonestPartyLeavesTheOthersViewDependent) {
  for (const Seen seen : {Seen::kSent, Seen::kOpened}) {
    EXPECT_GT(dependence_where(spoilt(Fault::kOneMask, 0), seen).sums, 0U);
  }
}

TEST(BrokenRandomness, SharesThatAreOneBitShortLeaveAViewDependent) {
  const Dependence found = dependence_where(spoilt(Fault::kShortShares, 1), Seen::kSent);
  EXPECT_GT(found.sums, 0U);
  EXPECT_GT(found.bit, kTooBiased);
}

TEST(BrokenRandomness, TheViewOfAllPartiesTogetherIsDependent) {
  Views views(kParties);
  run_viewed(views, [](Session& session, net::Mesh&) { run_composed(session, 3, -2.5); });
  EXPECT_GT(dependence_of(columns_of(views, {0, 1}, 1, Seen::kSent)).sums, 0U);
}

}  // namespace
}  // namespace tacit::mpc
