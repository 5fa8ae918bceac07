// A user's mistakes at one rank: the exit code, the sentence, and the report at the other ranks.
//
//   job missing, malformed, unknown key           here; each setting: read_job_test, document_test
//   contradictory ownership                       here; check_job_test
//   part that does not fit the job                here; data_check_test, findings_test
//   public data that differ                       here
//   another build of the program                  here; each field: build_agreement_test
//   jobs that differ, wrong number of parties     here; launch_test
//   roster without this key, with one twice       here; keys_test; at the handshake: net's failure tests
//   key of another rank                           here
//   output folder that cannot be written          here
//   disk full                                     failing_rank_test
//   dealer missing or dying                       here, failing_rank_test
//   resuming with another job                     here
//   RANK unset on a cluster                       here, seat_test; under Slurm itself: slurm_test.sh
//   --hosts with one that cannot be reached       ssh_test.sh
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "gnn/data/npz.h"
#include "launcher/job/build_commit.h"
#include "launcher/run/event_log.h"
#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class BadInput : public testing::Test {
 protected:
  // Runs one rank alone, with this command.
  void expect_refused(const net::Command& command, int exit_code, const testing::Matcher<std::string>& matches) const {
    const net::Ended ended = net::Process(command).wait(kSoon);
    EXPECT_EQ(ended.exit_code, exit_code) << ended;
    EXPECT_THAT(ended.err, matches);
  }

  // Runs all ranks; rank `other` gets the additional words.
  std::vector<net::Ended> with(int other, const Words& more) const {
    std::vector<net::Process> all;
    for (int rank = 0; rank < Ranks::kSize; ++rank) {
      all.push_back(ranks_.start("train", rank, rank == other ? more : Words{}));
    }
    return ends_of(all);
  }

  // Every rank's error names rank 0, but only rank 0's error contains `there`, the detail.
  void expect_of_rank_0_alone(const std::vector<net::Ended>& ends, const std::string& there,
                              const std::string& elsewhere) const {
    expect_all_refused(ends, testing::_);
    EXPECT_THAT(ends[0].err, HasSubstr(there));
    for (const std::size_t other : {1u, 2u}) {
      EXPECT_THAT(ends[other].err, AllOf(HasSubstr("rank 0 (party"), HasSubstr(elsewhere + "; its own log says more"),
                                         Not(HasSubstr(there)), Not(HasSubstr(".npz"))));
    }
  }

  void expect_all_refused(const std::vector<net::Ended>& ends, const testing::Matcher<std::string>& matches) const {
    for (const net::Ended& one : ends) {
      EXPECT_EQ(one.exit_code, 2) << one;
      EXPECT_THAT(one.err, matches);
    }
  }

  const Ranks ranks_;
};

TEST_F(BadInput, OfTheCommandAloneIsRefusedAtOnce) {
  net::Command command = ranks_.command("train", 1);
  command.arguments[2] = ranks_.path("none.toml");
  expect_refused(command, 2, HasSubstr("none.toml"));
  std::ofstream(ranks_.path("none.toml")) << "name = \"x\nparties = 2\n";
  expect_refused(command, 2, HasSubstr("none.toml:1:"));
  expect_refused(ranks_.command("train", 1, {"--set", "training.epoch=3"}), 2, HasSubstr("training.epochs"));
  expect_refused(ranks_.command("train", 1, {"--set", "parties=3"}), 2, HasSubstr("parties"));
  expect_refused(ranks_.command("train", 1, {"--world-size", "4"}), 2, HasSubstr("--world-size"));
  expect_refused(ranks_.command("train", 1, {"--key", ranks_.path("key0")}), 2,
                 AllOf(HasSubstr("belongs to rank 0, and this process is rank 1"), HasSubstr("--rank 0")));
  expect_refused(ranks_.command("train", 1, {"--key", ranks_.path("nokey")}), 2, HasSubstr("nokey"));
  expect_refused(ranks_.command("train", 3), 2, HasSubstr("expected 0 ... 2"));
  expect_refused(ranks_.command("train", 0, {"--resume", "--set", "checkpoints.every=0"}), 2,
                 HasSubstr("the job keeps no checkpoints"));
  net::Command nameless{{TACIT, "train", ranks_.path("job.toml")}, {{"RANK", ""}}, -1};
  expect_refused(nameless, 2, AllOf(HasSubstr("RANK is not set"), HasSubstr("MASTER_ADDR")));
  nameless.arguments.insert(nameless.arguments.end(), {"--rank", "0", "--master", "127.0.0.1:4711"});
  expect_refused(nameless, 2, HasSubstr("names no roster"));
  for (const char* owner : {"rank 7", "columns 3"}) {
    expect_refused(ranks_.command("train", 1, {"--set", std::string("data.labels=") + owner}), 2,
                   AllOf(HasSubstr("data.labels: '"), HasSubstr(owner)));
  }
  expect_refused(ranks_.command("train", 1, {"--device", "gpu"}), 2,
                 AllOf(HasSubstr("--device is \"gpu\""), HasSubstr("none, auto, cuda, or cuda:N")));
  // No machine has so many cards.
  expect_refused(ranks_.command("train", 1, {"--device", "cuda:1000"}), 2,
                 testing::MatchesRegex("tacit: --device cuda:1000: there is no device cuda:1000: [^\n]*\n"));
  EXPECT_FALSE(fs::exists(ranks_.path("out"))) << "nothing was begun";
}

TEST_F(BadInput, OfARosterNamesTheFingerprintAndTheRemedy) {
  std::ifstream whole(ranks_.path("roster"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(whole, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 3u);
  const auto fingerprint = [&](std::size_t rank) { return lines[rank].substr(lines[rank].rfind(' ') + 1); };
  const auto with_roster = [&](const std::string& text) {
    std::ofstream(ranks_.path("other")) << text;
    return ranks_.command("train", 1, {"--set", "roster=" + ranks_.path("other")});
  };
  expect_refused(with_roster(lines[0] + "\n" + lines[1] + "\n2 dealer " + fingerprint(1) + "\n"), 2,
                 AllOf(HasSubstr("ranks 1 and 2 have the same fingerprint " + fingerprint(1)),
                       HasSubstr("make one with `tacit keys new`")));
  expect_refused(with_roster(lines[0] + "\n1 party " + std::string(64, 'a') + "\n" + lines[2] + "\n"), 2,
                 AllOf(HasSubstr(fingerprint(1) + ", which is not in the roster"), HasSubstr("of every rank")));
  expect_refused(with_roster("1 party abc\n"), 2, HasSubstr("other:1: "));
  expect_refused(ranks_.command("train", 1, {"--set", "roster=" + ranks_.path("none")}), 2,
                 HasSubstr("cannot read roster " + ranks_.path("none")));
}

// Rank 0's roster has another key for rank 1. Neither rank's error may claim that the other's
// machine cannot be reached.
TEST_F(BadInput, OfARosterThatDiffersIsSaidToBothSides) {
  std::ifstream whole(ranks_.path("roster"));
  std::ofstream other(ranks_.path("other"));
  for (std::string line; std::getline(whole, line);) {
    other << (line.starts_with("1 ") ? "1 party " + std::string(64, 'a') : line) << "\n";
  }
  other.close();
  net::Process host = ranks_.start("train", 0, {"--deadline", "2", "--set", "roster=" + ranks_.path("other")});
  net::Process guest = ranks_.start("train", 1, {"--deadline", "2"});
  const net::Ended at_host = host.wait(kSoon), at_guest = guest.wait(kSoon);
  EXPECT_EQ(at_host.exit_code, 3) << at_host;
  EXPECT_THAT(at_host.err, AllOf(HasSubstr("is not in the roster"), HasSubstr("compare its key and its roster")));
  EXPECT_EQ(at_guest.exit_code, 3) << at_guest;
  EXPECT_THAT(at_guest.err, HasSubstr("check also that all ranks have the same roster"));
}

TEST_F(BadInput, OfWorldSizeIsSaidInTheJobsTerms) {
  net::Command command = ranks_.command("train", 1);
  *std::find(command.arguments.begin(), command.arguments.end(), "3") = "4";
  expect_refused(command, 2, HasSubstr("4 processes (--world-size), but the job needs 3: 2 parties and the dealer"));
}

TEST_F(BadInput, OfAJobThatNamesTooLittleIsRefusedWhereRanksAreOnDifferentMachines) {
  std::ifstream job(ranks_.path("job.toml"));
  std::ofstream terse(ranks_.path("terse.toml"));
  for (std::string line; std::getline(job, line);) {
    if (!line.starts_with("correlations")) terse << line << "\n";
  }
  terse.close();
  net::Command command = ranks_.command("train", 1);
  command.arguments[2] = ranks_.path("terse.toml");
  *std::find(command.arguments.begin(), command.arguments.end(), ranks_.master()) = "node0.invalid:4711";
  expect_refused(command, 2, AllOf(HasSubstr("does not say correlations"), HasSubstr("different machines")));
}

TEST_F(BadInput, OfJobsThatDifferEndsAllWithTheSettingThatDoes) {
  expect_all_refused(with(1, {"--set", "training.epochs=7"}), AllOf(HasSubstr("training.epochs"), HasSubstr("7")));
}

// The same program, except for the commit that it reports as its origin.
std::string program_of_another_build(const std::string& path) {
  std::ifstream own(TACIT, std::ios::binary);
  std::string bytes(fs::file_size(TACIT), '\0');
  own.read(bytes.data(), std::ssize(bytes));
  const std::string commit = build_commit() + std::string(1, '\0');
  for (std::size_t at = 0; (at = bytes.find(commit, at)) != std::string::npos; at += commit.size()) bytes[at] = 'x';
  std::ofstream(path, std::ios::binary) << bytes;
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST_F(BadInput, OfAnotherBuildAtOneRankEndsAllWithTheFieldBothValuesAndTheRanks) {
  if (build_commit() == std::string("unknown")) GTEST_SKIP() << "this build knows no commit";
  const std::string other = program_of_another_build(ranks_.path("other"));
  const std::string commit = build_commit();
  for (const int rank : {1, 2}) {  // a party, the dealer
    std::vector<net::Process> all;
    for (int one = 0; one < Ranks::kSize; ++one) {
      net::Command command = ranks_.command("train", one);
      if (one == rank) command.arguments.front() = other;
      all.emplace_back(command);
    }
    expect_all_refused(ends_of(all),
                       AllOf(HasSubstr("Tacit's build (commit)"), HasSubstr("rank 0 has \"" + commit + "\""),
                             HasSubstr(fmt::format("rank {} has \"x{}\"", rank, commit.substr(1)))));
  }
}

TEST_F(BadInput, OfAnEmulatedLinkAtOneRankAloneEndsAllAndIsNamed) {
  expect_all_refused(with(1, {"--emulate", "7.9ms,100Mbit"}),
                     AllOf(HasSubstr("do not agree on \"emulated link\""), HasSubstr("7.9 ms")));
}

// The delay depends on one machine's clock alone.
TEST_F(BadInput, OfAnEmulatedLinkToAnotherMachineIsRefused) {
  net::Command command = ranks_.command("train", 1, {"--emulate", "7.9ms,100Mbit"});
  *std::find(command.arguments.begin(), command.arguments.end(), ranks_.master()) = "node0.invalid:4711";
  expect_refused(command, 2, AllOf(HasSubstr("node0.invalid"), HasSubstr("leave out --emulate")));
  expect_refused(ranks_.command("train", 1, {"--emulate", "fast"}), 2, HasSubstr("fast"));
}

TEST_F(BadInput, OfAfreshAtOneRankAloneEndsAllAndMovesNothing) {
  for (int rank = 0; rank < Ranks::kSize; ++rank) fs::create_directories(ranks_.output(rank));
  std::ofstream(ranks_.output(1) / "mine") << "mine";
  expect_all_refused(with(1, {"--afresh"}),
                     AllOf(HasSubstr("do not agree on \"command\""), HasSubstr("\"train --afresh\""),
                           HasSubstr("say the same at every rank"), Not(HasSubstr("the same job"))));
  EXPECT_TRUE(fs::exists(ranks_.output(1) / "mine"));
  EXPECT_FALSE(fs::exists(ranks_.output(1).string() + ".1"));
}

TEST_F(BadInput, OfAfreshWhileTheFolderIsARunningRunsLeavesThatAlone) {
  fs::create_directories(ranks_.output(1));
  const EventLog running(ranks_.output(1) / "events.jsonl");
  const std::vector<net::Ended> ends = ranks_.run_all("train", {"--afresh"});
  expect_all_refused(ends, testing::_);
  EXPECT_THAT(ends[1].err, HasSubstr("this rank runs already"));
  for (const std::size_t other : {0u, 2u}) {
    EXPECT_THAT(ends[other].err, AllOf(HasSubstr("rank 1 (party) cannot take part: its output folder is in use"),
                                       Not(HasSubstr(ranks_.output(1)))));
  }
  EXPECT_FALSE(fs::exists(ranks_.output(1).string() + ".1"));
}

TEST_F(BadInput, OfDataIsToldToAllAndItsDetailsToItsOwner) {
  fs::copy_file(ranks_.path("rank0.npz"), ranks_.path("wrong.npz"));
  const std::vector<net::Ended> ends = with(1, {"--set", "data.files=" + ranks_.path("wrong.npz")});
  expect_all_refused(ends, testing::_);
  EXPECT_THAT(ends[1].err, AllOf(HasSubstr("the data of rank 1 do not fit the job"), HasSubstr("wrong.npz: ")));
  EXPECT_THAT(ends[0].err,
              AllOf(HasSubstr("rank 1 (party) cannot take part: its part of the data does not fit the job"),
                    Not(HasSubstr("wrong.npz"))));
  expect_of_rank_0_alone(with(0, {"--set", "data.files=" + ranks_.path("none.npz")}), "none.npz",
                         "its part of the data cannot be used");
  std::vector<double> x(8, 1.0);
  x[7] = std::nan("");
  gnn::write_npz(ranks_.path("nan.npz"), {{"x", {{4, 2}, x}}});
  expect_of_rank_0_alone(with(0, {"--set", "data.files=" + ranks_.path("nan.npz")}), "row 3, column 1",
                         "its part of the data cannot be used");
}

TEST_F(BadInput, OfAStorageKeyIsToldToAllWithoutItsPath) {
  net::run_to_success({{TACIT, "keys", "new", "--storage", ranks_.path("laxkey")}, {}, -1});
  fs::permissions(ranks_.path("laxkey"), fs::perms::group_read, fs::perm_options::add);
  expect_of_rank_0_alone(with(0, {"--set", "keys.storage=" + ranks_.path("laxkey")}), "laxkey has mode 0640",
                         "its storage key may be read by others on its machine");
}

TEST_F(BadInput, OfAnOutputFolderIsToldToAll) {
  std::ofstream(ranks_.path("file")) << "mine";
  for (const int rank : {0, 1}) {
    net::Command command = ranks_.command("train", rank);
    *std::find(command.arguments.begin(), command.arguments.end(), ranks_.path("out")) = ranks_.path("file");
    std::vector<net::Process> all;
    for (int other = 0; other < Ranks::kSize; ++other) {
      all.emplace_back(other == rank ? command : ranks_.command("train", other));
    }
    expect_all_refused(ends_of(all), HasSubstr("cannot be made"));
  }
}

// Root may write anywhere, unless it gives up that right.
TEST_F(BadInput, OfAFolderThatMayNotBeWrittenIsToldToAll) {
  net::Command closed = ranks_.command("train", 1);
  *std::find(closed.arguments.begin(), closed.arguments.end(), ranks_.path("out")) = ranks_.path("closed");
  if (::geteuid() == 0) {
    const Words without{"setpriv", "--bounding-set", "-dac_override,-dac_read_search"};
    if (net::Process({{"setpriv", without[1], without[2], "true"}, {}, -1}).wait(kSoon).exit_code != 0) {
      GTEST_SKIP() << "this root cannot give up the right to write anywhere";
    }
    closed.arguments.insert(closed.arguments.begin(), without.begin(), without.end());
  }
  for (const char* folder : {"closed", "closed/rank1"}) {
    fs::create_directories(ranks_.path(folder));
    fs::permissions(ranks_.path(folder), fs::perms::owner_read | fs::perms::owner_exec);
    std::vector<net::Process> all;
    for (int rank = 0; rank < Ranks::kSize; ++rank) {
      all.emplace_back(rank == 1 ? closed : ranks_.command("train", rank));
    }
    expect_all_refused(ends_of(all), HasSubstr("Permission denied"));
    fs::permissions(ranks_.path(folder), fs::perms::owner_all);
  }
}

TEST_F(BadInput, OfAnotherJobInTheFolderIsRefusedUntilItIsMovedAside) {
  expect_success(ranks_.run_all("train", sets({"training.epochs=2", "training.seed=2"})));
  fs::resize_file(ranks_.output(1) / "events.jsonl", fs::file_size(ranks_.output(1) / "events.jsonl") - 20);
  const auto size = [&](int rank) { return fs::file_size(ranks_.output(rank) / "events.jsonl"); };
  const auto before = size(1);
  for (const Words& start : {Words{}, Words{"--resume"}}) {
    const std::vector<net::Ended> ends = ranks_.run_all("train", start);
    EXPECT_EQ(ends[1].exit_code, 2) << ends[1];
    EXPECT_THAT(ends[1].err,
                AllOf(HasSubstr("holds a run of another job: training.seed was 2 and is 1"), HasSubstr("--afresh")));
    EXPECT_EQ(size(1), before) << "the files of the other run are unchanged";
  }
}

TEST_F(BadInput, OfNothingToResumeFromIsSaidByAll) {
  for (const net::Ended& one : ranks_.run_all("train", {"--resume"})) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, AllOf(HasSubstr("there is nothing to resume from"), Not(HasSubstr("to go on, at every"))));
  }
}

TEST_F(BadInput, OfAMissingDealerIsNamedAtTheDeadline) {
  net::Process first = ranks_.start("train", 0, {"--deadline", "1"}), second = ranks_.start("train", 1);
  for (net::Process* one : {&first, &second}) {
    const net::Ended ended = one->wait(kSoon);
    EXPECT_EQ(ended.exit_code, 3) << ended;
    EXPECT_THAT(ended.err, HasSubstr("rank 2 (dealer) did not come to rank 0"));
  }
}

TEST_F(BadInput, OfTheSeatIsExplainedBeforeItIsRefused) {
  net::Command nameless{
      {TACIT, "train", ranks_.path("job.toml"), "--explain"}, {{"RANK", ""}, {"MASTER_ADDR", ""}}, -1};
  net::Ended ended = net::Process(nameless).wait(kSoon);
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.out,
              AllOf(HasSubstr("# rank: not stated\n# world size: 4 (" + ranks_.path("job.toml") + ":"),
                    HasSubstr("# address of rank 0: not stated\n"), testing::ContainsRegex("bits = 64 +# default")));
  EXPECT_THAT(ended.err, HasSubstr("RANK is not set"));
  nameless.arguments.insert(nameless.arguments.end(), {"--json", "--rank", "1"});
  ended = net::Process(nameless).wait(kSoon);
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["exit_code"], 2);
  EXPECT_THAT(json["job"].get<std::string>(), testing::StartsWith("# rank: 1 (--rank)\n"));
}

// A user who will wait for hours for other ranks wants the explanation now.
TEST_F(BadInput, IsNotNeededForAnExplanationBeforeTheOthersAreThere) {
  net::Process alone = ranks_.start("train", 1, {"--explain", "--deadline", "60"});
  ASSERT_TRUE(alone.prints("listens at 127.0.0.1:", kSoon));
  EXPECT_THAT(alone.out(), HasSubstr("# address of rank 0: 127.0.0.1 (--master)"));
  alone.signal(SIGTERM);
  EXPECT_EQ(alone.wait(kSoon).exit_code, 143);
}

TEST_F(BadInput, InJsonIsOneValueOnStdout) {
  const net::Ended ended = ranks_.start("train", 1, {"--key", ranks_.path("key0"), "--json"}).wait(kSoon);
  EXPECT_EQ(Json::parse(ended.out)["exit_code"], 2) << ended;
}

TEST_F(BadInput, PublicMasksThatDifferAreAFileToMendAtEveryRank) {
  gnn::GraphData part = gnn::read_graph(ranks_.path("rank1.npz"));
  std::swap(part.train_mask, part.test_mask);
  gnn::write_graph_npz(ranks_.path("rank1.npz"), part);
  for (const net::Ended& one : ranks_.run_all("train", sets({"training.epochs=2"}))) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, AllOf(HasSubstr("the public data of rank 1 and rank 0 differ"), HasSubstr("compare the files"),
                               Not(HasSubstr("same version"))));
  }
}

}  // namespace
}  // namespace tacit::launcher
