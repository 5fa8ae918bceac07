#include "bench/tables/gradient_aims.h"

#include <gmock/gmock.h>

namespace tacit::launcher {
namespace {

using testing::HasSubstr;
using testing::StrEq;

TEST(HidingAim, IsJudgedByTheMeanOfTheSeeds) {
  const Aim met = hiding_aim({70, 50.5}, 4, 8, "");
  EXPECT_THAT(met.verdict(), StrEq("met"));
  EXPECT_THAT(met.measured, HasSubstr("4 ranks on 8 cores"));
  EXPECT_THAT(hiding_aim({70, 49}, 4, 8, "").verdict(), StrEq("NOT met"));
}

TEST(HidingAim, CannotBeToldWithoutAFreeCore) {
  const Aim aim = hiding_aim({}, 4, 2, "no core is free: 4 ranks on 2 cores");
  EXPECT_THAT(aim.verdict(), StrEq("cannot be told"));
  EXPECT_EQ(aim.measured, "no core is free: 4 ranks on 2 cores");
}

TEST(DdpAims, AreJudgedOverTlsAndToldOverPlainTcpOnlyIfTlsIsFasterThanIt) {
  const auto verdicts = [](const std::vector<double>& ratios) {
    const std::vector<Aim> aims = ddp_aims(ratios, "no PyTorch here");
    EXPECT_EQ(aims.size(), 2u);
    EXPECT_THAT(aims[1].measured, HasSubstr("our ranks always use TLS"));
    return std::string(aims[0].verdict()) + ", " + aims[1].verdict();
  };
  EXPECT_EQ(verdicts({0.7, 0.9, 1.2}), "met, met");
  EXPECT_EQ(verdicts({1.05}), "met, cannot be told");
  EXPECT_EQ(verdicts({1.3, 1.2}), "NOT met, cannot be told");
  EXPECT_EQ(verdicts({}), "cannot be told, cannot be told");
  EXPECT_EQ(ddp_aims({}, "no PyTorch here")[0].measured, "no PyTorch here");
}

}  // namespace
}  // namespace tacit::launcher
