// Every opened value of a run is uniform, for all secrets.
#include <gtest/gtest.h>

#include <map>

#include "mpc/session/inside.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/mpc/security/uniformity.h"

namespace tacit::mpc {
namespace {

struct Case {
  int parties;
  const char* name;
  Secrets (*secrets)();
  net::AllReduce openings = net::AllReduce::kDirect;
};

class Openings : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { run_recorded(parties(), record_, every_protocol(GetParam().secrets()), GetParam().openings); }
  static int parties() { return GetParam().parties; }

  net::Record record_;
};
class DirectOpenings : public Openings {};

constexpr auto kTwoPhase = net::AllReduce::kTwoPhase;
const auto kDirectly = testing::Values(Case{2, "AllZeroAtTwo", all_zero}, Case{2, "AllLargestAtTwo", all_largest},
                                       Case{3, "AllZeroAtThree", all_zero}, Case{3, "AllLargestAtThree", all_largest},
                                       Case{3, "AllOppositeAtThree", all_opposite});
const auto kInTwoPhases = testing::Values(Case{3, "AllZeroAtThreeInTwoPhases", all_zero, kTwoPhase},
                                          Case{3, "AllLargestAtThreeInTwoPhases", all_largest, kTwoPhase});
const auto kName = [](const auto& tested) { return tested.param.name; };

INSTANTIATE_TEST_SUITE_P(Secrets, DirectOpenings, kDirectly, kName);
INSTANTIATE_TEST_SUITE_P(Secrets, Openings, kDirectly, kName);
INSTANTIATE_TEST_SUITE_P(SecretsInTwoPhases, Openings, kInTwoPhases, kName);

TEST_P(DirectOpenings, AreUniformAtEachProtocol) { EXPECT_EQ(uneven_openings(record_, parties()), Names{}); }

// In openings with two phases, the second phase's messages contain the opened value.
TEST_P(Openings, AreMadeOfMessagesThatAreUniformEach) {
  EXPECT_EQ(uneven_messages(record_, parties(), GetParam().openings), Names{});
}

// The sum of the shares is the revealed result. Each share alone is uniform, even if nothing random
// touched the value before.
TEST_P(Openings, OfARevealAreUniformButForTheirSum) {
  EXPECT_EQ(uneven_revealings(record_, parties(), GetParam().openings), Names{});
}

TEST_P(Openings, OfTheDealerAreUniformInEveryBit) { EXPECT_EQ(uneven_dealings(record_, parties()), Names{}); }

TEST(Draws, AreUniformAtEveryParty) {
  for (const int n : {2, 3}) {
    Views views(n);
    run_viewed(views, every_protocol(all_zero()));
    EXPECT_EQ(uneven_draws(views), Names{});
  }
}

}  // namespace
}  // namespace tacit::mpc
