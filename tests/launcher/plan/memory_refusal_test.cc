// A job that needs more memory than the machine has is refused before any data are shared, by every
// verb that checks.
#include <chrono>

#include "tests/launcher/commands/plan_of.h"
#include "tests/net/process.h"
#include "tests/sanitized.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// About 0.97 GB at a party, under a limit of 0.7 GB of address space.
class ScarceMemory : public PlanOf {
 protected:
  void SetUp() override {
    if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "no limit on address space can be set";
  }

  static constexpr const char* kWide = "model.gcn={hidden=100000,outputs=1}";

  net::Ended under_limit(std::vector<std::string> words) const {
    std::vector<std::string> all = {"bash", "-c", "ulimit -v 700000; exec \"$@\"", "bash", TACIT};
    all.insert(all.end(), words.begin(), words.end());
    return net::Process({all, {}, -1}).wait(std::chrono::seconds(60));
  }
};

TEST_F(ScarceMemory, EndsTheLaunchWithNeedLimitAndRemedy) {
  make_data({"sensors", "--stations", "60"});
  const auto ended = under_limit({"launch", job_, "--output", path("run"), "--set", kWide});
  EXPECT_EQ(ended.exit_code, 2) << ended.err;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("this rank needs about"), HasSubstr("ulimit -v leaves"),
                               HasSubstr("training.batch"), HasSubstr("--memory-unchecked goes on regardless")));
}

TEST_F(ScarceMemory, IsAFailedLineOfTheDoctors) {
  make_data({"sensors", "--stations", "60"});
  const auto ended =
      under_limit({"doctor", job_, "--alone", "--rank", "0", "--master", "127.0.0.1:4711", "--set", kWide});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.out, HasSubstr("this rank needs about"));
}

TEST_F(ScarceMemory, IsSaidByThePlan) {
  const auto ended =
      under_limit({"plan", job_, "--nodes", "200000", "--features", "100", "--train", "1000", "--test", "100"});
  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("too little for a party"));
}

}  // namespace
}  // namespace tacit::launcher
