// The memory that a machine has for a job: free memory, and the limits of containers, which `free`
// does not show.
#include "launcher/plan/memory_at_hand.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "launcher/plan/memory_need.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Memory : public testing::Test {
 protected:
  Memory() { write("proc/meminfo", "MemTotal: 16000 kB\nMemFree: 100 kB\nMemAvailable:  8000 kB\n"); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  MemoryAtHand found() const { return memory_at_hand(folder_.path()); }

  TemporaryFolder folder_;
};

TEST_F(Memory, IsTheKernelsAvailableMemory) {
  EXPECT_EQ(found().bytes, 8000 * 1024);
  EXPECT_EQ(found().limit, "free memory");
}

TEST_F(Memory, IsUnknownWhereTheSystemDoesNotSay) {
  write("proc/meminfo", "MemTotal: much\n");
  EXPECT_EQ(found().bytes, -1);
  EXPECT_EQ(lack_of_memory({1 << 30, 1 << 30, 1}, found()), "");
}

// Version 2: the tightest limit counts among the process's group and its parents; cached files can
// be evicted.
TEST_F(Memory, IsLessInAContainerOfTheUnifiedHierarchy) {
  write("proc/self/cgroup", "0::/slice/job\n");
  write("sys/fs/cgroup/slice/job/memory.max", "max\n");
  write("sys/fs/cgroup/slice/job/memory.current", "5\n");
  write("sys/fs/cgroup/slice/memory.max", "1000000\n");
  write("sys/fs/cgroup/slice/memory.current", "900000\n");
  write("sys/fs/cgroup/slice/memory.stat", "anon 400000\ninactive_file 300000\n");
  EXPECT_EQ(found().bytes, 400'000);
  EXPECT_EQ(found().limit, "the container's limit");
}

// In a Docker container the group's path is the host's path, and the mount is the group itself.
TEST_F(Memory, IsLessInAContainerOfTheFirstVersion) {
  write("proc/self/cgroup", "5:cpu:/docker/1f\n4:hugetlb,memory:/docker/1f\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "500000\n");
  EXPECT_EQ(found().bytes, 1'500'000);
}

TEST_F(Memory, OfNoUsableGroupIsNoLimit) {
  write("proc/self/cgroup", "nonsense\n0::\n4:memory:/x/../../y\n");
  write("sys/fs/cgroup/memory.max", "-7\n");
  write("sys/fs/cgroup/memory.current", "lots\n");
  EXPECT_EQ(found().bytes, 8000 * 1024);
}

TEST_F(Memory, ThatLacksIsToldWithNeedAndRemedy) {
  const MemoryAtHand have{23'380'000'000, "free memory", -1};
  EXPECT_THAT(lack_of_memory({12'000'000'000, 42'000'000'000, 4}, have),
              AllOf(HasSubstr("the job's 4 ranks need about 42"), HasSubstr("free memory leaves 23.38 GB"),
                    HasSubstr("training.batch")));
  EXPECT_EQ(lack_of_memory({12'000'000'000, 23'000'000'000, 4}, have), "");
}

// The limit of `ulimit -v` holds for each process separately.
TEST_F(Memory, OfAProcessIsComparedWithOneRanksNeed) {
  const MemoryAtHand have{100'000, "free memory", 2000};
  EXPECT_EQ(lack_of_memory({1900, 7000, 4}, have), "");
  EXPECT_THAT(lack_of_memory({2100, 7000, 4}, have),
              AllOf(HasSubstr("this rank needs"), HasSubstr("ulimit -v leaves")));
}

TEST_F(Memory, OfAllRanksIsNeededWhereTheyShareAMachine) {
  const MemoryNeed need{100, 30};
  EXPECT_EQ(need.here(3, true, true).here, 330);
  EXPECT_EQ(need.here(3, true, false).rank, 30);
  EXPECT_EQ(need.here(3, false, true).here, 100);
  EXPECT_EQ(need.here(3, false, false).here, 30);
}

}  // namespace
}  // namespace tacit::launcher
