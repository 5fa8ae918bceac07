// Features that are whole numbers have no fraction bits on shares: the training equals its twin (plaintext reference), sends less,
// and costs as much as planned. A feature that is no whole number is refused at its owner.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gnn/run/openings.h"
#include "gnn/run/planned_run.h"
#include "tests/gnn/data/refusal.h"
#include "tests/gnn/ownership_of.h"
#include "tests/gnn/run/job_refusal.h"
#include "tests/gnn/run/trained_job.h"
#include "tests/gnn/run/whole_run.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

// Words that occur in a node, once or never, and one column with other whole numbers.
Job words_job(const Ownership& owners, std::vector<LayerSpec> layers) {
  Job job = communities_job(owners);
  job.whole.x = dense(job.whole);
  job.whole.sparse_x.reset();
  for (Eigen::Index row = 0; row < job.whole.x->rows(); ++row)
    (*job.whole.x)(row, 3) = static_cast<double>(row % 5 - 2);
  job.data.features = FeatureScaling::kWhole;
  job.training.model.layers = std::move(layers);
  job.training.rate.initial = 0.1;
  std::get<SgdOptions>(job.training.optimiser).momentum = 0;
  job.training.epochs = 12;
  job.training.predictions_to = mpc::To::rank(0);
  return job;
}

std::vector<LayerSpec> two(Kind kind) {
  return {{.kind = kind, .outputs = 8}, {.kind = Kind::kRelu}, {.kind = kind, .outputs = 3}};
}

struct WholeCase {
  const char* name;
  Job (*job)();
  bool sends_less = true;
};

class WholeFeatures : public testing::TestWithParam<WholeCase> {};

INSTANTIATE_TEST_SUITE_P(
    Jobs, WholeFeatures,
    testing::Values(
        WholeCase{"DenseOfRows", [] { return words_job(ownership_of("rows", "none", "rows"), two(Kind::kDense)); }},
        WholeCase{"DenseOfColumns",
                  [] { return words_job(ownership_of("columns", "none", "rank 0"), two(Kind::kDense)); }},
        WholeCase{"DenseInBatches",
                  [] {
                    Job job = words_job(ownership_of("rank 0", "none", "rank 0"), two(Kind::kDense));
                    job.training.batch = 12;
                    return job;
                  }},
        WholeCase{
            "OneDenseLayer",
            [] { return words_job(ownership_of("rows", "none", "rows"), {{.kind = Kind::kDense, .outputs = 3}}); },
            false},
        WholeCase{"MeansOfAPublicGraph",
                  [] { return words_job(ownership_of("rows", "public", "rows"), two(Kind::kMeanAggregation)); }},
        WholeCase{"MeansOfASecretGraph",
                  [] { return words_job(ownership_of("columns", "edges", "rank 0"), two(Kind::kMeanAggregation)); }},
        WholeCase{"Convolutions",
                  [] { return words_job(ownership_of("rows", "public", "rows"), two(Kind::kGraphConvolution)); },
                  false},
        WholeCase{"ConvolutionsOfASecretGraph",
                  [] { return words_job(ownership_of("rank 0", "edges", "rows"), two(Kind::kGraphConvolution)); }},
        WholeCase{"SumsOfAPublicGraph",
                  [] {
                    Job job = words_job(ownership_of("rows", "public", "rows"), two(Kind::kSumAggregation));
                    job.training.model.layers[0].epsilon = 1;
                    job.training.rate.initial = 0.01;
                    return job;
                  }},
        WholeCase{"SumsOfAPublicGraphWithAFractionOfTheNode",
                  [] {
                    Job job = words_job(ownership_of("rows", "public", "rows"), two(Kind::kSumAggregation));
                    job.training.model.layers[0].epsilon = 0.5;
                    job.training.rate.initial = 0.01;
                    return job;
                  },
                  false},
        WholeCase{"SumsOfASecretGraph",
                  [] {
                    Job job = words_job(ownership_of("rows", "any", "rows"), two(Kind::kSumAggregation));
                    job.training.rate.initial = 0.01;
                    return job;
                  }},
        WholeCase{"SumsOfASecretGraphWithAFractionOfTheNode",
                  [] {
                    Job job = words_job(ownership_of("rows", "any", "rows"), two(Kind::kSumAggregation));
                    job.training.model.layers[0].epsilon = 0.5;
                    job.training.rate.initial = 0.01;
                    return job;
                  },
                  false},
        WholeCase{"DroppedData",
                  [] {
                    auto layers = two(Kind::kDense);
                    layers.insert(layers.begin(), {.kind = Kind::kDropout, .rate = 0.25});
                    return words_job(ownership_of("rows", "none", "rows"), layers);
                  }},
        WholeCase{"Propagated",
                  [] {
                    auto layers = two(Kind::kDense);
                    layers.insert(layers.begin(), {.kind = Kind::kPropagation, .steps = 2});
                    return words_job(ownership_of("rows", "public", "rows"), layers);
                  },
                  false},
        WholeCase{"ResidualAndLayerNorm",
                  [] {
                    auto layers = two(Kind::kDense);
                    layers[0].outputs = 40;
                    layers[0].residual = true;
                    layers.insert(layers.begin() + 1, {.kind = Kind::kLayerNorm});
                    return words_job(ownership_of("rows", "none", "rows"), layers);
                  },
                  false}),
    [](const auto& tested) { return tested.param.name; });

Twin twin_of_words(const Job& job) {
  Twin twin;
  PlainTrainer trainer(job.training, {*job.whole.x,
                                      one_hot(*job.whole.classes, job.data.classes),
                                      edges_between_rows(job.whole),
                                      rows_where(job.whole.train_mask),
                                      rows_where(job.whole.val_mask),
                                      rows_where(job.whole.test_mask),
                                      job.data.private_graph() || job.data.private_masks(),
                                      {},
                                      {}});
  trainer.run([&](const EpochEvent& event) {
    twin.losses.push_back(*event.loss);
    if (event.last) twin.reading = event.readings[0].value;
  });
  return twin;
}

mpc::Cost planned_cost(const Job& job, int parties, int rank) {
  std::vector<GraphData> parts;
  for (int party = 0; party < parties; ++party) {
    parts.push_back(part_of(job.whole, job.data.ownership, party, parties));
  }
  return planned_run(job.data, job.training, agreement_of(job.data, job.training, parts),
                     {parties, rank, *plan_of(job.training.openings, parties)})
      .total.cost;
}

TEST_P(WholeFeatures, TrainLikeTheTwinAndCostWhatWasPlanned) {
  const Job job = GetParam().job();
  const Twin twin = twin_of_words(job);
  EXPECT_LT(twin.losses.back(), twin.losses.front());
  for (const int parties : kSlowdown == 1 ? std::vector{1, 2, 3, 5} : std::vector{2}) {
    SCOPED_TRACE(parties);
    const Outcome outcome = outcome_of(job, parties);
    ASSERT_EQ(outcome.losses.size(), twin.losses.size());
    for (std::size_t i = 0; i < twin.losses.size(); ++i) {
      EXPECT_NEAR(outcome.losses[i], twin.losses[i], 1e-2 * twin.losses[i]) << "epoch " << i + 1;
    }
    EXPECT_NEAR(outcome.ranks[0].readings.at(0).value, twin.reading, 0.06);
    for (int rank = 0; rank < parties && parties > 1; ++rank) {
      EXPECT_EQ(outcome.ranks[static_cast<std::size_t>(rank)].cost, planned_cost(job, parties, rank))
          << "rank " << rank;
    }
  }
}

TEST_P(WholeFeatures, SendNoMoreThanFeaturesWithFractions) {
  const Job whole = GetParam().job();
  Job with_fractions = whole;
  with_fractions.data.features = FeatureScaling::kNone;
  const mpc::Cost own = planned_cost(whole, 2, 0), other = planned_cost(with_fractions, 2, 0);
  EXPECT_LE(own.rounds, other.rounds);
  EXPECT_LE(own.bytes, other.bytes);
  if (GetParam().sends_less) {
    EXPECT_LT(own.bytes, other.bytes);
  }
}

TEST(WholeFeature, IsAlsoOneOfOtherDataInAPrediction) {
  Job job = words_job(ownership_of("rows", "none", "rows"), two(Kind::kDense));
  job.training.model_to = mpc::To::rank(0);
  const Trained trained(job, 2);
  const std::vector<RunResult> results = trained.predicted(job.whole);
  ASSERT_TRUE(results[0].predictions.values);
  const Matrix z = trained.plain_outputs(job.whole);
  Eigen::Index others = 0;
  for (Eigen::Index row = 0; row < z.rows(); ++row) {
    Eigen::Index likeliest = 0;
    z.row(row).maxCoeff(&likeliest);
    others += static_cast<Eigen::Index>((*results[0].predictions.values)(row, 0)) == likeliest ? 0 : 1;
  }
  EXPECT_LE(others, z.rows() / 20);
  GraphData half = job.whole;
  (*half.x)(7, 1) = 0.5;
  EXPECT_THAT(refusal([&] { trained.predicted(half); }), testing::HasSubstr("no whole number"));
}

TEST(WholeFeature, ThatIsNoneIsRefusedByRowAndColumnBeforeAnythingIsShared) {
  Job job = words_job(ownership_of("rows", "none", "rows"), two(Kind::kDense));
  (*job.whole.x)(job.whole.x->rows() - 1, 2) = 0.25;  // rank 1 owns the row
  const std::vector<std::exception_ptr> errors = errors_before_sharing(job);
  EXPECT_THAT(net::message_of(errors[1]),
              testing::AllOf(testing::HasSubstr("x: row 59, column 2 is no whole number"),
                             testing::HasSubstr("say \"none\""), testing::Not(testing::HasSubstr("0.25"))));
  try {
    std::rethrow_exception(errors[1]);
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.told(), testing::StartsWith("its part of the data has a feature that is no whole number"));
    EXPECT_THAT(error.told(), testing::Not(testing::HasSubstr("row")));
  }
}

}  // namespace
}  // namespace tacit::gnn
