// training_bench trains as a job does: an epoch has the rounds and bytes that `tacit plan` states for the same job.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/launcher/commands/command.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using Words = std::vector<std::string>;

// One training of training_bench, and the lines of the same job. The job's ranges are the defaults of gnn::Ranges.
struct Work {
  const char* name;
  Words data;         // of `tacit data make`
  const char* edges;  // in [data]; {last}: the last party
  const char* lines;
};

constexpr const char* kSensors = R"(
[preprocessing]
features = "standardise"
targets = "standardise"
[model]
gcn = { hidden = 16 }
[training]
optimiser = { kind = "sgd", rate = 0.1 }
)";
constexpr const char* kCitations = R"(
[preprocessing]
features = "row-sum"
[model]
gcn = { hidden = 16 }
[training]
loss = "cross-entropy"
optimiser = { kind = "sgd", rate = 0.2, momentum = 0.9, weight_decay = 5e-4 }
)";

const Work kWorks[] = {
    {"sensors, private graph", {"sensors"}, "rank {last}", kSensors},
    {"sensors, public graph", {"sensors"}, "public", kSensors},
    {"citations, public graph", {"communities", "--nodes", "2708", "--features", "1433"}, "public", kCitations},
};

class TrainingBench : public testing::Test {
 protected:
  Json measured(int parties) const {
    const auto ended = net::Process({{TRAINING_BENCH, "--openings", "direct", "--epochs", "3", "--parties",
                                      std::to_string(parties), "--json", path("bench.json")},
                                     {},
                                     -1})
                           .wait(std::chrono::seconds(120));
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return Json::parse(std::ifstream(path("bench.json")))["tables"][0]["rows"];
  }

  // The costs of rank 0, by `tacit plan`.
  Json planned(const Work& work, int parties) const {
    std::string text =
        fmt::format("name = \"bench\"\nparties = {}\ncorrelations = \"dealer\"\nopenings = \"direct\"\n", parties);
    const std::string last = fmt::format("rank {}", parties - 1);
    text += fmt::format("[data]\nfeatures = \"rank 0\"\nedges = \"{}\"\nlabels = \"{}\"\nmasks = \"public\"\n",
                        work.edges == std::string("public") ? "public" : last, last);
    if (work.lines == kCitations) text += "class_names = [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]\n";
    text += work.lines;
    text += "epochs = 10\n";
    text += "[ranges]\nfeatures = 16\nweights = 16\nactivations = 128\ngradients = 128\nweight_gradients = 511\n";
    text += "[reveal]\nloss = \"everyone\"\n";
    std::ofstream(path("job.toml")) << text;
    Words make{"data", "make"};
    make.insert(make.end(), work.data.begin(), work.data.end());
    const std::string whole = path(fmt::format("{} of {}.npz", work.name, parties));
    make.insert(make.end(), {"--out", whole});
    EXPECT_EQ(tacit(make).exit_code, 0);
    const Ran plan = tacit({"plan", path("job.toml"), "--graph", whole, "--json"});
    EXPECT_EQ(plan.exit_code, 0) << plan.err;
    return plan.json()["ranks"][0]["epoch"];
  }

  std::string path(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

TEST_F(TrainingBench, MeasuresTheEpochsOfAJob) {
  for (const int parties : {2, 3}) {
    const Json rows = measured(parties);
    ASSERT_EQ(rows.size(), std::size(kWorks));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Work& work = kWorks[i];
      ASSERT_EQ(rows[i]["labels"]["work"], work.name);
      const Json epoch = planned(work, parties);
      const auto figure = [&](const char* name) { return rows[i]["figures"][name]["median"].get<double>(); };
      EXPECT_EQ(figure("rounds"), epoch["rounds"].get<double>()) << work.name;
      EXPECT_NEAR(figure("sent to a peer") * 1000 * (parties - 1), epoch["bytes"].get<double>(), 0.5) << work.name;
      EXPECT_NEAR(figure("dealt") * 1000, epoch["dealt_bytes"].get<double>(), 0.5) << work.name;
    }
  }
}

}  // namespace
}  // namespace tacit::launcher
