#include "launcher/processes/watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "launcher/processes/scratch_folder.h"
#include "tests/launcher/processes/alive.h"
#include "tests/sanitized.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

Command shell(const std::string& script) { return {.arguments = {"sh", "-c", script}}; }

// Reads the line with which a script reports that it is ready: the process number of the script, and perhaps further
// ones, one in a line.
pid_t pid_in(const std::string& line) { return static_cast<pid_t>(std::stol(line)); }

class WatchTest : public testing::Test {
 protected:
  Watch::Outcome run(const std::vector<std::string>& scripts) {
    Watch watch(signals_, console_, [this](int child, std::string_view line) {
      lines_.resize(std::max(lines_.size(), static_cast<std::size_t>(child) + 1));
      lines_[static_cast<std::size_t>(child)].emplace_back(line);
    });
    for (const std::string& script : scripts) watch.start(shell(script));
    const auto begin = Clock::now();
    Watch::Outcome outcome = watch.run();
    took_ = Clock::now() - begin;
    return outcome;
  }

  std::vector<pid_t> pids() const {
    std::vector<pid_t> all;
    for (const auto& lines : lines_) {
      for (const std::string& line : lines) all.push_back(pid_in(line));
    }
    return all;
  }

  EndSignals signals_;
  Console console_{STDERR_FILENO};
  std::vector<std::vector<std::string>> lines_;  // by child
  Clock::duration took_{};
};

TEST_F(WatchTest, TellsTheLinesOfEachChildInOrderAndItsEnd) {
  const Watch::Outcome outcome = run({"echo a; echo b; printf c", "echo error >&2", "cat; echo \"$0\""});
  EXPECT_TRUE(outcome.well());
  ASSERT_EQ(outcome.ends.size(), 3u);
  EXPECT_EQ(lines_[0], (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(lines_[1], std::vector<std::string>{"error"});
  EXPECT_EQ(lines_[2], std::vector<std::string>{"sh"}) << "its input is empty";
}

TEST_F(WatchTest, EndsTheOthersWhenOneFails) {
  const Watch::Outcome outcome = run({"echo $$; exec sleep 60", "sleep 0.1; exit 3", "echo $$; exec sleep 60"});
  EXPECT_EQ(outcome.failed, std::vector<int>{1});
  EXPECT_EQ(outcome.ends[1].exit_code, 3);
  EXPECT_EQ(outcome.ends[0].signal, SIGTERM);
  EXPECT_GE(took_, kTimeToFollow);
  EXPECT_LT(took_, kTimeToFollow + 10s);
  EXPECT_TRUE(all_gone(pids(), 0ms));
}

// Child 1 observes that child 0 has ended when the watch notices it.
TEST_F(WatchTest, LetsTheOthersEndByThemselvesWhenOneFails) {
  const TemporaryFolder folder;
  const std::string pid = (folder.path() / "pid").string();
  const Watch::Outcome outcome = run({"echo $$ >" + pid + "; exit 3", "while [ ! -s " + pid +
                                                                          " ]; do sleep 0.01; done; "
                                                                          "while kill -0 $(cat " +
                                                                          pid + ") 2>&-; do sleep 0.01; done; exit 2"});
  EXPECT_EQ(outcome.failed, (std::vector<int>{0, 1}));
  EXPECT_EQ(outcome.ends[1].exit_code, 2);
  EXPECT_LT(took_, kTimeToFollow);
}

TEST_F(WatchTest, OfAChildThatDiesAtOnceStillPassesOnItsLines) {
  const Watch::Outcome outcome = run({"echo why >&2; exit 2"});
  EXPECT_EQ(outcome.ends[0].exit_code, 2);
  EXPECT_EQ(lines_[0], std::vector<std::string>{"why"});
}

TEST_F(WatchTest, OfAProgramThatIsNotThereSaysSo) {
  std::string said;
  Watch watch(signals_, console_, [&](int, std::string_view line) { said = line; });
  watch.start({.arguments = {"/nowhere/program"}});
  EXPECT_EQ(watch.run().ends[0].exit_code, 127);
  EXPECT_EQ(said, "/nowhere/program cannot be started: No such file or directory");
}

TEST_F(WatchTest, KillsAChildThatIgnoresSigtermAfterTwoSeconds) {
  const Watch::Outcome outcome =
      run({"trap '' TERM; echo $$; while :; do sleep 0.05; done", "sleep 0.2; kill -KILL $$"});
  EXPECT_EQ(outcome.failed, std::vector<int>{1});
  EXPECT_EQ(outcome.ends[1].signal, SIGKILL);
  EXPECT_EQ(outcome.ends[0].signal, SIGKILL);
  EXPECT_GE(took_, kTimeToFollow + kGrace);
  EXPECT_LT(took_, kTimeToFollow + kGrace + 10s);
  EXPECT_TRUE(all_gone(pids(), 0ms));
}

// The child is like ssh: it ends by itself after its input.
TEST_F(WatchTest, EndsAnOpenInputBeforeAnySignal) {
  std::vector<std::string> said;
  Watch watch(signals_, console_, [&](int, std::string_view line) { said.emplace_back(line); });
  Command reader = shell("trap 'exit 9' TERM; cat; sleep 0.3; echo done");
  reader.open_input = true;
  watch.start(reader);
  watch.start(shell("sleep 0.1; exit 3"));
  const Watch::Outcome outcome = watch.run();
  EXPECT_EQ(outcome.failed, std::vector<int>{1});
  EXPECT_EQ(outcome.ends[0].exit_code, 0);
  EXPECT_EQ(said, std::vector<std::string>{"done"});
}

TEST_F(WatchTest, KillsAChildThatOutlivesItsInputAfterALongerGrace) {
  Watch watch(signals_, console_, [](int, std::string_view) {});
  watch.set_grace(500ms);
  Command deaf = shell("exec sleep 60");
  deaf.open_input = true;
  watch.start(deaf);
  watch.start(shell("exit 3"));
  const auto begin = Clock::now();
  EXPECT_EQ(watch.run().ends[0].signal, SIGKILL);
  EXPECT_GE(Clock::now() - begin, kTimeToFollow + 500ms + kGraceForInput);
}

TEST_F(WatchTest, EndsGrandchildrenWithTheirParentAndDoesNotWaitForTheirPipes) {
  const Watch::Outcome outcome = run({"sleep 60 & echo $!; echo $$", "(trap '' TERM; sleep 60) & echo $!; sleep 0.1"});
  EXPECT_TRUE(outcome.well());
  EXPECT_LT(took_, 20s);
  EXPECT_EQ(pids().size(), 3u);
  EXPECT_TRUE(all_gone(pids(), 1s));
}

TEST_F(WatchTest, ForwardsTenMegabytesWholeAndWithLittleMemory) {
  struct rusage before {
  }, after{};
  ::getrusage(RUSAGE_SELF, &before);
  std::int64_t lines = 0, bytes = 0;
  Watch watch(signals_, console_, [&](int, std::string_view line) {
    ++lines;
    bytes += static_cast<std::int64_t>(line.size()) + 1;
  });
  watch.start(shell("yes 0123456789abcdefghijklmnopqrstu | head -c 5000000"));
  watch.start(shell("head -c 5000000 /dev/zero"));
  EXPECT_TRUE(watch.run().well());
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_GE(lines, 5'000'000 / 32);
  EXPECT_NEAR(static_cast<double>(bytes), 5e6 + kMostOfLine, 100);
#ifndef TACIT_ADDRESS_SANITIZER  // the address sanitizer keeps freed memory
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 4 << 10) << "KiB";
#endif
}

TEST_F(WatchTest, DoesNotReadFasterThanTheConsoleGoesAndStillEnds) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const net::Descriptor nobody_reads(ends[0]);
  const net::Descriptor into(ends[1]);
  Console console(into.get());
  std::size_t said = 0;
  Watch watch(signals_, console, [&](int, std::string_view line) {
    said += line.size() + 1;
    console.say(line);
  });
  watch.start(shell("exec yes 0123456789abcdefghijklmnopqrstu"));
  std::thread later([] {
    std::this_thread::sleep_for(300ms);
    ::kill(::getpid(), SIGTERM);
  });
  const Watch::Outcome outcome = watch.run();
  later.join();
  EXPECT_EQ(outcome.interrupted, SIGTERM);
  EXPECT_TRUE(outcome.failed.empty());
  EXPECT_LT(said, 3u << 20);
}

TEST_F(WatchTest, DropsLinesWithoutAReader) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  ::close(ends[0]);
  const net::Descriptor into(ends[1]);
  ::signal(SIGPIPE, SIG_IGN);  // like main()
  Console console(into.get());
  Watch watch(signals_, console, [&](int, std::string_view line) { console.say(line); });
  watch.start(shell("yes 0123456789abcdefghijklmnopqrstu | head -c 5000000"));
  EXPECT_TRUE(watch.run().well());
}

TEST_F(WatchTest, RunsSixtyFourChildren) {
  std::vector<std::string> scripts;
  for (int i = 0; i < 64; ++i) scripts.push_back("for i in 1 2 3; do echo " + std::to_string(i) + "; done");
  const Watch::Outcome outcome = run(scripts);
  EXPECT_TRUE(outcome.well());
  ASSERT_EQ(lines_.size(), 64u);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ(lines_[static_cast<std::size_t>(i)], std::vector<std::string>(3, std::to_string(i)));
  }
}

TEST_F(WatchTest, WaitsWithoutWork) {
  struct rusage before {
  }, after{};
  ::getrusage(RUSAGE_SELF, &before);
  EXPECT_TRUE(run({"sleep 1", "sleep 1; exec >&- 2>&-; sleep 0.5"}).well());
  ::getrusage(RUSAGE_SELF, &after);
  const auto worked =
      1s * (after.ru_utime.tv_sec - before.ru_utime.tv_sec) + 1us * (after.ru_utime.tv_usec - before.ru_utime.tv_usec);
  EXPECT_LT(worked, 200ms);
}

// A process with a scratch folder. Until it is killed, it watches the children and writes their lines to a file.
class Killed {
 public:
  explicit Killed(const std::vector<std::string>& scripts) : pid_(::fork()) {
    if (pid_ != 0) return;
    {
      std::ofstream out(folder_.path() / "lines");
      ::setenv("TMPDIR", folder_.path().c_str(), 1);
      const ScratchFolder scratch("scratch");
      std::ofstream(scratch.path() / "file") << "text";
      EndSignals signals;
      Console console(STDERR_FILENO);
      Watch watch(signals, console, [&](int, std::string_view line) { out << line << std::endl; });
      for (const std::string& script : scripts) watch.start(shell(script));
      watch.run();
    }
    ::_exit(0);
  }
  ~Killed() { end(SIGKILL); }

  // True if the scratch folder exists.
  bool has_scratch() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.is_directory()) return true;
    }
    return false;
  }

  std::vector<pid_t> wait_for_lines(std::size_t count) const {
    std::vector<pid_t> pids;
    for (int tries = 0; tries < 1000 && pids.size() < count; ++tries) {
      std::this_thread::sleep_for(5ms);
      pids.clear();
      std::ifstream in(folder_.path() / "lines");
      for (std::string line; std::getline(in, line);) pids.push_back(pid_in(line));
    }
    return pids;
  }

  void end(int signal) {
    if (pid_ <= 0) return;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  TemporaryFolder folder_;
  pid_t pid_;
};

TEST(Launcher, ThatIsKilledLeavesNoChildAndNoFolder) {
  Killed launcher({"echo $$; exec sleep 60", "trap '' TERM INT HUP; echo $$; while :; do sleep 0.05; done"});
  const std::vector<pid_t> pids = launcher.wait_for_lines(2);
  ASSERT_EQ(pids.size(), 2u);
  EXPECT_TRUE(runs(pids[0]) && runs(pids[1]) && launcher.has_scratch());
  launcher.end(SIGKILL);
  EXPECT_TRUE(all_gone(pids, 2s));
  for (int tries = 0; tries < 400 && launcher.has_scratch(); ++tries) std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(launcher.has_scratch());
}

TEST(Launcher, ThatIsInterruptedEndsAllWithinTwoSecondsAndALittle) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    Killed launcher({"echo $$; exec sleep 60", "trap '' TERM; echo $$; while :; do sleep 0.05; done"});
    const std::vector<pid_t> pids = launcher.wait_for_lines(2);
    ASSERT_EQ(pids.size(), 2u);
    const auto begin = Clock::now();
    launcher.end(signal);
    EXPECT_LT(Clock::now() - begin, kGrace + 10s);
    EXPECT_TRUE(all_gone(pids, 0ms));
  }
}

}  // namespace
}  // namespace tacit::launcher
