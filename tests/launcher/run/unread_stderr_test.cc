// A rank's stderr has no reader (Ctrl-S, an ssh that hangs, a full pipe). The rank delays no other rank and can be
// ended.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <thread>

#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Rank 1 writes to a full pipe that nobody reads.
net::Process start_unread(const Ranks& ranks, const Words& more) {
  net::Command command = ranks.command("train", 1, more);
  const Words within{"bash", "-c",
                     "mkfifo \"$0\" && exec 3<>\"$0\" && { dd if=/dev/zero of=\"$0\" oflag=nonblock bs=4096 2> "
                     "/dev/null; exec \"$@\" 2> \"$0\"; }",
                     ranks.path("unread")};
  command.arguments.insert(command.arguments.begin(), within.begin(), within.end());
  return net::Process(command);
}

std::vector<net::Process> start_all(const Ranks& ranks, const Words& more) {
  std::vector<net::Process> all;
  all.push_back(ranks.start("train", 0, more));
  all.push_back(start_unread(ranks, more));
  all.push_back(ranks.start("train", 2, more));
  return all;
}

TEST(UnreadStderr, HoldsNobodyUp) {
  const Ranks ranks;
  std::vector<net::Process> all = start_all(ranks, sets({"training.epochs=60"}));
  expect_success(ends_of(all));
  EXPECT_EQ(ranks.summary(1)["result"], "finished");
}

TEST(UnreadStderr, LeavesARankThatOneSignalEndsAndTwoEndAtOnce) {
  for (const int signals : {1, 2}) {
    const Ranks ranks;
    std::vector<net::Process> all = start_all(ranks, sets({"training.epochs=1000000"}));
    ASSERT_TRUE(ranks.comes(1, "checkpoint"));
    const auto begun = net::Clock::now();
    all[1].signal(SIGTERM);
    std::this_thread::sleep_for(50ms);
    if (signals == 2) all[1].signal(SIGTERM);
    const net::Ended ended = all[1].wait(kSoon);
    EXPECT_EQ(ended.exit_code, 128 + SIGTERM) << ended;
    EXPECT_LT(net::Clock::now() - begun, 15s);  // two seconds on a quiet machine
    EXPECT_EQ(ranks.summary(1)["result"], "interrupted");
    for (const std::size_t other : {0u, 2u}) EXPECT_EQ(all[other].wait(kSoon).exit_code, 3);
  }
}

TEST(ClosedOutput, IsNoFailureOfATrainingThatFinished) {
  const Ranks ranks;
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    net::Command command = ranks.command("train", rank, sets({"training.epochs=5"}));
    const char* how = rank == 0 ? "exec \"$@\" >/dev/full" : rank == 1 ? "exec \"$@\" >&- 2>&- <&-" : "exec \"$@\"";
    const Words within{"bash", "-c", how, "bash"};
    command.arguments.insert(command.arguments.begin(), within.begin(), within.end());
    all.emplace_back(command);
  }
  const std::vector<net::Ended> ends = ends_of(all);
  expect_success(ends);
  EXPECT_THAT(ends[0].err, HasSubstr("the answer could not be written to stdout"));
  for (const int rank : {0, 1}) EXPECT_EQ(ranks.summary(rank)["result"], "finished");
}

}  // namespace
}  // namespace tacit::launcher
