// Real processes until their mesh stands: they wait for each other, keep strangers out, and, if
// they do not fit, end together with a line that names the change to make.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/net/party_job.h"
#include "tests/net/strangers.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kFewSteps = {"--steps", "5"};

std::vector<std::string> few_steps_and(std::initializer_list<std::string> more) {
  std::vector<std::string> flags = kFewSteps;
  flags.insert(flags.end(), more);
  return flags;
}

// A roster file in the job's folder that differs from the roster in use.
std::string roster_of(const Job& job, std::vector<RosterEntry> entries) {
  const std::string path = job.folder() / "other-roster";
  std::ofstream(path) << Roster(std::move(entries)).text();
  return path;
}

TEST(Joining, RanksMayStartInAnyOrderTheMasterLast) {
  const Job job(3, 1);
  Process dealer = job.start(3, kFewSteps);
  Process last = job.start(2, kFewSteps);
  std::this_thread::sleep_for(700ms);
  Process second = job.start(1, kFewSteps);
  std::this_thread::sleep_for(700ms);
  Process master = job.start(0, kFewSteps);
  for (Process* rank : {&master, &second, &last, &dealer}) expect_success(*rank);
}

TEST(Joining, StrangersAtTheListeningPortsDoNotKeepRealPartiesOut) {
  const Job job(3);
  const ReservedPort second_port;
  Process master = job.start(0, kFewSteps);
  Process second = job.start(1, few_steps_and({"--listen", "127.0.0.1:" + std::to_string(second_port.number())}));
  std::vector<Strangers> crowds;
  for (int port : {job.port(), static_cast<int>(second_port.number())}) {
    Strangers& crowd = crowds.emplace_back(port);
    crowd.connect_idly(200);
    crowd.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 20);
    crowd.send(std::string(5000, '\xa5'), 20);
    crowd.drip(std::string("\x16\x03\x01\x02\x00", 5) + std::string(500, '\x01'), 20);
    crowd.scan(200);
  }
  Process third = job.start(2, kFewSteps);
  for (Process* rank : {&master, &second, &third}) expect_success(*rank);
}

TEST(Joining, AMissingRankIsNamedWhenTheDeadlineHasPassed) {
  const Job job(3);
  Process master = job.start(0, {"--deadline", "1500"});
  Process second = job.start(1, {"--deadline", "1500"});
  for (Process* rank : {&master, &second}) expect_failure(*rank, Exit::kNet, {"rank 2"});
}

TEST(Joining, AMasterThatNeverComesIsNamedWithItsAddress) {
  const Job job(2);
  Process second = job.start(1, {"--deadline", "1000"});
  expect_failure(second, Exit::kNet, {"rank 0", "127.0.0.1:" + std::to_string(job.port())});
}

TEST(Joining, ARankKilledBeforeTheMeshStandsEndsTheOthers) {
  const Job job(3);
  Process master = job.start(0);
  Process second = job.start(1);
  ASSERT_TRUE(second.prints("rank 2", kSoon)) << second.wait(0s);  // rank 2 has joined and waits for the last one
  second.signal(SIGKILL);
  Process third = job.start(2);
  for (Process* rank : {&master, &third}) expect_failure(*rank, Exit::kNet, {"rank 1"});
}

TEST(Joining, ARankThatClaimsAnothersNumberIsRefused) {
  const Job job(3);
  Process master = job.start(0, {"--deadline", "2500"});
  Command impostor_command = job.command(2, {"--deadline", "2500"});
  impostor_command.environment["RANK"] = "1";
  Process impostor(impostor_command);
  expect_failure(impostor, Exit::kConfig, {"rank 1", "rank 2"});
}

TEST(Joining, TheSecondOfTwoProcessesWithTheSameRankIsRefusedAndTheFirstStays) {
  const Job job(3);
  Process master = job.start(0, kFewSteps);
  Process second = job.start(1, kFewSteps);
  ASSERT_TRUE(second.prints("rank 2", kSoon)) << second.wait(0s);
  Process duplicate = job.start(1, kFewSteps);
  expect_failure(duplicate, Exit::kConfig, {"rank 1", "already"});
  Process third = job.start(2, kFewSteps);
  for (Process* rank : {&master, &second, &third}) expect_success(*rank);
}

TEST(Joining, ARankOutOfRangeIsAConfigErrorThatNamesTheVariable) {
  const Job job(2);
  Command command = job.command(1);
  command.environment["RANK"] = "2";
  Process outside(command);
  expect_failure(outside, Exit::kConfig, {"RANK", "\"2\""});
}

TEST(Joining, AWorldSizeThatIsNotTheRostersIsAConfigError) {
  const Job job(2);
  Command command = job.command(1);
  command.environment["WORLD_SIZE"] = "3";
  Process other(command);
  expect_failure(other, Exit::kConfig, {"WORLD_SIZE", "3", "2"});
}

TEST(Joining, UnequalRostersEndEveryRankWithBothWorldSizes) {
  const Job small(2);
  const Job large(3);
  // Rank 1 has a roster with one more rank; the keys of the first two are the same.
  const std::string longer = roster_of(small, {small.entry(0), small.entry(1), large.entry(2)});
  Process master = small.start(0);
  Command command = small.command(1, {"--roster", longer});
  command.environment["WORLD_SIZE"] = "3";
  Process other(command);
  for (Process* rank : {&master, &other}) expect_failure(*rank, Exit::kConfig, {"rank 0", "rank 1", "2", "3"});
}

TEST(Joining, UnequalAgreementsEndEveryRankWithNameValuesAndRanks) {
  const Job job(3);
  Process master = job.start(0, {"--agree", "epochs=200", "--agree", "model=gcn"});
  Process second = job.start(1, {"--agree", "epochs=200", "--agree", "model=gcn"});
  Process third = job.start(2, {"--agree", "epochs=100", "--agree", "model=gcn"});
  for (Process* rank : {&master, &second, &third}) {
    expect_failure(*rank, Exit::kConfig, {"epochs", "200", "100", "rank 0", "rank 2"});
  }
}

TEST(Joining, APortInUseIsNamedWithTheRemedy) {
  const Job job(2);
  const Job other(2);
  Process holder = other.start(0);
  Strangers(other.port()).connect_idly(1);  // rank 0 listens now
  Command command = job.command(0);
  command.environment["MASTER_PORT"] = std::to_string(other.port());
  Process late(command);
  expect_failure(late, Exit::kConfig, {std::to_string(other.port()), "in use"});
}

TEST(Joining, AHostThatCannotBeResolvedIsNamed) {
  const Job job(2);
  Command command = job.command(1, {"--handshake", "1000"});  // DNS may take this long
  command.environment["MASTER_ADDR"] = "no-such-host.invalid";
  Process lost(command);
  expect_failure(lost, Exit::kConfig, {"no-such-host.invalid"});
}

TEST(Joining, AKeyThatOthersMayReadIsRefusedWithTheCommandThatFixesIt) {
  const Job job(2);
  ASSERT_EQ(chmod(job.key(1).c_str(), 0644), 0);
  Process careless = job.start(1);
  expect_failure(careless, Exit::kConfig, {job.key(1), "chmod 600"});
}

TEST(Joining, AKeyThatCannotBeReadIsNamed) {
  const Job job(2);
  std::filesystem::remove(job.key(1));
  Process keyless = job.start(1);
  expect_failure(keyless, Exit::kConfig, {job.key(1)});
  std::filesystem::create_directory(job.key(1));
  Process folder = job.start(1);
  expect_failure(folder, Exit::kConfig, {job.key(1)});
}

TEST(Joining, AKeyThatIsNotInTheRosterIsAConfigErrorWithBothFingerprints) {
  const Job job(2);
  const Job strangers(2);
  Process unlisted = job.start(1, {"--key", strangers.key(1)});
  expect_failure(unlisted, Exit::kConfig,
                 {job.entry(1).fingerprint.text(), strangers.entry(1).fingerprint.text(), "not in the roster"});
}

TEST(Joining, AClientWhoseKeyTheMasterDoesNotKnowIsRefused) {
  const Job job(2);
  const Job strangers(2);
  // The stranger's own roster lists its key.
  const std::string roster = roster_of(job, {job.entry(0), strangers.entry(1)});
  Process master = job.start(0, {"--deadline", "2000"});
  Process unknown = job.start(1, {"--roster", roster, "--key", strangers.key(1), "--deadline", "10000"});
  expect_failure(unknown, Exit::kNet, {"rank 0"});
  expect_failure(master, Exit::kNet, {"rank 1", "refused"});
}

TEST(Joining, AMasterWithAnotherKeyThanTheRosterPinsIsRefused) {
  const Job job(2);
  const Job others(2);
  // The impostor's own roster has its own key, so the impostor accepts itself.
  Command command = others.command(0, {"--deadline", "3000"});
  command.environment["MASTER_PORT"] = std::to_string(job.port());
  const Process impostor(command);
  Process second = job.start(1, {"--deadline", "3000"});
  expect_failure(second, Exit::kNet, {"rank 0", "127.0.0.1:" + std::to_string(job.port()), "key"});
}

TEST(Joining, APartyWithoutTlsDoesNotGetIn) {
  const Job job(2);
  Process master = job.start(0, {"--deadline", "2000"});
  Process plain = job.start(1, {"--plaintext", "--deadline", "2000"});
  expect_failure(master, Exit::kNet, {"rank 1"});
  expect_failure(plain, Exit::kNet, {"rank 0"});
}

}  // namespace
}  // namespace tacit::net
