// A job with logits that leave ±32 early, and without a revealed loss: only the result could show
// the error.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "launcher/json.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kWideJob = R"(
name = "sage"
correlations = "dealer"

[data]
features = "columns"
edges = "public"
labels = "rank 1"
masks = "public"
classes = 4
files = "rank{rank}.npz"

[preprocessing]
features = "standardise"

[[model.layers]]
kind = "sage"
outputs = 16
[[model.layers]]
kind = "relu"
[[model.layers]]
kind = "dropout"
rate = 0.5
[[model.layers]]
kind = "sage"
outputs = 4

[training]
epochs = 60
loss = "cross-entropy"
optimiser = { kind = "adam", rate = 0.05 }

[reveal]
loss = "nobody"
[[reveal.metric]]
what = "accuracy"
part = "test"
)";

net::Ended run_to_end(const std::vector<std::string>& words) { return net::Process({words, {}, -1}).wait(100s); }

// The last epoch that has a reading.
double accuracy_in(const fs::path& events) {
  std::ifstream in(events);
  double accuracy = -1;
  for (std::string line; std::getline(in, line);) {
    const Json event = Json::parse(line);
    if (event["event"] != "epoch" || event["readings"].empty()) continue;
    accuracy = event["readings"][0]["value"].get<double>();
  }
  return accuracy;
}

TEST(LaunchedJob, WithLogitsFarBeyond32IsAsAccurateAsOnPlainData) {
  for (const int parties : {2, 3, 5}) {
    const TemporaryFolder folder;
    const std::string job = folder.path() / "job.toml", whole = folder.path() / "whole.npz";
    std::ofstream(job) << fmt::format("parties = {}\n", parties) << kWideJob;
    const net::Ended made = run_to_end({TACIT, "data", "make", "communities", "--nodes", "300", "--features", "120",
                                        "--classes", "4", "--validate", "50", "--test", "150", "--out", whole});
    ASSERT_EQ(made.exit_code, 0) << made;
    const net::Ended split = run_to_end({TACIT, "data", "split", whole, "--job", job, "--out", folder.path()});
    ASSERT_EQ(split.exit_code, 0) << split;
    const fs::path output = folder.path() / "out";
    const net::Ended ended =
        run_to_end({TACIT, "launch", "-n", std::to_string(parties), job, "--output", output, "--plain"});
    ASSERT_EQ(ended.exit_code, 0) << ended;
    const double plain = accuracy_in(output / "plain" / "events.jsonl");
    EXPECT_GT(plain, 0.8);
    EXPECT_NEAR(accuracy_in(output / "rank0" / "events.jsonl"), plain, 0.05) << parties << " parties";
  }
}

}  // namespace
}  // namespace tacit::launcher
