// If one rank ends early, all ranks end, and each rank informs its own user.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "launcher/job/read_job.h"
#include "tests/launcher/run/ranks.h"
#include "tests/sanitized.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The time from the signal until all have ended: half a second. A busy machine takes longer, and a rank that nobody tells
// waits for much longer than this.
constexpr auto kWithin = 10s;
const Words kLong = sets({"training.epochs=1000000"});

class Interrupted : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Rank, Interrupted, testing::Range(0, Ranks::kSize), testing::PrintToStringParamName());

TEST_P(Interrupted, EndsAllWithTheNewestCheckpointAndTheCommandToGoOn) {
  const int victim = GetParam();
  const int signal = victim == 1 ? SIGTERM : victim == 2 ? SIGHUP : SIGINT;
  const Ranks ranks;
  std::vector<net::Process> all = ranks.start_all("train", kLong);
  ASSERT_TRUE(ranks.comes(0, "checkpoint") && ranks.comes(1, "checkpoint"));
  const auto begun = net::Clock::now();
  all[static_cast<std::size_t>(victim)].signal(signal);
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_LT(net::Clock::now() - begun, kWithin);
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    const net::Ended& one = ends[static_cast<std::size_t>(rank)];
    EXPECT_EQ(one.exit_code, rank == victim ? 128 + signal : 3) << one;
    const std::string what = signal == SIGTERM  ? "has received SIGTERM"
                             : signal == SIGHUP ? "has lost its terminal (SIGHUP)"
                                                : "was interrupted by its user";
    EXPECT_THAT(one.err, AllOf(HasSubstr(fmt::format("rank {} {}", victim, what)),
                               HasSubstr(rank == Ranks::kDealer ? "each party says which checkpoint it holds"
                                                                : "the newest checkpoint here is of epoch "),
                               HasSubstr("--resume --rank " + std::to_string(rank))));
    EXPECT_EQ(ranks.summary(rank)["result"], rank == victim ? "interrupted" : "failed");
    EXPECT_EQ(ranks.events(rank, "failed").size(), 1u);
  }
}

TEST(InterruptedEarly, WhileItWaitsForOthersEndsThoseWhoAreThere) {
  for (const int victim : {0, 1}) {
    const Ranks ranks;
    net::Process first = ranks.start("train", 0), second = ranks.start("train", 1);
    ASSERT_TRUE(first.prints("rank 1 (party, ", kSoon) && second.prints("waiting for rank 2 (dealer)", kSoon));
    (victim == 0 ? first : second).signal(SIGINT);
    const net::Ended one = (victim == 0 ? first : second).wait(kSoon),
                     other = (victim == 0 ? second : first).wait(kSoon);
    EXPECT_EQ(one.exit_code, 130) << one;
    EXPECT_EQ(other.exit_code, 3) << other;
    EXPECT_THAT(other.err, HasSubstr("rank " + std::to_string(victim) + " was interrupted by its user"));
  }
}

TEST(InterruptedEarly, BeforeAnybodyIsThereEndsAtOnce) {
  const Ranks ranks;
  net::Process alone = ranks.start("train", 1);
  ASSERT_TRUE(alone.prints("listens at", kSoon));
  const auto begun = net::Clock::now();
  alone.signal(SIGINT);
  EXPECT_EQ(alone.wait(kSoon).exit_code, 130);
  EXPECT_LT(net::Clock::now() - begun, kWithin);
}

TEST(ResumedAlone, LeavesTheSummaryAndTheJobOfTheFinishedRun) {
  const Ranks ranks;
  const auto epochs = [&] { return read_job(load_document(ranks.output(0) / "job.toml")).job.training.epochs; };
  const Words job = sets({"training.epochs=2"});
  expect_success(ranks.run_all("train", job));
  const Json finished = ranks.summary(0);
  ASSERT_EQ(finished["result"], "finished");
  Words again = job;
  again.emplace_back("--resume");
  Words alone = again;
  alone.insert(alone.end(), {"--deadline", "1"});
  const net::Ended ended = ranks.start("train", 0, alone).wait(kSoon);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_EQ(ranks.summary(0), finished);
  EXPECT_EQ(ranks.events(0, "failed").size(), 1u);
  Words longer = sets({"training.epochs=3"});
  longer.emplace_back("--resume");
  Words longer_alone = longer;
  longer_alone.insert(longer_alone.end(), {"--deadline", "1"});
  EXPECT_EQ(ranks.start("train", 0, longer_alone).wait(kSoon).exit_code, 3);
  EXPECT_EQ(ranks.summary(0), finished);
  EXPECT_EQ(epochs(), 2);
  expect_success(ranks.run_all("train", again));
  EXPECT_EQ(ranks.summary(0)["result"], "finished");
  EXPECT_EQ(ranks.summary(0)["resumed_from"], 2);
  expect_success(ranks.run_all("train", longer));
  EXPECT_EQ(ranks.summary(0)["epochs"], 3);
  EXPECT_EQ(epochs(), 3);
}

TEST(KilledDealer, EndsAllPartiesWithTheirCheckpoints) {
  const Ranks ranks;
  std::vector<net::Process> all = ranks.start_all("train", kLong);
  ASSERT_TRUE(ranks.comes(0, "checkpoint") && ranks.comes(1, "checkpoint"));
  all[Ranks::kDealer].signal(SIGKILL);
  const auto begun = net::Clock::now();
  for (const std::size_t party : {0u, 1u}) {
    const net::Ended ended = all[party].wait(kSoon);
    EXPECT_EQ(ended.exit_code, 3) << ended;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 2 (dealer"), HasSubstr("the newest checkpoint here is of epoch ")));
  }
  EXPECT_LT(net::Clock::now() - begun, kWithin);
}

TEST(FullDisk, EndsAllWithOneSentenceAndExitCode2AndTellsNoPath) {
  const Ranks ranks;
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    net::Command command = ranks.command("train", rank, kLong);
    if (rank == 1) {  // no file may grow beyond 64 KiB
      command.arguments.insert(command.arguments.begin(), {"bash", "-c", "ulimit -f 64; exec \"$@\"", "bash"});
    }
    all.emplace_back(command);
  }
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_EQ(ends[1].exit_code, 2) << ends[1];
  EXPECT_THAT(ends[1].err, AllOf(HasSubstr("cannot be written: File too large"), HasSubstr("--output")));
  for (const std::size_t rank : {0u, 2u}) {
    EXPECT_EQ(ends[rank].exit_code, 2) << ends[rank];
    EXPECT_THAT(ends[rank].err,
                AllOf(HasSubstr("rank 1 (party"), HasSubstr("gave up: its "),
                      HasSubstr(" cannot be written: File too large; its own log says more"),
                      Not(HasSubstr(ranks.path("out/rank1"))), Not(HasSubstr("start all ranks again"))));
  }
}

// "bash -c SCRIPT bash TACIT train ..." at one rank.
std::vector<net::Ended> ends_where_one_is_within(const Ranks& ranks, int rank, const std::string& script,
                                                 const Words& more = kLong) {
  std::vector<net::Process> all;
  for (int each = 0; each < Ranks::kSize; ++each) {
    net::Command command = ranks.command("train", each, more);
    const Words within{"bash", "-c", script, "bash"};
    if (each == rank) command.arguments.insert(command.arguments.begin(), within.begin(), within.end());
    all.emplace_back(command);
  }
  return ends_of(all);
}

TEST(TooFewDescriptors, EndAtOnceWithTheLimitAndTheRemedy) {
  if (!kDescriptorsCanBeLimited) GTEST_SKIP() << "the sanitizer itself lacks descriptors";
  for (const int limit : {10, 12}) {
    const Ranks ranks;
    net::Command command = ranks.command("train", 1, kLong);
    const Words within{"bash", "-c", fmt::format("ulimit -n {}; exec \"$@\"", limit), "bash"};
    command.arguments.insert(command.arguments.begin(), within.begin(), within.end());
    const net::Ended ended = net::Process(command).wait(kSoon);
    EXPECT_EQ(ended.exit_code, 2) << ended;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("ulimit -n 4096"), Not(HasSubstr("bug")))) << limit;
  }
}

TEST(TooFewDescriptors, AreRaisedAsFarAsTheyMayBe) {
  const Ranks ranks;
  const Words few = sets({"training.epochs=3"});
  expect_success(ends_where_one_is_within(ranks, 1, "ulimit -Sn 12; exec \"$@\"", few));
}

TEST(NoThread, EndsWithExitCode2AndASentence) {
  if (!kAddressSpaceCanBeLimited) GTEST_SKIP() << "no limit on address space can be set";
  const Ranks ranks;
  // A thread's stack is as large as the limit on the main stack: no stack fits into the remaining
  // address space.
  net::Command command = ranks.command("train", 1, kLong);
  const Words within{"bash", "-c", "ulimit -s 4000000; ulimit -v 2000000; exec \"$@\"", "bash"};
  command.arguments.insert(command.arguments.begin(), within.begin(), within.end());
  const net::Ended ended = net::Process(command).wait(kSoon);
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err,
              AllOf(HasSubstr("cannot be started: Resource temporarily unavailable"), HasSubstr("ulimit -u")));
}

TEST(DifferentRosters, AreNamedAtAllRanks) {
  const Ranks ranks;
  const Json stranger =
      Json::parse(net::run_to_success({{TACIT, "keys", "new", ranks.path("other"), "--json"}, {}, -1}));
  std::ifstream roster(ranks.path("roster"));
  std::ofstream other(ranks.path("other roster"));
  for (std::string line; std::getline(roster, line);) {
    const bool dealer = line.find("dealer") != std::string::npos;
    other << (dealer ? "2 dealer " + stranger["fingerprint"].get<std::string>() : line) << "\n";
  }
  other.close();
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    Words more = kLong;
    if (rank == 1) more.insert(more.end(), {"--set", "roster=" + ranks.path("other roster")});
    all.push_back(ranks.start("train", rank, more));
  }
  for (const net::Ended& one : ends_of(all)) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("the ranks do not agree on \"roster: rank 2\""));
  }
}

// A file system of half a megabyte that only rank 1 sees; at the end its content is copied to the
// folder in which rank 1 resumes.
TEST(FullDisk, LosesNoCheckpointThatWasWritten) {
  const Ranks ranks;
  if (net::Process({{"unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"}, {}, -1}).wait(kSoon).exit_code !=
      0) {
    GTEST_SKIP() << "mounting a file system needs root";
  }
  net::Command small = ranks.command("train", 1, kLong);
  *std::find(small.arguments.begin(), small.arguments.end(), ranks.path("out")) = ranks.path("small");
  const Words within{"unshare",
                     "--mount",
                     "bash",
                     "-c",
                     "mkdir $0 && mount -t tmpfs -o size=512k none $0 && { \"$@\"; code=$?; cp -a $0/. $0/../out; exit "
                     "$code; }",
                     ranks.path("small")};
  small.arguments.insert(small.arguments.begin(), within.begin(), within.end());
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    all.emplace_back(rank == 1 ? small : ranks.command("train", rank, kLong));
  }
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_EQ(ends[1].exit_code, 2) << ends[1];
  EXPECT_THAT(ends[1].err, AllOf(HasSubstr("No space left on device"), HasSubstr("--output")));
  for (const std::size_t rank : {0u, 2u}) EXPECT_EQ(ends[rank].exit_code, 2) << ends[rank];

  std::vector<net::Process> again = ranks.start_all("train", kLong);
  EXPECT_TRUE(ranks.comes(1, "resumed"));
  for (net::Process& one : again) one.signal(SIGINT);
  for (const net::Ended& one : ends_of(again)) EXPECT_NE(one.exit_code, 2) << one;
}

}  // namespace
}  // namespace tacit::launcher
