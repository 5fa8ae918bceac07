// The memory of a running rank that other processes can see, and the traces that a crash would
// leave.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

std::string content_of(const std::string& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::string core_limit(pid_t pid) {
  std::istringstream limits(content_of(fmt::format("/proc/{}/limits", pid)));
  for (std::string line; std::getline(limits, line);) {
    if (line.starts_with("Max core file size")) return line;
  }
  return "";
}

// /proc/PID/mem belongs to the process's user, and to root once the process is not dumpable.
uid_t owner_of_memory(pid_t pid) {
  struct stat about {};
  EXPECT_EQ(::stat(fmt::format("/proc/{}/mem", pid).c_str(), &about), 0);
  return about.st_uid;
}

// If the tests run as root, the ranks run as another user: for root's own processes /proc looks the
// same in both cases.
class ProtectedMemory : public testing::Test {
 protected:
  static constexpr uid_t kNobody = 65534;

  net::Process start(std::vector<std::string> words) const {
    if (::geteuid() == 0)
      words.insert(words.begin(), {"setpriv", "--reuid", std::to_string(kNobody), "--clear-groups"});
    return net::Process({words, {}, -1});
  }
  uid_t user() const { return ::geteuid() == 0 ? kNobody : ::geteuid(); }

  Ranks ranks_;
};

TEST_F(ProtectedMemory, OfARankIsInNoCoreFileAndClosedToOtherProcesses) {
  if (start({"test", "-x", TACIT}).wait(kSoon).exit_code != 0) {
    GTEST_SKIP() << "user " << user() << " may not run " << TACIT;
  }
  if (::geteuid() == 0) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ranks_.path(""))) {
      ASSERT_EQ(::chown(entry.path().c_str(), kNobody, kNobody), 0);
    }
    ASSERT_EQ(::chown(ranks_.path("").c_str(), kNobody, kNobody), 0);
  }
  for (const char* verb : {"train", "predict"}) {
    net::Process rank = start(ranks_.command(verb, 0, {"--set", "reveal.predictions=0"}).arguments);
    ASSERT_TRUE(rank.prints("rank 0", kSoon)) << rank.wait(std::chrono::seconds(1));
    EXPECT_THAT(core_limit(rank.pid()), HasSubstr("Max core file size        0                    0 ")) << verb;
    EXPECT_EQ(owner_of_memory(rank.pid()), 0U) << verb;
    rank.signal(SIGKILL);
  }
  net::Process other = start({"sleep", "60"});
  for (int tries = 0; tries < 200 && content_of(fmt::format("/proc/{}/comm", other.pid())) != "sleep\n"; ++tries) {
    ::usleep(10'000);
  }
  EXPECT_EQ(owner_of_memory(other.pid()), user()) << "an ordinary process belongs to its user";
}

}  // namespace
}  // namespace tacit::launcher
