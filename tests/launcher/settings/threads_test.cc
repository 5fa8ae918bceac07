#include "launcher/settings/threads.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Cores : public testing::Test {
 protected:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  int found() const { return usable_cores(folder_.path()); }

  TemporaryFolder folder_;
  const int all_ = usable_cores(folder_.path());  // no limit is written yet
};

TEST_F(Cores, AreTheAffinityIfNoGroupLimitsThem) {
  EXPECT_GE(all_, 1);
  write("proc/self/cgroup", "0::/slice/job\n");
  write("sys/fs/cgroup/slice/job/cpu.max", "max 100000\n");
  EXPECT_EQ(found(), all_);
  write("sys/fs/cgroup/slice/cpu.max", "much 0\n");
  EXPECT_EQ(found(), all_);
  write("sys/fs/cgroup/slice/cpu.max", "99900000000 100000\n");
  EXPECT_EQ(found(), all_);
}

TEST_F(Cores, AreAtMostTheQuotaOfAnyGroupAroundTheProcess) {
  write("proc/self/cgroup", "0::/slice/job\n");
  write("sys/fs/cgroup/slice/job/cpu.max", "99900000000 100000\n");
  write("sys/fs/cgroup/slice/cpu.max", "190000 100000\n");
  EXPECT_EQ(found(), 1) << "whole cores";
  write("sys/fs/cgroup/slice/cpu.max", "50000 100000\n");
  EXPECT_EQ(found(), 1) << "one at least";
}

TEST_F(Cores, AreLimitedInTheFirstVersionToo) {
  write("proc/self/cgroup", "3:cpu,cpuacct:/docker/1f\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(found(), all_);
  write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(found(), 1);
}

Sourced<int> threads(int flag, const std::map<std::string, std::string>& environment, int ranks) {
  return find_threads(
      flag,
      [&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
      },
      ranks);
}

TEST(Threads, AreTheFlagsThenTheEnvironmentsThenTheCores) {
  EXPECT_EQ(threads(3, {{"TACIT_THREADS", "5"}}, 1).value, 3);
  EXPECT_EQ(threads(3, {}, 1).source.text(), "--threads");
  EXPECT_EQ(threads(0, {{"TACIT_THREADS", "5"}}, 4).value, 5);
  EXPECT_EQ(threads(0, {{"TACIT_THREADS", "5"}}, 4).source.text(), "TACIT_THREADS in the environment");
  EXPECT_EQ(threads(0, {{"TACIT_THREADS", ""}, {"OMP_NUM_THREADS", "777"}}, 1).value, usable_cores());
  EXPECT_THAT(threads(0, {}, 1).source.text(), HasSubstr("1 rank on this machine"));
}

TEST(Threads, AreDividedAmongTheRanksOfAMachine) {
  EXPECT_EQ(threads(0, {}, 2).value, std::max(1, usable_cores() / 2));
  EXPECT_EQ(threads(0, {}, 1'000'000).value, 1);
}

TEST(Threads, OfAVariableThatIsNoNumberAreRefused) {
  for (const char* text : {"0", "-1", "two", "1025", "1e2"}) {
    EXPECT_THAT(
        [&] {
          threads(0, {{"TACIT_THREADS", text}}, 1);
        },
        ThrowsMessage<ConfigError>(AllOf(HasSubstr("TACIT_THREADS"), HasSubstr(text), HasSubstr("1 ... 1024"))))
        << text;
  }
}

}  // namespace
}  // namespace tacit::launcher
