// How an established mesh ends when one of its ranks is lost. With real processes, every survivor
// ends within seconds, with the right exit code and a line that names the rank, the operation and
// the remedy.
#include <gtest/gtest.h>
#include <signal.h>

#include <thread>

#include "tests/net/party_job.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kRemedy = "start all ranks again";

void expect_busy(std::vector<Process>& ranks) {
  for (Process& rank : ranks) ASSERT_TRUE(rank.prints("busy", kSoon)) << rank.wait(0s);
}

TEST(Failure, APeerKilledIsNamedByAllOthersWithTheStepTheyWereIn) {
  const Job job(3);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[2].signal(SIGKILL);
  for (const std::size_t survivor : {0U, 1U}) {
    expect_failure(ranks[survivor], Exit::kNet, {"rank 2 (party, 127.0.0.1", "is gone", "in step \"exchange", kRemedy});
  }
}

TEST(Failure, ADealerKilledEndsAllParties) {
  const Job job(3, 1);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[3].signal(SIGKILL);
  for (const std::size_t party : {0U, 1U, 2U}) {
    expect_failure(ranks[party], Exit::kNet, {"rank 3 (dealer", "is gone", "in step \"exchange", kRemedy});
  }
}

TEST(Failure, APartyKilledEndsTheDealerToo) {
  const Job job(2, 1);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[0].signal(SIGKILL);
  for (const std::size_t survivor : {1U, 2U})
    expect_failure(ranks[survivor], Exit::kNet, {"rank 0 (party", "is gone", kRemedy});
}

TEST(Failure, TwoPeersKilledAtOnceEndTheLastOne) {
  const Job job(3);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[1].signal(SIGKILL);
  ranks[2].signal(SIGKILL);
  expect_failure(ranks[0], Exit::kNet, {"is gone", "in step \"exchange", kRemedy});
}

TEST(Failure, APeerKilledInTheMiddleOfALargeMessageIsNamed) {
  const Job job(3);
  std::vector<Process> ranks = job.start_all({"--bytes", "30000000"});
  for (Process& rank : ranks) ASSERT_TRUE(rank.prints("sending", kSoon)) << rank.wait(0s);
  ranks[1].signal(SIGKILL);
  for (const std::size_t survivor : {0U, 2U}) {
    expect_failure(ranks[survivor], Exit::kNet, {"rank 1 (party", "is gone", "in step \"exchange", kRemedy});
  }
}

TEST(Failure, AStoppedPeerIsTakenForDeadAfterTheSilence) {
  const Job job(3);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[2].signal(SIGSTOP);
  for (const std::size_t survivor : {0U, 1U}) {
    expect_failure(
        ranks[survivor], Exit::kNet,
        {"rank 2 (party", "has not been heard for", "its process is stopped", "in step \"exchange", kRemedy});
  }
}

TEST(Failure, AStoppedPeerThatGoesOnLaterLearnsThatTheRunIsOver) {
  const Job job(2);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  ranks[1].signal(SIGSTOP);
  expect_failure(ranks[0], Exit::kNet, {"rank 1 (party", "has not been heard for"});
  ranks[1].signal(SIGCONT);
  expect_failure(ranks[1], Exit::kNet, {"rank 1 (party", "has not been heard for", "reported by rank 0"});
}

TEST(Failure, AStopShorterThanTheSilenceHarmsNobody) {
  const Job job(2);
  std::vector<Process> ranks = job.start_all({"--steps", "10", "--compute", "300"});
  expect_standing(ranks);
  ranks[1].signal(SIGSTOP);
  std::this_thread::sleep_for(kSilence / 3);
  ranks[1].signal(SIGCONT);
  for (Process& rank : ranks) expect_success(rank);
}

TEST(Failure, APeerThatComputesForLongIsSlowNotDead) {
  const Job job(2, 1);
  std::vector<Process> ranks;
  ranks.push_back(job.start(0, {"--steps", "3"}));
  ranks.push_back(job.start(1, {"--steps", "3", "--compute", std::to_string(kSilence.count() * 2)}));
  ranks.push_back(job.start(2, {"--steps", "3"}));
  for (Process& rank : ranks) expect_success(rank);
}

TEST(Failure, APeerThatComputesWhileALargeMessageFillsAllBuffersIsSlowNotDead) {
  const Job job(2);
  Process sends = job.start(0, {"--steps", "1", "--bytes", "100000000"});
  Process computes = job.start(1, {"--steps", "1", "--bytes", "100000000", "--compute", "7000"});
  expect_success(sends);
  expect_success(computes);
}

TEST(Failure, APeerThatComputesLongerThanOurPatienceIsNamedAsAlive) {
  const Job job(2);
  Process waits = job.start(0, {"--patience", "1000"});
  Process computes = job.start(1, {"--compute", "3000"});
  expect_failure(waits, Exit::kNet, {"rank 1 (party", "is alive", "has kept rank 0 waiting", "step \"exchange 1\""});
  expect_failure(computes, Exit::kNet, {"rank 1 (party", "has kept rank 0 waiting", "reported by rank 0"});
}

TEST(Failure, APeerThatEndsWithoutGoodbyeIsNamed) {
  const Job job(3);
  Process first = job.start(0);
  Process second = job.start(1, {"--misdeed", "leave"});
  Process third = job.start(2);
  for (Process* survivor : {&first, &third}) {
    expect_failure(*survivor, Exit::kNet, {"rank 1 (party", "is gone", "in step \"exchange", kRemedy});
  }
}

TEST(Failure, APeerThatGivesUpTellsTheOthersWhy) {
  const Job job(3);
  Process first = job.start(0);
  Process second = job.start(1, {"--misdeed", "give-up"});
  Process third = job.start(2);
  expect_failure(second, Exit::kConfig, {"the graph file cora.npz has no key"});
  for (Process* survivor : {&first, &third}) {
    expect_failure(*survivor, Exit::kConfig, {"rank 1 (party", "gave up", "cora.npz has no key", "in step \"exchange"});
  }
}

TEST(Failure, APeerWhoseProgramIsShorterThanOursIsAProtocolError) {
  const Job job(2);
  Process longer = job.start(0, {"--steps", "5"});
  Process shorter = job.start(1, {"--steps", "3"});
  expect_failure(longer, Exit::kProtocol, {"rank 1 (party", "has finished its program", "step \"exchange 4\""});
}

TEST(Failure, AMessageOfAnotherLengthThanExpectedIsAProtocolErrorOfItsSender) {
  const Job job(2);
  Process expects = job.start(0);
  Process sends = job.start(1, {"--misdeed", "short-message"});
  expect_failure(expects, Exit::kProtocol, {"rank 1 (party", "deviates from the protocol", "step \"exchange 3\""});
}

TEST(Failure, APeerWhoseCableIsCutIsNamedByTheOthersAndKnowsItselfThatItIsAlone) {
  if (const std::string missing = Hosts::missing(); !missing.empty()) GTEST_SKIP() << missing;
  Hosts hosts(4);
  const Job job(hosts, 3, 1);
  std::vector<Process> ranks = job.start_all();
  expect_busy(ranks);
  hosts.cut(2);
  for (const std::size_t survivor : {0U, 1U, 3U}) {
    expect_failure(ranks[survivor], Exit::kNet,
                   {"rank 2 (party, " + hosts.address(2), "has not been heard for", "in step \"exchange", kRemedy});
  }
  expect_failure(ranks[2], Exit::kNet, {"has not been heard for", "this machine may be cut off from the network"});
}

}  // namespace
}  // namespace tacit::net
