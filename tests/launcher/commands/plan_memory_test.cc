// The planned memory of small jobs is near the measured peak of each rank, also where a rank takes memory before data are shared:
// for measuring the links, and for the account of privacy.
#include <fmt/format.h>

#include <fstream>

#include "tests/launcher/commands/plan_of.h"
#include "tests/net/process.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;

struct SmallJob {
  const char* name;
  const char* head;  // beside name and parties
  const char* edges;
  std::string tables;
  bool dealer = true;
};

constexpr const char* kLayers = R"(
[model]
layers = [{ kind = "dense", outputs = 8 }, { kind = "relu" }, { kind = "dense", outputs = 1 }]
[training]
epochs = 3
batch = 16
loss = "logistic"
)";
constexpr const char* kPrivacy = R"(
[privacy]
epsilon = 2.0
delta = 1e-5
clip = 1.0
[reveal]
loss = "nobody"
model = "everyone"
)";
constexpr const char* kPerturbed = R"(
[model]
perturbed = { hidden = 8, head = 8, encoder_epochs = 3 }
[training]
epochs = 3
optimiser = { kind = "adam", rate = 0.01 }
[privacy]
unit = "edge"
epsilon = 8.0
delta = 1e-5
[reveal]
loss = "nobody"
)";
constexpr const char* kDealt = "correlations = \"dealer\"\n";

class PlannedMemoryOf : public testing::TestWithParam<SmallJob> {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }

 private:
  TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(
    SmallJobs, PlannedMemoryOf,
    testing::Values(SmallJob{"Plain", kDealt, "none", kLayers},
                    SmallJob{"MeasuredLinks", "correlations = \"dealer\"\nopenings = \"measured\"\n", "none", kLayers},
                    SmallJob{"Private", kDealt, "none", std::string(kLayers) + kPrivacy},
                    SmallJob{"Aggregate", "correlations = \"none\"\n", "none",
                             std::string(kLayers) + "mode = \"aggregate\"\n" + kPrivacy, false},
                    SmallJob{"PerturbedEdges", kDealt, "any", kPerturbed}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(PlannedMemoryOf, IsNearThePeakOfEachRank) {
  constexpr int kParties = 2;
  const std::string job = path("job.toml");
  std::ofstream(job) << fmt::format(
      "name = \"small\"\nparties = {}\n{}\n[data]\nfeatures = \"rows\"\nedges = \"{}\"\nlabels = \"rows\"\nmasks = "
      "\"rows\"\n"
      "classes = 2\nfiles = \"rank{{rank}}.npz\"\n[preprocessing]\nfeatures = \"none\"\n{}",
      kParties, GetParam().head, GetParam().edges, GetParam().tables);
  ASSERT_EQ(tacit({"data", "make", "communities", "--nodes", "120", "--classes", "2", "--features", "12", "--words",
                   "4", "--validate", "20", "--test", "20", "--out", path("whole.npz")})
                .exit_code,
            0);
  ASSERT_EQ(tacit({"data", "split", path("whole.npz"), "--job", job}).exit_code, 0);
  const Ran plan = tacit({"plan", job, "--json"});
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const auto launched =
      net::Process({{TACIT, "launch", job, "--output", path("run")}, {}, -1}).wait(std::chrono::seconds(100));
  ASSERT_EQ(launched.exit_code, 0) << launched.err;
  for (int rank = 0; rank < kParties + (GetParam().dealer ? 1 : 0); ++rank) {
    std::ifstream file(fs::path(path("run")) / fmt::format("rank{}", rank) / "summary.json");
    const double peak = Json::parse(file)["peak_memory"];
    const double planned = plan.json()["memory"][rank < kParties ? "party" : "dealer"];
    EXPECT_LT(peak, 1.2 * planned) << "rank " << rank;
    EXPECT_GT(peak, 0.7 * planned) << "rank " << rank;
  }
}

// The edges of all owners are joined, and the graph is normalised twice, one normalisation after the other: the values of these
// steps do not add up.
TEST(PlannedMemory, OfAGraphThatTwoNormalisationsReadIsNearThePeak) {
  const TemporaryFolder folder;
  const auto path = [&](const std::string& name) { return (folder.path() / name).string(); };
  const std::string job = path("job.toml");
  for (const char* edges : {"any", "rank 1"}) {
    SCOPED_TRACE(edges);
    std::ofstream(job) << fmt::format(R"(
name = "two"
parties = 2
correlations = "dealer"
[data]
features = "rank 0"
edges = "{}"
labels = "rank 1"
masks = "public"
classes = 3
files = "rank{{rank}}.npz"
[model]
layers = [{{ kind = "gcn", outputs = 8 }}, {{ kind = "relu" }}, {{ kind = "sage", outputs = 3 }}]
[training]
epochs = 3
loss = "cross-entropy"
)",
                                      edges);
    ASSERT_EQ(tacit({"data", "make", "communities", "--nodes", "900", "--classes", "3", "--features", "12", "--words",
                     "4", "--validate", "20", "--test", "20", "--out", path("whole.npz"), "--force"})
                  .exit_code,
              0);
    ASSERT_EQ(tacit({"data", "split", path("whole.npz"), "--job", job, "--force"}).exit_code, 0);
    const Ran plan = tacit({"plan", job, "--json"});
    ASSERT_EQ(plan.exit_code, 0) << plan.err;
    const auto launched = net::Process({{TACIT, "launch", job, "--afresh", "--output", path("run")}, {}, -1})
                              .wait(std::chrono::seconds(100));
    ASSERT_EQ(launched.exit_code, 0) << launched.err;
    double most = 0;
    for (const char* rank : {"rank0", "rank1"}) {
      std::ifstream file(fs::path(path("run")) / rank / "summary.json");
      most = std::max(most, Json::parse(file)["peak_memory"].get<double>());
    }
    const double planned = plan.json()["memory"]["party"];
    EXPECT_LT(most, 1.2 * planned);
    EXPECT_GT(most, 0.6 * planned);
  }
}

}  // namespace
}  // namespace tacit::launcher
