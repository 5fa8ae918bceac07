// Processes that train over TLS are killed at random moments, repeatedly; the training ends as if
// it had not been interrupted.
#include <gmock/gmock.h>
#include <signal.h>

#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "tests/gnn/checkpoint/crash_sample.h"
#include "tests/net/party_job.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using testing::IsEmpty;

constexpr int kKills = kSlowdown > 1 ? 8 : 20;
constexpr std::int64_t kEpochs = 600;
constexpr int kMostEpochsBeforeAKill = 20;

// Rank 0's output over all sessions.
struct Said {
  std::map<std::int64_t, std::vector<double>> losses;  // by epoch: a repeated epoch has several
  std::set<std::string> nonces;
  std::int64_t sessions = 0, resumed = 0;
  std::int64_t reveals = 0;   // reveals of losses that rank 0 saw, including runs that were begun anew
  std::int64_t revealed = 0;  // reveals in the final account
  double rmse = 0;

  void take(const std::string& out) {
    std::istringstream lines(out);
    std::string line;
    while (std::getline(lines, line)) {
      std::int64_t epoch = 0;
      double loss = 0;
      if (std::sscanf(line.c_str(), "epoch %ld loss %lf", &epoch, &loss) == 2) losses[epoch].push_back(loss);
      if (line.starts_with("epoch")) ++reveals;
      if (line.starts_with("nonce")) {
        nonces.insert(line);
        ++sessions;
      }
      if (line.starts_with("resumed")) ++resumed;
      std::sscanf(line.c_str(), "rmse %lf", &rmse);
      std::sscanf(line.c_str(), "revealed training loss %ld", &revealed);
    }
  }
};

class Crashes : public testing::Test {
 protected:
  Crashes() {
    for (int rank = 0; rank < kCrashParties; ++rank) mpc::StorageKey::make(crash_store(job_.folder(), rank).key);
  }

  std::vector<net::Process> started(int victim = -1, const std::string& kill = "") const {
    std::vector<net::Process> processes;
    for (int rank = 0; rank < job_.size(); ++rank) {
      net::Command command = job_.command_of(TACIT_TRAINING_PARTY, rank, {"--steps", std::to_string(kEpochs)});
      command.environment["TACIT_TEST_FOLDER"] = job_.folder();
      if (rank == victim) command.environment["TACIT_TEST_KILL"] = kill;
      processes.emplace_back(command);
    }
    return processes;
  }

  // Kills some rank, possibly the dealer, at some moment: after some epochs, or while the session
  // begins.
  std::vector<net::Process> killed() {
    const int victim = any(0, job_.size() - 1), epochs = any(0, kMostEpochsBeforeAKill);
    std::vector<net::Process> processes =
        started(victim, fmt::format("{} {}", epochs, any(0, epochs == 0 ? 50'000 : 5'000)));
    for (int rank = 0; rank < job_.size(); ++rank) {
      const net::Ended ended = processes[static_cast<std::size_t>(rank)].wait(net::kSoon);
      if (rank == victim) {
        EXPECT_EQ(ended.signal, SIGKILL) << ended;
      } else {
        EXPECT_EQ(ended.exit_code, static_cast<int>(Exit::kNet)) << ended;
      }
    }
    return processes;
  }

  // A file with the name of a checkpoint is a valid checkpoint.
  void expect_whole_checkpoints() const {
    for (int rank = 0; rank < kCrashParties; ++rank) {
      EXPECT_THAT(CheckpointStore(crash_store(job_.folder(), rank)).find().refused, IsEmpty()) << "rank " << rank;
    }
  }

  int any(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }

  const net::Job job_{kCrashParties, 1};
  std::mt19937 random_{std::random_device{}()};
};

TEST_F(Crashes, AtAnyMomentLeaveATrainingThatResumesToTheSameEnd) {
  Said said;
  for (int kill = 0; kill < kKills; ++kill) {
    const std::vector<net::Process> processes = killed();
    said.take(processes[0].out());
    expect_whole_checkpoints();
  }
  std::vector<net::Process> processes = started();
  for (net::Process& process : processes) net::expect_success(process);
  said.take(processes[0].out());

  const Events twin = plain_run(crash_sample(kEpochs));
  ASSERT_EQ(std::ssize(said.losses), kEpochs);
  for (const auto& [epoch, losses] : said.losses) {
    const double expected = *twin[static_cast<std::size_t>(epoch - 1)].loss;
    for (const double loss : losses) EXPECT_NEAR(loss, expected, 1e-2 * expected) << "epoch " << epoch;
  }
  EXPECT_NEAR(said.rmse, twin.back().readings[0].value, 1e-2 * said.rmse);
  EXPECT_EQ(std::ssize(said.nonces), said.sessions);  // no two sessions share a stream
  EXPECT_GT(said.resumed, kKills / 2);
  EXPECT_GE(said.revealed, said.reveals);  // every reveal is counted, including those in killed sessions
  EXPECT_LE(said.revealed, said.reveals + said.sessions);
}

}  // namespace
}  // namespace tacit::gnn
