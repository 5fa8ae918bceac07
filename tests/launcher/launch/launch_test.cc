// Tests how ranks are started and ended; a script stands in for each rank.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "launcher/json.h"
#include "net/rendezvous/roster.h"
#include "tests/launcher/job/small_job.h"
#include "tests/launcher/processes/alive.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Launch : public testing::Test {
 protected:
  Launch() {
    std::filesystem::create_directory(output());
    write("small.toml", std::string(kSmallJob));
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
  // The script of a rank's stand-in.
  void script(int rank, const std::string& text) const { write("run/script" + std::to_string(rank), text + "\n"); }

  std::filesystem::path output() const { return folder_.path() / "run"; }

  net::Command command(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {
        TACIT, "launch", folder_.path() / "small.toml", "--output", output(), "--program", TACIT_RANK_STAND_IN};
    words.insert(words.end(), more.begin(), more.end());
    return {words, {}, -1};
  }
  net::Ended launch(const std::vector<std::string>& more = {}) const { return net::Process(command(more)).wait(60s); }

  struct Started {
    int rank = 0;
    pid_t pid = 0;
    std::string launch, words;
  };
  std::vector<Started> started() const {
    std::vector<Started> all;
    std::ifstream in(output() / "started");
    for (std::string line; std::getline(in, line);) {
      std::istringstream fields(line);
      Started one;
      fields >> one.rank >> one.pid >> one.launch;
      std::getline(fields, one.words);
      all.push_back(one);
    }
    return all;
  }
  std::vector<pid_t> pids() const {
    std::vector<pid_t> all;
    for (const Started& one : started()) all.push_back(one.pid);
    return all;
  }
  bool waits_for(std::size_t ranks) const {
    for (int tries = 0; tries < 2000 && started().size() < ranks; ++tries) ::usleep(5000);
    return started().size() == ranks;
  }

  TemporaryFolder folder_;
};

TEST_F(Launch, StartsAllRanksWithKeysARosterAndOnePort) {
  const net::Ended ended = launch({"--set", "training.epochs=5"});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const std::vector<Started> all = started();
  ASSERT_EQ(all.size(), 4u);
  const std::string roster = output() / "roster";
  std::string master;
  for (const Started& one : all) {
    const std::string key = output() / "keys" / fmt::format("rank{}.key", one.rank);
    EXPECT_THAT(one.words, AllOf(HasSubstr(fmt::format("train {} ", (folder_.path() / "small.toml").string())),
                                 HasSubstr("--world-size 4"), HasSubstr("--key " + key),
                                 HasSubstr("--set training.epochs=5"), HasSubstr("--set roster=" + roster)));
    const std::size_t at = one.words.find("--master 127.0.0.1:");
    ASSERT_NE(at, std::string::npos);
    const std::string its = one.words.substr(at, one.words.find(' ', at + 9) - at);
    EXPECT_EQ(master.empty() ? its : master, its);
    master = its;
    struct stat about {};
    ASSERT_EQ(::stat(key.c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0600u);
    EXPECT_EQ(net::Roster::load(roster).rank_of(net::Identity::load(key).fingerprint()), one.rank);
    EXPECT_THAT(ended.err, HasSubstr(fmt::format("rank {} | training\n", one.rank)));
  }
  EXPECT_EQ(net::Roster::load(roster).parties(), 3);
}

TEST_F(Launch, EndsWithATableOfAllRanksOrTheSameInJson) {
  EXPECT_EQ(launch().out,
            fmt::format("rank    role  epochs  loss  test rmse  rounds  MB out  MB in  time s  CPU s  memory MB\n"
                        "   0   party       5     -    11.5200       7    2.00   1.00    1.50   0.50         12\n"
                        "   1   party       5     -    11.5200       7    2.00   1.00    1.50   0.50         12\n"
                        "   2   party       5     -    11.5200       7    2.00   1.00    1.50   0.50         12\n"
                        "   3  dealer       5     -    11.5200       7    2.00   1.00    1.50   0.50         12\n"
                        "report: {}/report.html\n",
                        output().string()));
  EXPECT_TRUE(std::filesystem::exists(output() / "report.html"));
  const Json json = Json::parse(launch({"--json"}).out);
  ASSERT_EQ(json["ranks"].size(), 4u);
  EXPECT_EQ(json["ranks"][2]["rank"], 2);
  EXPECT_EQ(json["report"], (output() / "report.html").string());
}

TEST_F(Launch, KeepsTheKeysThatItMadeForTheFolder) {
  ASSERT_EQ(launch().exit_code, 0);
  const auto roster = net::Roster::load(output() / "roster").fingerprints();
  ASSERT_EQ(launch().exit_code, 0);
  EXPECT_EQ(net::Roster::load(output() / "roster").fingerprints(), roster);
}

TEST_F(Launch, OfAnotherNumberOfPartiesThanTheJobsIsRefusedBeforeAnythingStarts) {
  const net::Ended ended = launch({"-n", "2"});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("small.toml:2"), HasSubstr("the job has 3 parties, and -n says 2; say -n 3")));
  EXPECT_TRUE(started().empty());
}

TEST_F(Launch, IntoAFolderWhoseNameHasALineEndIsRefusedBeforeAnythingIsMade) {
  const std::string folder = folder_.path().string() + "/a\nc";
  const net::Ended ended =
      net::Process({{TACIT, "launch", folder_.path() / "small.toml", "--output", folder}, {}, -1}).wait(60s);
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("a\\x0ac has a line end: name another folder with --output"));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(Launch, SaysHowManyPartiesThereAreWhereTheJobDoesNot) {
  write("small.toml", small_job_with("parties = 3\n", ""));
  EXPECT_EQ(launch().exit_code, 2);
  const net::Ended ended = launch({"-n", "5"});
  EXPECT_EQ(ended.exit_code, 0) << ended;
  ASSERT_EQ(started().size(), 6u);
  EXPECT_THAT(started()[0].words, HasSubstr("--set parties=5"));
}

TEST_F(Launch, WithARosterButNoKeysIsRefused) {
  ASSERT_EQ(launch().exit_code, 0);
  const net::Ended ended = launch({"--set", "roster=" + (output() / "roster").string()});
  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_THAT(ended.err, HasSubstr("say keys.identity, or take the roster out"));
}

// Ranks inform each other of failures, so the rank with the faulty file need not end first.
TEST_F(Launch, EndsWithTheExitCodeOfTheCauseInAnyOrderOfEnds) {
  const std::string all_here = "while [ \"$(wc -l <\"$output/started\")\" -lt 4 ]; do sleep 0.01; done; ";
  const auto after = [&](int rank) {
    return all_here + fmt::format(
                          "while kill -0 \"$(sed -n 's/^{} \\([0-9]*\\) .*/\\1/p' \"$output/started\")\" 2>&-; "
                          "do sleep 0.01; done; ",
                          rank);
  };
  script(0, all_here + "exit 3");
  script(1, after(0) + "echo 'the disk is full' >&2; exit 2");
  script(2, after(1) + "exit 3");
  script(3, after(2) + "exit 3");
  const net::Ended ended = launch({"--restarts", "3"});
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 1 | the disk is full\n"), HasSubstr("rank 1 ended with exit code 2"),
                               Not(HasSubstr("restart"))));
  EXPECT_EQ(started().size(), 4u) << "no restart: the ranks would end the same way";

  script(3, after(2) + "exit 70");
  std::filesystem::remove(output() / "started");
  EXPECT_EQ(launch().exit_code, 70) << "a bug is a cause before all others";
}

TEST_F(Launch, SaysHowToGoOnWhereAllPartiesHaveACheckpoint) {
  for (const int rank : {0, 1})
    script(rank, "echo '{\"event\":\"checkpoint\"}' >\"$output/rank$rank/events.jsonl\"; exit 3");
  const std::string goes_on = "goes on from the last checkpoint";
  EXPECT_THAT(launch().err, AllOf(HasSubstr("ended with exit code 3"), Not(HasSubstr(goes_on)))) << "rank 2 has none";
  script(2, "echo '{\"event\":\"checkpoint\"}' >\"$output/rank$rank/events.jsonl\"; exit 3");
  EXPECT_THAT(launch().err, HasSubstr("; the same command " + goes_on));
  EXPECT_THAT(launch({"--afresh"}).err, HasSubstr("; the same command, without --afresh, " + goes_on));
}

// By the launch's name, ranks recognise the sessions that this launch began (trained_jobs_test).
TEST_F(Launch, SaysItsNameAndAfreshToAllRanksInEveryRestart) {
  script(0, "while [ $(($(wc -l <\"$output/started\") % 4)) -ne 0 ]; do sleep 0.01; done; exit 3");
  for (const int rank : {1, 2, 3}) script(rank, "exec sleep 60");
  EXPECT_EQ(launch({"--restarts", "2", "--afresh"}).exit_code, 3);
  ASSERT_EQ(started().size(), 12u);
  for (const Started& one : started()) {
    EXPECT_THAT(one.words, HasSubstr("--afresh"));
    EXPECT_THAT(one.launch, testing::MatchesRegex("[0-9a-f]{16}"));
    EXPECT_EQ(one.launch, started().front().launch);
  }
  EXPECT_EQ(launch({"--restarts", "1", "--resume"}).exit_code, 3);
  ASSERT_EQ(started().size(), 20u);
  EXPECT_NE(started()[12].launch, started()[0].launch) << "another launch";
  EXPECT_THAT(started()[12].words, HasSubstr("--resume"));
  EXPECT_THAT(started()[16].words, Not(HasSubstr("--resume"))) << "there may be no checkpoint yet";
}

TEST_F(Launch, EndsWithTheExitCodeOfTheFirstRankThatFailed) {
  for (const int rank : {0, 1}) script(rank, "exec sleep 60");
  script(2, "echo '{\"result\": \"failed\"}' >\"$output/rank2/summary.json\"; exec sleep 60");
  script(3,
         "while [ ! -e \"$output/rank2/summary.json\" ]; do sleep 0.01; done; while [ \"$(wc -l "
         "<\"$output/started\")\" -lt 4 ]; do sleep 0.01; done; echo 'the dealer is wrong' >&2; exit 4");
  const net::Ended ended = launch({"--json", "--restarts", "3"});
  EXPECT_EQ(ended.exit_code, 4);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 3 | the dealer is wrong\n"),
                               HasSubstr("rank 3 ended with exit code 4; its output is above")));
  const Json json = Json::parse(ended.out);
  EXPECT_EQ(json["exit_code"], 4);
  ASSERT_EQ(json["ranks"].size(), 4u);
  EXPECT_EQ(json["ranks"][2]["result"], "failed");
  EXPECT_TRUE(json["ranks"][0].is_null()) << "it wrote none";
  EXPECT_EQ(started().size(), 4u) << "no restart: the ranks would end the same way";
  EXPECT_TRUE(all_gone(pids(), 0ms));
}

// 137: a shell on another machine reports a killed rank. 255: ssh has lost the other machine.
TEST_F(Launch, WithARankLostOnAnotherMachineEndsWithThree) {
  for (const int code : {137, 255}) {
    script(1, fmt::format("exit {}", code));
    const net::Ended ended = launch();
    EXPECT_EQ(ended.exit_code, 3) << ended;
    EXPECT_THAT(ended.err, HasSubstr(fmt::format("rank 1 ended with exit code {}", code)));
  }
}

TEST_F(Launch, WithAKilledRankEndsWithThreeAndNoRankRuns) {
  for (const int rank : {0, 1, 2, 3}) script(rank, "exec sleep 60");
  net::Process launcher(command());
  ASSERT_TRUE(waits_for(4));
  ::kill(pids()[1], SIGKILL);
  const net::Ended ended = launcher.wait(5s);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.err,
              HasSubstr(fmt::format("rank {} was ended by SIGKILL; the others ended, too", started()[1].rank)));
  EXPECT_TRUE(all_gone(pids(), 0ms));
}

TEST_F(Launch, StartsAllAgainWhenARankWasLost) {
  const std::string lines = "$(wc -l <\"$output/started\")";
  script(1,
         fmt::format("while [ $(({} % 4)) -ne 0 ]; do sleep 0.01; done; [ {} -gt 8 ] || kill -KILL $$", lines, lines));
  for (const int rank : {0, 2, 3}) script(rank, fmt::format("[ {} -gt 8 ] || sleep 60", lines));
  const net::Ended few = launch({"--restarts", "1"});
  EXPECT_EQ(few.exit_code, 3) << few;
  EXPECT_THAT(few.err, AllOf(HasSubstr("; restart 1 of 1"), HasSubstr("after 1 restart")));
  EXPECT_EQ(started().size(), 8u);
  EXPECT_EQ(launch({"--restarts", "1"}).exit_code, 0);
}

TEST_F(Launch, ThatIsInterruptedEndsAll) {
  for (const int rank : {0, 1, 2}) script(rank, "exec sleep 60");
  script(3, "trap '' TERM; while :; do sleep 0.05; done");
  net::Process launcher(command());
  ASSERT_TRUE(waits_for(4));
  ::kill(launcher.pid(), SIGINT);
  const net::Ended ended = launcher.wait(5s);
  EXPECT_EQ(ended.exit_code, 130) << ended;
  EXPECT_THAT(ended.err, HasSubstr("SIGINT came, and all ranks were ended"));
  EXPECT_TRUE(all_gone(pids(), 0ms));
}

TEST_F(Launch, ThatIsKilledLeavesNothingRunning) {
  for (const int rank : {0, 1, 2}) script(rank, "exec sleep 60");
  script(3, "trap '' TERM; while :; do sleep 0.05; done");
  net::Process launcher(command());
  ASSERT_TRUE(waits_for(4));
  ::kill(launcher.pid(), SIGKILL);
  EXPECT_TRUE(all_gone(pids(), 2s));
}

}  // namespace
}  // namespace tacit::launcher
