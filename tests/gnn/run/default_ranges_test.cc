// The default ranges fit every ring that a job may name, and are wide because width costs little.
#include <gtest/gtest.h>

#include "gnn/arithmetic/default_ranges.h"
#include "gnn/data/split.h"
#include "gnn/run/planned_run.h"
#include "net/error.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/sample_jobs.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

constexpr int kParties = 3;

std::vector<Job> sample_jobs() {
  return {sensors_job(ownership_of("columns", "rank 0", "rank 1", "public")),
          communities_job(ownership_of("columns", "public", "rank 0", "public"))};
}

PlannedRun planned(const Job& job) {
  std::vector<GraphData> parts;
  for (int rank = 0; rank < kParties; ++rank) parts.push_back(part_of(job.whole, job.data.ownership, rank, kParties));
  return planned_run(job.data, job.training, agreement_of(job.data, job.training, parts), {kParties, 0});
}

ModelSpec of_layers(const std::vector<Kind>& kinds, std::int64_t outputs) {
  ModelSpec model;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const bool last = i + 1 == kinds.size();
    model.layers.push_back({.kind = kinds[i], .outputs = last ? outputs : 8});
    if (!last) model.layers.push_back({.kind = Kind::kRelu});
  }
  return model;
}

TEST(DefaultRanges, FitEveryRingWithLayersOfEveryKind) {
  const std::vector<mpc::Format> formats{{64, 8},  {64, 13}, {64, 16}, {64, 20}, {56, 8},
                                         {56, 13}, {56, 18}, {48, 8},  {48, 12}, {48, 13}};
  const std::vector<std::vector<Kind>> models{{Kind::kDense},
                                              {Kind::kGraphConvolution, Kind::kGraphConvolution},
                                              {Kind::kMeanAggregation, Kind::kMeanAggregation},
                                              {Kind::kDense, Kind::kMeanAggregation, Kind::kGraphConvolution}};
  for (const Job& sample : sample_jobs()) {
    for (const mpc::Format format : formats) {
      for (const std::vector<Kind>& kinds : models) {
        Job job = sample;
        job.training.top = format;
        job.training.ranges = kDefaultRanges;
        job.training.epochs = 2;
        job.training.model = of_layers(kinds, job.data.classes > 0 ? job.data.classes : 1);
        EXPECT_NO_THROW(planned(job)) << format.ring_bits << ", " << format.fraction_bits << ", " << kinds.size();
      }
    }
  }
}

TEST(DefaultRanges, TakeAtMostOneRoundMoreThanNarrowOnesAndAFifthMoreBytes) {
  for (const Job& sample : sample_jobs()) {
    for (const bool adam : {false, true}) {
      Job wide = sample, narrow = sample;
      if (adam) wide.training.optimiser = narrow.training.optimiser = AdamOptions{};
      wide.training.ranges = kDefaultRanges;
      narrow.training.ranges = {16, 16, 128, 128, 511};
      const mpc::Cost cost = planned(wide).usual_epoch().cost, least = planned(narrow).usual_epoch().cost;
      EXPECT_LE(cost.rounds, least.rounds + 1) << adam;
      EXPECT_LE(static_cast<double>(cost.bytes), 1.20 * static_cast<double>(least.bytes)) << adam;
      EXPECT_LE(static_cast<double>(cost.dealt_bytes), 1.30 * static_cast<double>(least.dealt_bytes)) << adam;
    }
  }
}

}  // namespace
}  // namespace tacit::gnn
