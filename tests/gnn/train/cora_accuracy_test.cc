// A real citation graph, if it is available: secret training is as accurate as the twin (plaintext
// reference), and as accurate as the literature reports for such a model.
// $TACIT_SHARED_DATA/cora.npz, or ../shared/data/cora.npz beside the sources.
#include <gtest/gtest.h>

#include <cstdlib>

#include "gnn/data/graph_file.h"
#include "gnn/data/preparation.h"
#include "tests/gnn/train/sample_run.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

std::filesystem::path cora() {
  const char* folder = std::getenv("TACIT_SHARED_DATA");
  const auto beside = std::filesystem::path(TACIT_SOURCE_DIR) / "../shared/data";
  return (folder != nullptr ? std::filesystem::path(folder) : beside) / "cora.npz";
}

// The setting of Kipf and Welling: rows of features sum to 1, a dropout of one half everywhere,
// Adam.
TrainingPlan cora_plan(std::uint64_t seed) {
  TrainingPlan plan;
  plan.model.layers = {{.kind = Kind::kDropout, .rate = 0.5},
                       {.kind = Kind::kGraphConvolution, .outputs = 16},
                       {.kind = Kind::kRelu},
                       {.kind = Kind::kDropout, .rate = 0.5},
                       {.kind = Kind::kGraphConvolution, .outputs = 7}};
  plan.objective = Objective::kCrossEntropy;
  plan.optimiser = AdamOptions{.weight_decay = 5e-4};
  plan.rate.initial = 0.01;
  plan.epochs = 200;
  plan.seed = seed;
  plan.metrics = {{Metric::kAccuracy, Part::kTest}};
  return plan;
}

double accuracy_of(const Events& events) { return events.back().readings.at(0).value; }

TEST(CoraAccuracy, IsThatOfTheTwinAndOfTheLiterature) {
  if (!std::filesystem::exists(cora())) GTEST_SKIP() << cora() << " is not there";
  const GraphData data = read_graph(cora());
  double twins = 0, secret = 0;
  constexpr int kSeeds = 3;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    Sample sample = sample_of(data, cora_plan(static_cast<std::uint64_t>(seed)), GraphKind::kPublic);
    sample.x = with_rows_of_sum_1(*data.x);
    const double twin = accuracy_of(plain_run(sample));
    double found = 0;
    mpc::run_parties(2, [&](mpc::Session& session, int rank) {
      const Events events = secret_run(session, sample);
      if (rank == 0) found = accuracy_of(events);
    });
    std::printf("seed %d: %.1f %% on secrets, %.1f %% the twin\n", seed, 100 * found, 100 * twin);
    twins += twin / kSeeds;
    secret += found / kSeeds;
  }
  EXPECT_NEAR(secret, twins, 0.01);
  EXPECT_GE(secret, 0.795);
}

}  // namespace
}  // namespace tacit::gnn
