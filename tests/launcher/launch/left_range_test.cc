// Logits that leave a declared range, tested through the command: the watch's sentence at every
// rank, the range check of `tacit plan` with the values to declare, and both remedies: to declare
// the values at the start, or at a resume.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "launcher/json.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The logits leave their range between epochs 20 and 40: never in the first epochs, and certainly
// before the last.
constexpr const char* kJob = R"(
name = "logits"
parties = 2
correlations = "dealer"

[data]
features = "columns"
edges = "public"
labels = "rank 1"
masks = "public"
classes = 3
files = "rank{rank}.npz"

[[model.layers]]
kind = "gcn"
outputs = 3

[training]
epochs = 60
optimiser = { kind = "sgd", rate = 0.5 }

[ranges]
activations = 2

[checkpoints]
every = 1

[[reveal.metric]]
what = "accuracy"
part = "test"
)";

const Words kResultsForAll = {"--set", "reveal.model=everyone", "--set", "reveal.predictions=everyone"};

class LeftRange : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(job()) << kJob;
    const std::string whole = path("whole.npz");
    const net::Ended made = run({"data", "make", "communities", "--nodes", "140", "--features", "60", "--classes", "3",
                                 "--validate", "10", "--test", "50", "--out", whole});
    ASSERT_EQ(made.exit_code, 0) << made;
    ASSERT_EQ(run({"data", "split", whole, "--job", job(), "--out", folder_.path()}).exit_code, 0);
  }

  static net::Ended run(Words words) {
    words.insert(words.begin(), TACIT);
    return net::Process({words, {}, -1}).wait(100s);
  }
  net::Ended launch(const std::string& output, const Words& more) const {
    Words words = {"launch", "-n", "2", job(), "--output", path(output)};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Json range_check(const Words& more) const {
    Words words = {"plan", job(), "--check-ranges", "60", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const net::Ended ended = run(words);
    EXPECT_EQ(ended.exit_code, 0) << ended;
    return Json::parse(ended.out)["ranges"];
  }
  // The losses that rank 0 reported, by epoch.
  std::map<int, double> losses(const std::string& output) const {
    std::map<int, double> found;
    std::ifstream in(path(output) + "/rank0/events.jsonl");
    for (std::string line; std::getline(in, line);) {
      const Json event = Json::parse(line);
      if (event["event"] == "epoch" && event["loss"].is_number()) found[event["epoch"]] = event["loss"];
    }
    return found;
  }
  // The sentence and the exit code in each rank's own account.
  void expect_failed_at_every_rank(const std::string& output) const {
    for (const char* rank : {"rank0", "rank1", "rank2"}) {
      std::ifstream in(path(output) + "/" + rank + "/summary.json");
      const Json summary = Json::parse(in);
      EXPECT_EQ(summary["result"], "failed") << rank << summary;
      EXPECT_EQ(summary["exit_code"], 2) << rank << summary;
      EXPECT_THAT(summary.dump(), HasSubstr("the logits left their range of 2")) << rank;
    }
  }
  // The files of revealed results of all ranks.
  std::vector<fs::path> results(const std::string& output) const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(path(output))) {
      const fs::path name = file.path().filename();
      if (name == "model.npz" || name == "predictions.npz") found.push_back(file.path());
    }
    return found;
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::string job() const { return path("job.toml"); }

  TemporaryFolder folder_;
};

TEST_F(LeftRange, EndsAllRanksWithTwoAndNamesLogitsRangeAndSetting) {
  const net::Ended ended = launch("out", {});
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("the logits left their range of 2"), HasSubstr("set ranges.activations = 8"),
                               HasSubstr("the newest checkpoint from before is of epoch")));
  expect_failed_at_every_rank("out");
}

// With an audit in every epoch, and with an audit only in the last epoch.
TEST_F(LeftRange, LeavesNoModelAndNoPredictionsAtAnyRankThoughBothAreForEveryone) {
  for (const Words& audits : {Words{}, Words{"--set", "audit.every=1000", "--set", "checkpoints.every=0"}}) {
    Words words = kResultsForAll;
    words.insert(words.end(), audits.begin(), audits.end());
    const std::string output = audits.empty() ? "every" : "last";
    const net::Ended ended = launch(output, words);
    EXPECT_EQ(ended.exit_code, 2) << ended;
    EXPECT_THAT(ended.err, HasSubstr("the logits left their range of 2"));
    expect_failed_at_every_rank(output);
    EXPECT_THAT(results(output), testing::IsEmpty());
    EXPECT_EQ(losses(output).contains(59), !audits.empty()) << "the last audit ends the last epoch, no other";
    EXPECT_FALSE(losses(output).contains(60));
  }
}

TEST_F(LeftRange, OfTheEpochsBetweenTwoAuditsIsToldByTheNextOne) {
  const net::Ended ended = launch("out", {"--set", "audit.every=5"});
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("the logits left their range of 2"), HasSubstr("set ranges.activations = 8")));
}

TEST_F(LeftRange, IsNotReportedWithTheWatchOffAsPlanRunAndReportSay) {
  Words off = kResultsForAll;
  off.insert(off.end(), {"--set", "audit.every=off"});
  const net::Ended ended = launch("out", off);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_EQ(results("out").size(), 4u) << "a model and predictions at both parties";
  const std::string said = ended.out + ended.err;
  EXPECT_THAT(said, AllOf(HasSubstr("the range watch is off"), testing::Not(HasSubstr("x range watch"))));
  std::ifstream report(path("out") + "/report.html");
  EXPECT_THAT(std::string(std::istreambuf_iterator<char>(report), {}), HasSubstr("Ranges: the range watch is off"));
  EXPECT_THAT(run({"plan", job(), "--set", "audit.every=off"}).out, HasSubstr("the range watch is off"));
  EXPECT_THAT(run({"plan", job()}).out, testing::Not(HasSubstr("the range watch is off")));
}

TEST_F(LeftRange, IsNamedByThePlansRangeCheckWithTheValueThatIsEnough) {
  for (const Words& sample : {Words{}, Words{"--sample", path("whole.npz")}}) {
    const Json found = range_check(sample);
    ASSERT_EQ(found["left"].size(), 1u) << found;
    EXPECT_EQ(found["left"][0]["key"], "ranges.activations");
    EXPECT_TRUE(found["clean_then"]) << found;
    EXPECT_FALSE(found["clean"]);
    const std::string setting = fmt::format("ranges.activations={}", found["left"][0]["enough"].get<double>());
    Words declared = sample;
    declared.insert(declared.end(), {"--set", setting});
    EXPECT_TRUE(range_check(declared)["clean"]);
    if (!sample.empty()) continue;
    const net::Ended ended = launch("declared", {"--set", setting});
    EXPECT_EQ(ended.exit_code, 0) << ended;
  }
}

TEST_F(LeftRange, WidenedAtAResumeEndsLikeARunThatHadItFromTheStart) {
  ASSERT_EQ(launch("out", {}).exit_code, 2);
  const std::map<int, double> before = losses("out");
  EXPECT_GE(before.size(), 2u);
  EXPECT_FALSE(before.contains(60));
  const Words wide = {"--set", "ranges.activations=64"};
  const net::Ended resumed = launch("out", {"--resume", "--set", "ranges.activations=64"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed;
  const net::Ended whole = launch("wide", wide);
  ASSERT_EQ(whole.exit_code, 0) << whole;
  const std::map<int, double> found = losses("out"), expected = losses("wide");
  ASSERT_TRUE(expected.contains(60));
  ASSERT_TRUE(found.contains(60));
  EXPECT_NEAR(found.at(60), expected.at(60), 1e-3);
}

}  // namespace
}  // namespace tacit::launcher
