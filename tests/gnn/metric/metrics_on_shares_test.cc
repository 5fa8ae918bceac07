// Every metric on shares against the twin's, for 2, 3 and 5 parties and awkward labels.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "gnn/data/preparation.h"
#include "gnn/graph/rows.h"
#include "gnn/metric/measure.h"
#include "gnn/plain/plain_metric.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/run_program.h"
#include "tests/sanitized.h"

namespace tacit::gnn {
namespace {

struct Judged {
  std::string name;
  Matrix z, y;
};

// Predictions that fixed point holds exactly, so that shares and the twin see the same ties.
Matrix exact(Matrix z, int bits = 8) {
  return z.unaryExpr([=](double one) { return std::ldexp(std::round(std::ldexp(one, bits)), -bits); });
}

Judged classes_case(const std::string& name, std::int64_t nodes, const std::vector<double>& shares, int bits,
                    unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::discrete_distribution<std::int64_t> draw(shares.begin(), shares.end());
  std::normal_distribution<double> noise(0, 2);
  std::vector<std::int64_t> classes;
  for (std::int64_t node = 0; node < nodes; ++node) classes.push_back(draw(random));
  const Matrix y = one_hot(classes, std::ssize(shares));
  const Matrix z = Matrix::NullaryExpr(nodes, y.cols(), [&] { return noise(random); }) + 1.5 * y;
  return {name, exact(z, bits), y};
}

std::vector<Judged> cases_of_classes() {
  return {classes_case("rare", 200, {0.97, 0.03}, 8),     classes_case("ties", 90, {0.6, 0.4}, 0),
          classes_case("none of class 1", 20, {1, 0}, 8), classes_case("class 1 alone", 20, {0, 1}, 8),
          classes_case("one node", 1, {0.5, 0.5}, 8),     classes_case("two nodes", 2, {0.5, 0.5}, 8, 5),
          classes_case("three", 61, {0.6, 0, 0.4}, 8),    classes_case("nine", 150, std::vector<double>(9, 1), 8),
          classes_case("as one", 33, {0.5, 0.5}, -8)};
}

std::vector<Revealed> metrics_of_classes(std::int64_t classes) {
  std::vector<Revealed> all = {{Metric::kAccuracy}, {Metric::kConfusion}, {Metric::kLogLoss}, {Metric::kLoss}};
  for (const Metric metric : {Metric::kPrecision, Metric::kRecall, Metric::kF1}) {
    Revealed one{metric};
    all.push_back(one);
    one.of_class = classes - 1;
    all.push_back(one);
    one.of_class.reset();
    for (const Average average : {Average::kMicro, Average::kMacro}) {
      one.average = average;
      all.push_back(one);
    }
  }
  for (const Metric metric : {Metric::kRocAuc, Metric::kAveragePrecision}) {
    for (std::int64_t of_class = 0; of_class < std::min<std::int64_t>(classes, 3); ++of_class) {
      Revealed one{metric};
      one.of_class = of_class;
      all.push_back(one);
    }
    Revealed binned{metric};
    binned.of_class = 1;
    binned.bins = 16;
    all.push_back(binned);
  }
  return all;
}

struct Evaluation {
  std::vector<Measured> readings;
  mpc::Cost cost;  // of the numbers to reveal
};

// The metrics in one evaluation, of predictions as a layer leaves them.
Evaluation evaluated(mpc::Session& session, mpc::Format top, const std::vector<Revealed>& metrics, const Judged& judged,
                     Objective objective) {
  Arithmetic arithmetic(session, top, {.activations = 127});
  const int owner = session.parties() - 1;
  const mpc::Format narrow{top.ring_bits - top.fraction_bits, top.fraction_bits};
  const Tensor y(mpc::input(session, owner, mpc::shape_of(judged.y), top, &judged.y, "y"), 16, "y");
  const Tensor z(mpc::input(session, 0, mpc::shape_of(judged.z), narrow, &judged.z, "z"), 127, "z");
  std::vector<std::unique_ptr<Measure>> measures;
  for (const Revealed& what : metrics) measures.push_back(make_measure(arithmetic, what, y, {objective, {}, {}}));
  Outputs outputs(z);
  std::vector<Tensor> numbers;
  Evaluation result{{}, session.stated()};
  for (const auto& measure : measures) numbers.push_back(measure->of(arithmetic, outputs));
  result.cost = session.stated() - result.cost;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const mpc::Public seen = mpc::reveal(session, numbers[i].share(), mpc::To::everyone(), name_of(metrics[i]));
    Measured& reading = result.readings.emplace_back();  // stays empty at the dealer and in a plan
    session.output([&](const mpc::PublicReader& read) { reading = measures[i]->read(read(seen)); });
  }
  return result;
}

Measured measured(mpc::Session& session, mpc::Format top, const Revealed& what, const Judged& judged,
                  Objective objective) {
  return evaluated(session, top, {what}, judged, objective).readings.front();
}

// 2, 3 and 5 parties. A sanitizer runs one of these numbers for each call, since the code is the same for all metrics.
std::vector<int> numbers_of_parties() {
  static std::size_t turn = 0;
  const std::vector<int> all{2, 3, 5};
  if (kSlowdown == 1) return all;
  const std::size_t next = turn + turn / 3;  // in a loop of three calls, each place gets all numbers
  ++turn;
  return {all[next % 3]};
}

// A quotient of 0 is told exactly. So is 1, if there are so few nodes that the next smaller value differs from 1.
bool is_exact(Metric metric, double value, const Matrix& y) {
  const bool of_counts = is_class_rate(metric) || is_ranking(metric);
  const bool few = y.rows() * std::max(y.rows(), y.cols()) < 1 << 13;
  return (value == 0 && (of_counts || metric == Metric::kR2 || metric == Metric::kExplainedVariance)) ||
         (value == 1 && of_counts && few);
}

void expect_like_twin(const Revealed& what, const Judged& judged, Objective objective, mpc::Format top, double error) {
  SCOPED_TRACE(judged.name + ": " + name_of(what));
  const Measured twin = plain_metric(what, judged.z, judged.y, all_rows(judged.z.rows()), {{}, objective, {}});
  const auto expect = [&](const Measured& seen, int parties) {
    EXPECT_NEAR(seen.value, twin.value, error) << parties;
    if (is_exact(what.metric, twin.value, judged.y) && error < 0.01) {
      EXPECT_EQ(seen.value, twin.value) << parties;
    }
    ASSERT_EQ(seen.table.has_value(), twin.table.has_value());
    EXPECT_EQ(seen.table.value_or(Matrix()), twin.table.value_or(Matrix())) << parties;
  };
  mpc::ClearSession clear;
  expect(measured(clear, top, what, judged, objective), 1);
  for (const int parties : numbers_of_parties()) {
    mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
      const Measured seen = measured(session, top, what, judged, objective);
      if (rank == 0) expect(seen, parties);
    });
  }
}

TEST(MetricsOnShares, OfClassesAreTheTwins) {
  for (const Judged& judged : cases_of_classes()) {
    for (const Revealed& what : metrics_of_classes(judged.y.cols())) {
      if (what.bins > judged.y.rows()) continue;
      const bool sums = what.metric == Metric::kLogLoss || what.metric == Metric::kLoss;
      // With more classes a score is a logarithm of a sum, whose rounding may swap two nodes.
      const double swaps = is_ranking(what.metric) && judged.y.cols() > 2 ? 0.01 : 0;
      expect_like_twin(what, judged, Objective::kCrossEntropy, {64, 13}, (sums ? 2e-3 : 1e-4) + swaps);
    }
  }
}

TEST(MetricsOnShares, OfClassesAreTheTwinsInANarrowRing) {
  const Judged judged = classes_case("rare", 200, {0.9, 0.1}, 8);
  for (const Revealed& what : metrics_of_classes(2)) {
    const bool sums = what.metric == Metric::kLogLoss || what.metric == Metric::kLoss;
    expect_like_twin(what, judged, Objective::kCrossEntropy, {48, 12}, sums ? 3e-3 : 1e-4);
  }
}

// Rounding moves the predictions of equal nodes apart. The nodes stay ties.
TEST(MetricsOnShares, OfNodesThatRoundingMovesApartAreTies) {
  const Judged judged = classes_case("few scores", 60, {0.6, 0.4}, -1);
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> units(-2, 2);
  const Judged moved = {judged.name,
                        judged.z.unaryExpr([&](double one) { return one + std::ldexp(units(random), -13); }), judged.y};
  for (const Metric metric : {Metric::kRocAuc, Metric::kAveragePrecision}) {
    Revealed what{metric};
    what.of_class = 1;
    const double expected =
        plain_metric(what, judged.z, judged.y, all_rows(60), {{}, Objective::kCrossEntropy, {}}).value;
    for (const int parties : {2, 3}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const Measured seen = measured(session, {64, 13}, what, moved, Objective::kCrossEntropy);
        if (rank != 0) return;
        EXPECT_NEAR(seen.value, expected, 1e-4) << name_of(metric);
      });
    }
  }
}

// Each metric of an evaluation has the value that it has alone. What they share is computed once: `shared` has its cost.
TEST(MetricsOnShares, OfTheSameNodesShareTheLikeliestClassesTheSoftmaxAndTheScore) {
  struct Sharing {
    std::vector<Revealed> metrics;
    std::function<void(Arithmetic&, Outputs&)> shared;
  };
  Revealed auc{Metric::kRocAuc}, precision{Metric::kAveragePrecision};
  auc.of_class = precision.of_class = 1;
  const std::vector<Sharing> all = {
      {{{Metric::kAccuracy}, {Metric::kConfusion}, {Metric::kRecall}, {Metric::kF1}},
       [](Arithmetic& arithmetic, Outputs& outputs) { outputs.likeliest(arithmetic); }},
      {{{Metric::kLogLoss}, {Metric::kLoss}},
       [](Arithmetic& arithmetic, Outputs& outputs) { outputs.softmax(arithmetic); }},
      {{auc, precision}, [](Arithmetic& arithmetic, Outputs& outputs) { outputs.score(arithmetic, 1); }}};
  const mpc::Format top{64, 13};
  for (const Judged& judged : cases_of_classes()) {
    for (const auto& [metrics, shared] : all) {
      SCOPED_TRACE(judged.name + ": " + name_of(metrics.front()));
      for (const int parties : numbers_of_parties()) {
        mpc::run_parties(parties, [&, &metrics = metrics, &shared = shared](mpc::Session& session, int rank) {
          const Evaluation together = evaluated(session, top, metrics, judged, Objective::kCrossEntropy);
          mpc::Cost apart;
          for (std::size_t i = 0; i < metrics.size(); ++i) {
            const Evaluation alone = evaluated(session, top, {metrics[i]}, judged, Objective::kCrossEntropy);
            apart += alone.cost;
            EXPECT_NEAR(together.readings[i].value, alone.readings[0].value, 0.02) << i;
            EXPECT_EQ(together.readings[i].table.value_or(Matrix()), alone.readings[0].table.value_or(Matrix()));
          }
          Arithmetic arithmetic(session, top, {.activations = 127});
          const mpc::Format narrow{top.ring_bits - top.fraction_bits, top.fraction_bits};
          Outputs outputs(Tensor(mpc::input(session, 0, mpc::shape_of(judged.z), narrow, &judged.z, "z"), 127, "z"));
          const mpc::Cost before = session.stated();
          shared(arithmetic, outputs);
          const mpc::Cost once = session.stated() - before;
          const std::int64_t more = std::ssize(metrics) - 1;
          EXPECT_LE(together.cost.rounds, apart.rounds - more * once.rounds);
          EXPECT_LE(together.cost.bytes, apart.bytes - more * once.bytes);
          EXPECT_LE(together.cost.dealt_bytes, apart.dealt_bytes - more * once.dealt_bytes);
          if (rank == 0 && parties == 2) {
            RecordProperty(judged.name + " " + name_of(metrics.front()),
                           std::to_string(apart.rounds) + " to " + std::to_string(together.cost.rounds) + " rounds");
          }
        });
      }
    }
  }
}

Judged targets_case(const std::string& name, std::int64_t nodes, std::int64_t columns, double mean, double error) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal(0, 1);
  const Matrix y = Matrix::NullaryExpr(nodes, columns, [&] { return normal(random) + mean; });
  const Matrix z = y + Matrix::NullaryExpr(nodes, columns, [&] { return error * (normal(random) + 0.5); });
  return {name, exact(z, 12), exact(y, 12)};
}

TEST(MetricsOnShares, OfTargetsAreTheTwins) {
  std::vector<Judged> all = {targets_case("good", 100, 1, 0, 0.1), targets_case("poor", 300, 3, -2, 2),
                             targets_case("one node", 1, 1, 0, 1), targets_case("many", 5000, 2, 1, 0.5)};
  all.push_back(targets_case("one column is constant", 40, 2, 0, 0.5));
  all.back().y.col(1).setConstant(3);
  for (const Judged& judged : all) {
    for (const Metric metric : {Metric::kRootMeanSquaredError, Metric::kMeanAbsoluteError, Metric::kR2,
                                Metric::kExplainedVariance, Metric::kLoss}) {
      const Measured twin = plain_metric({metric}, judged.z, judged.y, all_rows(judged.z.rows()));
      expect_like_twin({metric}, judged, Objective::kSquaredError, {64, 13}, 2e-3 * (1 + std::abs(twin.value)));
      if (judged.y.rows() > 300) continue;
      expect_like_twin({metric}, judged, Objective::kSquaredError, {48, 12}, 4e-3 * (1 + std::abs(twin.value)));
    }
  }
}

TEST(MetricsOnShares, OfTheSameTargetsCostNoMoreTogetherThanApart) {
  const Judged judged = targets_case("poor", 300, 3, -2, 2);
  const std::vector<Revealed> metrics = {{Metric::kLoss},
                                         {Metric::kR2},
                                         {Metric::kRootMeanSquaredError},
                                         {Metric::kMeanAbsoluteError},
                                         {Metric::kExplainedVariance}};
  mpc::run_parties(3, [&](mpc::Session& session, int) {
    const mpc::Cost together = evaluated(session, {64, 13}, metrics, judged, Objective::kSquaredError).cost;
    mpc::Cost apart;
    for (const Revealed& what : metrics) {
      apart += evaluated(session, {64, 13}, {what}, judged, Objective::kSquaredError).cost;
    }
    EXPECT_LE(together.rounds, apart.rounds);
    EXPECT_LE(together.bytes, apart.bytes);
    EXPECT_LE(together.dealt_bytes, apart.dealt_bytes);
  });
}

TEST(MetricsOnShares, RankInBlocksAsAtOnce) {
  const Judged judged = classes_case("two blocks", 1200, {0.9, 0.1}, 3);
  for (const Metric metric : {Metric::kRocAuc, Metric::kAveragePrecision}) {
    const double twin = plain_metric({metric}, judged.z, judged.y, all_rows(1200)).value;
    mpc::run_parties(2, [&](mpc::Session& session, int rank) {
      const double seen = measured(session, {64, 13}, {metric}, judged, Objective::kCrossEntropy).value;
      if (rank == 0) {
        EXPECT_NEAR(seen, twin, 1e-4);
      }
    });
  }
}

TEST(MetricsOnShares, RefuseTooManyNodesAndTooManyBins) {
  mpc::ClearSession session;
  Arithmetic arithmetic(session, {64, 13});
  const auto refusal = [&](std::int64_t nodes, Revealed what) {
    const Matrix labels = Matrix::Zero(nodes, 2);
    const Tensor y(mpc::input(session, 0, mpc::shape_of(labels), {64, 13}, &labels, "y"), 1, "y");
    try {
      make_measure(arithmetic, what, y, {Objective::kCrossEntropy, {}, {}});
    } catch (const ConfigError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  Revealed auc{Metric::kRocAuc};
  EXPECT_EQ(refusal(4096, auc), "accepted");
  EXPECT_THAT(refusal(4097, auc), testing::HasSubstr("say bins = 64"));
  auc.bins = 64;
  EXPECT_EQ(refusal(4097, auc), "accepted");
  EXPECT_THAT(refusal(63, auc), testing::HasSubstr("more bins than nodes: the part has 63"));
  EXPECT_THAT(refusal((1 << 19) + 1, {Metric::kF1}), testing::HasSubstr("counts at most 524288 nodes"));
}

}  // namespace
}  // namespace tacit::gnn
