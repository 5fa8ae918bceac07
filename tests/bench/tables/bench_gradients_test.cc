// tacit bench gradients as a user calls it, with a program that stands in for the trainer. If the real trainer is
// built, the last test runs it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "launcher/settings/threads.h"
#include "tests/launcher/commands/command.h"
#include "tests/launcher/report/well_formed.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string text_in(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

class BenchGradients : public testing::Test {
 protected:
  BenchGradients() {
    fs::create_directories(programs());
    fs::copy_file(FAKE_TRAINER, programs() / "gradient_trainer");
    fs::permissions(programs() / "gradient_trainer", fs::perms::owner_all);
  }

  net::Ended run(std::vector<std::string> words, std::chrono::seconds within = 120s) const {
    words.insert(words.begin(), {TACIT, "bench", "gradients", "--output", output().string()});
    if (fs::exists(programs())) words.insert(words.end(), {"--programs", programs().string()});
    return net::Process({words, {}, -1}).wait(within);
  }
  // A few small trainings of the stand-in.
  std::vector<std::string> few(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"--quick", "--train", "100", "--test", "20", "--ranks", "2", "--ddp", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Json measured() const { return Json::parse(text_in(output() / "gradients.json")); }
  static const Json& table(const Json& measured, const std::string& name) {
    for (const Json& one : measured["tables"]) {
      if (one["name"] == name) return one["rows"];
    }
    throw std::runtime_error("there is no table " + name);
  }
  static Json row(const Json& rows, const std::string& label, const std::string& value) {
    for (const Json& one : rows) {
      if (one["labels"][label] == value) return one;
    }
    throw std::runtime_error("there is no row " + value);
  }
  void misbehave(const char* how, const std::string& text) const { std::ofstream(programs() / how) << text; }
  // True if no process of the run is left: neither ranks, nor processes that ranks started.
  bool nothing_runs() const {
    const std::string mine = (programs() / "gradient_trainer").string();
    for (const auto& entry : fs::directory_iterator("/proc")) {
      if (text_in(entry.path() / "cmdline").find(mine) != std::string::npos) return false;
    }
    return true;
  }

  fs::path output() const { return folder_.path() / "results"; }
  fs::path programs() const { return folder_.path() / "programs"; }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

TEST_F(BenchGradients, AnswerEachQuestionOfTheDocument) {
  const net::Ended ended = run(few({"--link", "1ms,1Gbit", "--seeds", "3"}));
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Json made = measured();
  const Json& ways = table(made, "ways");
  ASSERT_EQ(ways.size(), 8u);
  const Json gather = row(ways, "way", "gather-scatter")["figures"];
  EXPECT_EQ(gather["time of an iteration"]["runs"], (Json{0.131, 0.132, 0.133}))
      << "without the first iteration, by seed";
  EXPECT_EQ(gather["document's time of an iteration"]["runs"], Json{1.25639041});
  EXPECT_EQ(row(ways, "way", "async")["figures"]["latest gradient"]["max"], 3);
  const Json& ranks = table(made, "ranks");
  ASSERT_EQ(ranks.size(), 1u + 2 * 7u) << "the single process has no worker";
  EXPECT_EQ(ranks[1]["figures"]["sent per iteration"]["median"], 111) << "gather and scatter, rank 0";
  EXPECT_EQ(ranks[2]["figures"]["sent per iteration"]["median"], 37);
  EXPECT_EQ(ranks[2]["figures"]["CPU of a rank"]["median"], 50);
  const Json learning = row(table(made, "test results"), "way", "buckets")["figures"];
  EXPECT_EQ(learning["accuracy"]["runs"], (Json{37, 39, 41})) << "by seed";
  EXPECT_NEAR(learning["+- of accuracy"]["median"].get<double>(), 4.303 * 2 / std::sqrt(3.0), 0.01);
  EXPECT_EQ(learning["document's accuracy"]["runs"], Json{20.87});
  EXPECT_EQ(table(made, "training loss")[0]["figures"]["20"]["runs"].size(), 3u);
  EXPECT_EQ(table(made, "buckets").size(), 2u);
  EXPECT_EQ(table(made, "batches").size(), 2u);
  EXPECT_EQ(table(made, "epochs").size(), 2u);
  ASSERT_EQ(made["aims"].size(), 4u);
  EXPECT_EQ(made["aims"][0]["met"], true) << made["aims"];
  const Json hidden = made["aims"][1];
  if (usable_cores() > 2) {
    EXPECT_EQ(hidden["met"], true) << "0.03 of 0.05 s: " << hidden;
    EXPECT_THAT(text_in(programs() / "calls"), HasSubstr("link 0.2ms,1Gbit"));
  } else {
    EXPECT_EQ(hidden["met"], Json()) << hidden;
    EXPECT_THAT(hidden["measured"].get<std::string>(), HasSubstr("no core is free: 2 ranks on"));
    EXPECT_THAT(ended.out, HasSubstr("cannot be told"));
  }
  EXPECT_THAT(made["aims"][2]["measured"].get<std::string>(), HasSubstr("PyTorch's program was not measured"));
  EXPECT_THAT(made["aims"][3]["measured"].get<std::string>(), HasSubstr("our ranks always use TLS"));
  EXPECT_EQ(table(made, "models").size(), 3 * (6u + 2u))
      << "six ways of several ranks, and a pair with the single process";
  EXPECT_EQ(table(made, "said in the document").size(), 11u);
  EXPECT_THAT(text_in(programs() / "calls"), HasSubstr("buckets 1 of 2, bucket 25MB, batch 4, threads"));
  EXPECT_THAT(text_in(programs() / "calls"), HasSubstr("link 1ms,1Gbit"));
  EXPECT_THAT(made["command"].get<std::string>(), HasSubstr("--batch 4,8 --epochs 1,2 --update sync,async --seeds 3"));
  const std::string page = text_in(output() / "report.html");
  EXPECT_EQ(what_is_wrong_with(page), "");
  std::set<int> numbers;
  for (int number = 1; number <= 16; ++number) {
    if (page.find(fmt::format("Figure {}: ", number)) != std::string::npos) numbers.insert(number);
  }
  EXPECT_EQ(numbers.size(), 16u) << "sixteen charts, as in the document";
  EXPECT_THAT(page, HasSubstr("VGG-11 on four nodes (the document)"));
  EXPECT_THAT(page, HasSubstr("cannot be told"));
  EXPECT_GT(made["seconds"].get<double>(), 0);
  EXPECT_THAT(page, HasSubstr("The time that each benchmark took"));
  EXPECT_TRUE(nothing_runs());
}

TEST_F(BenchGradients, AnswerOnlyTheChosenQuestions) {
  const net::Ended ended =
      run(few({"--ways", "ring", "--update", "sync", "--batch", "8", "--epochs", "1", "--seeds", "1"}));
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Json made = measured();
  EXPECT_EQ(table(made, "ways").size(), 1u);
  EXPECT_TRUE(made["aims"].empty()) << "there is no model to compare with";
  for (const Json& one : made["tables"]) EXPECT_NE(one["name"], "buckets");
  EXPECT_THAT(text_in(output() / "report.html"), Not(HasSubstr("Figure 5: ")));
  EXPECT_THAT(made["notes"].dump(), HasSubstr("one seed has no interval"));
}

TEST_F(BenchGradients, TellIfAWayEndsWithAnotherModel) {
  misbehave("unlike", "ring");
  const net::Ended ended = run(few({"--ways", "ring,per-layer", "--update", "sync"}));
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_EQ(measured()["aims"][0]["met"], false);
  EXPECT_THAT(ended.out, HasSubstr("0 of 2 groups, of 4 trainings, are equal"));
  EXPECT_THAT(table(measured(), "said in the document").dump(), HasSubstr("1 of 2 ways end with other weights"));
}

TEST_F(BenchGradients, KeepAllOtherTrainingsIfSomeDiverge) {
  misbehave("diverge", "buckets 2");
  const net::Ended ended =
      run(few({"--seeds", "3", "--ways", "single,gather-scatter,per-layer,buckets", "--update", "sync"}));
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.err, HasSubstr("buckets of 25MB, 2 x 4, seed 2: diverged in iteration 3"));
  const Json made = measured();
  const Json& diverged = table(made, "diverged");
  ASSERT_GE(diverged.size(), 2u) << "one epoch, and buckets of 5 MB";
  EXPECT_EQ(diverged[0]["labels"]["training"], "buckets of 25MB, 2 x 4, seed 2");
  EXPECT_EQ(diverged[0]["labels"]["end"], "diverged in iteration 3");
  const auto runs = [&](const char* way) {
    return row(table(made, "ways"), "way", way)["figures"]["time of an iteration"]["runs"];
  };
  ASSERT_EQ(runs("buckets").size(), 2u) << "of the other seeds";
  EXPECT_NEAR(runs("buckets")[1].get<double>(), 0.103, 1e-9);
  EXPECT_EQ(runs("per-layer").size(), 3u);
  EXPECT_EQ(made["aims"][0]["met"], true) << "models of the other seeds: " << made["aims"];
  EXPECT_THAT(made["aims"][0]["measured"].get<std::string>(), HasSubstr("4 of 4 groups"));
  EXPECT_THAT(row(table(made, "said in the document"), "the document",
                  "an iteration takes longest in a single node, then with gather and scatter, then with all-reduce per "
                  "layer; data parallel is fastest")
                  .dump(),
              HasSubstr("cannot be told"))
      << "pairs of different seeds";
  EXPECT_THAT(made["notes"].dump(), HasSubstr("trainings diverged at a rate of 0.02"));
  EXPECT_THAT(text_in(output() / "report.html"), HasSubstr("diverged in iteration 3"));
  EXPECT_TRUE(nothing_runs());
}

TEST_F(BenchGradients, TellIfAllTrainingsDiverge) {
  misbehave("diverge", "ring 1");
  const net::Ended ended = run(few({"--ways", "ring", "--update", "sync", "--seeds", "1"}));
  ASSERT_EQ(ended.exit_code, 0) << ended;
  for (const Json& one : table(measured(), "diverged")) EXPECT_EQ(one["labels"]["end"], "diverged in iteration 3");
  EXPECT_TRUE(table(measured(), "ways").empty());
  EXPECT_EQ(what_is_wrong_with(text_in(output() / "report.html")), "");
}

TEST_F(BenchGradients, EndWithTheCodeOfARankThatFailsAndLeaveNothingRunning) {
  misbehave("die", "1");
  const net::Ended dead = run(few({"--ways", "buckets", "--update", "sync"}), 30s);
  EXPECT_EQ(dead.exit_code, 3) << dead;
  EXPECT_THAT(dead.err, HasSubstr("buckets of 25MB, 2 x 4, seed 1: rank 1 ended with exit code 3"));
  EXPECT_THAT(dead.err, HasSubstr("rank 1 | lost"));
  EXPECT_TRUE(nothing_runs());
  fs::remove(programs() / "die");
  misbehave("refuse", "data_batch_2.bin is too short");
  const net::Ended refused = run(few(), 30s);
  EXPECT_EQ(refused.exit_code, 2) << refused;
  EXPECT_THAT(refused.err, HasSubstr("data_batch_2.bin is too short"));
  EXPECT_FALSE(fs::exists(output() / "gradients.json"));
}

TEST_F(BenchGradients, EndARankThatIsSilentForTooLong) {
  misbehave("hang", "1");
  const net::Ended ended = run(few({"--ways", "buckets", "--update", "sync", "--silence", "2"}), 30s);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.err, HasSubstr("no rank wrote a line for too long, and all ranks were ended"));
  EXPECT_TRUE(nothing_runs());
}

TEST_F(BenchGradients, RunOverSshWithKeysAndAFolderOnEachHost) {
  const std::string hosts = folder().path() / "hosts", data = folder().path() / "pictures";
  std::ofstream(hosts) << fmt::format("127.0.0.1 {0}/a\nann@127.0.0.1 {0}/b\n", folder().path().string());
  fs::create_directories(data);
  std::ofstream(fs::path(data) / "data_batch_1.bin") << "x";
  const std::vector<std::string> words = {"--quick", "--ranks", "2",        "--hosts", hosts,    "--ssh", FAKE_SSH,
                                          "--ways",  "buckets", "--update", "sync",    "--data", data};
  const net::Ended ended = run(words);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_EQ(table(measured(), "ranks").size(), 2u);
  EXPECT_TRUE(fs::exists(folder().path() / "b" / "rank1.key") && fs::exists(folder().path() / "b" / "roster"));
  EXPECT_FALSE(fs::exists(folder().path() / "a" / "rank1.key")) << "a host has its own key alone";
  misbehave("die", "1");
  const net::Ended dead = run(words, 30s);
  EXPECT_EQ(dead.exit_code, 3) << dead;
  EXPECT_TRUE(nothing_runs());
  const net::Ended unreached =
      run({"--quick", "--ranks", "2", "--hosts", hosts, "--ssh", "false", "--data", data}, 30s);
  EXPECT_EQ(unreached.exit_code, 3) << unreached;
  EXPECT_THAT(unreached.err, HasSubstr("copying its key failed"));
  EXPECT_EQ(run({"--quick", "--ranks", "2", "--hosts", hosts}).exit_code, 2) << "which pictures?";
  EXPECT_EQ(run({"--quick", "--ranks", "3", "--hosts", hosts, "--data", data}).exit_code, 2) << "two hosts";
}

TEST_F(BenchGradients, RefuseBadOptionsBeforeTheyTrain) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(),
                 {"bench", "gradients", "--output", output().string(), "--programs", programs().string()});
    const Ran ran = tacit(words);
    EXPECT_EQ(ran.exit_code, 2) << testing::PrintToString(words) << ran;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << "one sentence: " << ran.err;
    return ran.err;
  };
  EXPECT_THAT(refusal({"--ways", "rings"}), HasSubstr("did you mean ring?; there are single,"));
  EXPECT_THAT(refusal({"--ways", "nothing"}), HasSubstr("there is no way \"nothing\""));
  EXPECT_THAT(refusal({"--buckets", "25MB,0MB"}), HasSubstr("a bucket of 0MB holds no gradient"));
  EXPECT_THAT(refusal({"--data", "/nowhere"}), HasSubstr("/nowhere: no such folder"));
  EXPECT_THAT(refusal({"--update", "async", "--ways", "ring"}), HasSubstr("--update sync,async"));
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"--batch", "0"},
                                                                                     {"--epochs", ""},
                                                                                     {"--update", "later"},
                                                                                     {"--seeds", "0"},
                                                                                     {"--ranks", "1"},
                                                                                     {"--rate", "nan"},
                                                                                     {"--staleness", "-1"},
                                                                                     {"--iterations", "0"},
                                                                                     {"--link", "fast"},
                                                                                     {"--train", "-1"}}) {
    refusal(words);
  }
  EXPECT_FALSE(fs::exists(output()));
  EXPECT_FALSE(fs::exists(programs() / "calls")) << "no rank was started";
}

TEST_F(BenchGradients, NameThePackageIfTheTrainerIsNotBuilt) {
  fs::remove(programs() / "gradient_trainer");
  const net::Ended ended = run({"--quick"});
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, HasSubstr("it needs libtorch; install it (Debian: apt install libtorch-dev)"));
  EXPECT_THAT(ended.err, HasSubstr("`tacit bench collectives` measures the ways to add up without training"));
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << "one sentence";
  EXPECT_FALSE(fs::exists(output()));
}

// The smallest real trainings: every way, and one process with the ranks' parts of the batch, end with one model.
TEST_F(BenchGradients, TrainARealModelWhereTheTrainerIsBuilt) {
  const fs::path trainer = fs::path(TACIT).parent_path().parent_path() / "bench" / "gradient_trainer";
  if (!fs::exists(trainer)) GTEST_SKIP() << trainer << " is not built: it needs libtorch";
  fs::remove_all(programs());
  const net::Ended ended = run({"--ranks", "2", "--train", "16", "--test", "20", "--batch", "2", "--epochs", "1",
                                "--iterations", "2", "--buckets", "10MB", "--seeds", "1", "--ddp", "none"},
                               500s);
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Json made = measured();
  ASSERT_EQ(made["aims"].size(), 4u);
  EXPECT_EQ(made["aims"][0]["met"], true) << table(made, "models").dump(1);
  EXPECT_EQ(table(made, "models").size(), 6u + 2u);
  constexpr double kGradient = 4 * 9.2256;  // MB
  const auto sent = [&](std::size_t way) {
    return table(made, "ranks")[way]["figures"]["sent per iteration"]["median"].get<double>();
  };
  for (const std::size_t row : {1u, 3u, 5u, 7u, 9u}) {
    EXPECT_NEAR(sent(row), kGradient, 0.2 * kGradient)
        << table(made, "ranks")[row]["labels"] << ": each of two ranks sends one gradient";
  }
  for (const Json& row : table(made, "ways")) {
    const auto time = [&](const char* part) { return row["figures"][part]["median"].get<double>(); };
    EXPECT_GT(time("time of an iteration"), 0) << row["labels"];
    EXPECT_NEAR(time("computing") + time("waiting"), time("time of an iteration"), 0.1 * time("time of an iteration"));
  }
  const net::Ended wild = run({"--ranks",        "2",    "--train",      "40",
                               "--test",         "20",   "--batch",      "2",
                               "--epochs",       "1",    "--iterations", "2",
                               "--buckets",      "10MB", "--seeds",      "1",
                               "--ddp",          "none", "--ways",       "single,buckets",
                               "--update",       "sync", "--rate",       "16",
                               "--no-batch-norm"},
                              200s);
  ASSERT_EQ(wild.exit_code, 0) << wild;
  EXPECT_EQ(table(measured(), "diverged").size(), 2u + 2u) << "one epoch of each, and the comparison of models";
}

}  // namespace
}  // namespace tacit::launcher
