#include "tests/net/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

namespace tacit::net {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script) { return {{"/bin/sh", "-c", script}, {}, -1}; }

// Gone, or dead and waiting to be reaped by init (some inits reap only every few seconds).
bool is_gone(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end == std::string::npos || text[name_end + 2] == 'Z';
}

bool goes_soon(pid_t pid) {
  for (int tries = 0; tries < 1000 && !is_gone(pid); ++tries) std::this_thread::sleep_for(5ms);
  return is_gone(pid);
}

TEST(Process, TellsExitCodeAndBothOutputs) {
  const Ended ended = Process(shell("echo to out; echo to err >&2; exit 4")).wait(10s);
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_EQ(ended.signal, 0);
  EXPECT_FALSE(ended.overdue);
  EXPECT_EQ(ended.out, "to out\n");
  EXPECT_EQ(ended.err, "to err\n");
}

TEST(Process, HandsOverItsEnvironmentOnTopOfOurs) {
  Command command = shell("echo \"$RANK $HOME\"");
  command.environment = {{"RANK", "7"}, {"HOME", "elsewhere"}};
  EXPECT_EQ(Process(command).wait(10s).out, "7 elsewhere\n");
}

TEST(Process, NeverBlocksOnOutputThatNobodyReads) {
  const Ended ended = Process(shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2")).wait(10s);
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.out.size(), 3000000U);
  EXPECT_EQ(ended.err.size(), 3000000U);
}

TEST(Process, IsKilledAtItsDeadline) {
  const Ended ended = Process(shell("exec sleep 100")).wait(50ms);
  EXPECT_TRUE(ended.overdue);
  EXPECT_EQ(ended.signal, SIGKILL);
}

TEST(Process, StoppedOneIsKilledTooAndTellsWhichSignalEndedIt) {
  Process process(shell("exec sleep 100"));
  process.signal(SIGSTOP);
  process.signal(SIGKILL);
  EXPECT_EQ(process.wait(10s).signal, SIGKILL);
}

TEST(Process, ShowsWhatItPrintsWhileItRunsAndNoticesAnEndWithoutIt) {
  Process process(shell("echo ready; exec sleep 100"));
  EXPECT_TRUE(process.prints("ready", 10s));
  process.signal(SIGTERM);
  EXPECT_FALSE(process.prints("never", 10s));
  EXPECT_EQ(process.wait(10s).signal, SIGTERM);
}

TEST(Process, TakesItsChildrenAlongAtScopeExit) {
  pid_t grandchild = -1;
  {
    Process process(shell("sleep 100 & echo $!; wait"));
    ASSERT_TRUE(process.prints("\n", 10s));
    grandchild = std::stoi(process.out());
    EXPECT_FALSE(is_gone(grandchild));
  }
  EXPECT_TRUE(goes_soon(grandchild));
}

TEST(Process, DiesWithATestThatIsKilled) {
  // The "test" is a fork of ours that starts a process and is then killed without a chance to clean
  // up.
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t test = fork();
  if (test == 0) {
    Process process(shell("exec sleep 100"));
    const pid_t started = process.pid();
    if (write(pipe_ends[1], &started, sizeof started) != sizeof started) _exit(1);
    pause();
  }
  pid_t started = -1;
  ASSERT_EQ(read(pipe_ends[0], &started, sizeof started), static_cast<ssize_t>(sizeof started));
  kill(test, SIGKILL);
  waitpid(test, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  EXPECT_TRUE(goes_soon(started));
}

TEST(Process, AProgramThatIsNotThereIsAnErrorWithItsName) {
  const Ended ended = Process({{"/nowhere/tacit"}, {}, -1}).wait(10s);
  EXPECT_EQ(ended.exit_code, 127);
  EXPECT_NE(ended.err.find("/nowhere/tacit: No such file"), std::string::npos) << ended;
  EXPECT_THROW(run_to_success({{"/bin/sh", "-c", "exit 1"}, {}, -1}), std::runtime_error);
}

}  // namespace
}  // namespace tacit::net
