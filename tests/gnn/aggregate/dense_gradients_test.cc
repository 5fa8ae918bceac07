// Sums of clipped gradients: equal to gradients of single records by the twin's layers (plaintext reference), and bounded for
// every record.
#include "gnn/aggregate/dense_gradients.h"

#include <gmock/gmock.h>

#include <random>

#include "gnn/graph/graph_view.h"
#include "gnn/plain/plain_model.h"
#include "gnn/plan/privacy_settings.h"
#include "net/error.h"

namespace tacit::gnn {
namespace {

ModelSpec dense_model(const std::vector<std::int64_t>& outputs, bool bias = true) {
  ModelSpec model;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    LayerSpec dense;
    dense.outputs = outputs[i];
    dense.bias = bias;
    model.layers.push_back(dense);
    if (i + 1 < outputs.size()) model.layers.push_back({LayerSpec::Kind::kRelu});
  }
  return model;
}

struct Records {
  Matrix x, y;
};

// Features are whole numbers of 2^-13, as the gradients take them.
Records records_of(std::int64_t count, std::int64_t inputs, std::int64_t outputs, bool classes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Records made{Matrix(count, inputs), Matrix::Zero(count, outputs)};
  for (Eigen::Index i = 0; i < made.x.size(); ++i)
    made.x.data()[i] = std::round(std::ldexp(normal(random), 13)) * 0x1p-13;
  for (std::int64_t row = 0; row < count; ++row) {
    if (classes) {
      made.y(row, static_cast<Eigen::Index>(random() % static_cast<std::uint64_t>(outputs))) = 1;
    } else {
      for (std::int64_t c = 0; c < outputs; ++c) made.y(row, c) = normal(random);
    }
  }
  return made;
}

// The gradient of one record alone, by the twin: one row of all parameters.
Matrix gradient_by_twin(const ModelSpec& model, Objective objective, const Matrix& x, const Matrix& y,
                        const std::vector<NamedMatrix>& parameters) {
  const LayeredGraph graph = layered(model, adjacencies_of(model, {}, 1), {0});
  PlainModel twin(model, x.cols(), graph, parameters, 1);
  const Matrix z = twin.forward(x, Pass::kTraining);
  std::vector<double> all;
  for (const Matrix& gradient : twin.backward(kind_of(objective).plain(z, y, {0}, {}).gradient)) {
    all.insert(all.end(), gradient.data(), gradient.data() + gradient.size());
  }
  return Eigen::Map<Matrix>(all.data(), 1, static_cast<Eigen::Index>(all.size()));
}

struct GradientCase {
  const char* name;
  std::vector<std::int64_t> outputs;
  bool bias = true;
  Objective objective = Objective::kCrossEntropy;
  bool relu_first = false;
};

class DenseGradientsOf : public testing::TestWithParam<GradientCase> {};

INSTANTIATE_TEST_SUITE_P(Models, DenseGradientsOf,
                         testing::Values(GradientCase{"OneLayer", {3}}, GradientCase{"TwoLayers", {7, 2}},
                                         GradientCase{"ThreeLayersWithoutBias", {5, 4, 3}, false},
                                         GradientCase{"OneLogit", {6, 1}, true, Objective::kLogistic},
                                         GradientCase{"OneTarget", {6, 1}, true, Objective::kSquaredError},
                                         GradientCase{"TwoTargets", {2}, false, Objective::kSquaredError},
                                         GradientCase{"AReluFirst", {4, 2}, true, Objective::kCrossEntropy, true}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(DenseGradientsOf, AreThoseOfSingleRecordsClipped) {
  constexpr std::int64_t kRecords = 300, kInputs = 4;
  constexpr double kClip = 0.75;
  ModelSpec model = dense_model(GetParam().outputs, GetParam().bias);
  if (GetParam().relu_first) model.layers.insert(model.layers.begin(), {LayerSpec::Kind::kRelu});
  const Objective objective = GetParam().objective;
  if (objective == Objective::kLogistic) model.layers.push_back({LayerSpec::Kind::kLogit});
  const Records all =
      records_of(kRecords, kInputs, outputs_of(model, kInputs), objective != Objective::kSquaredError, 5);
  const std::vector<NamedMatrix> parameters = initial_parameters(model, kInputs, 7);
  const DenseGradients gradients(model, kInputs, objective, kClip, kRecords);
  mpc::Workers workers(1);
  Rows rows;
  Matrix expected;
  int clipped = 0;
  for (std::int64_t row = 0; row < kRecords; row += 1 + row % 3) {
    rows.push_back(row);
    const Matrix one = gradient_by_twin(model, objective, all.x.row(row), all.y.row(row), parameters);
    const double length = one.norm();
    clipped += length > kClip;
    const Matrix scaled = one * (length > kClip ? kClip / length : 1);
    expected = expected.size() == 0 ? scaled : Matrix(expected + scaled);
  }
  EXPECT_GT(clipped, 10);
  EXPECT_LT(clipped, std::ssize(rows));
  const Matrix sum =
      gradients.sum(all.x, all.y, rows, parameters, workers) * std::ldexp(1.0, -gradients.fraction_bits());
  ASSERT_EQ(sum.cols(), expected.cols());
  // Hidden values are rounded to 2^-13, and each record adds at most a unit in each number.
  EXPECT_LT((sum - expected).cwiseAbs().maxCoeff(), 2e-4 * static_cast<double>(std::ssize(rows)));
}

TEST(DenseGradients, AreTheSameForAnyNumberOfThreads) {
  const ModelSpec model = dense_model({20, 3});
  const Records all = records_of(3000, 9, 3, true, 1);
  const std::vector<NamedMatrix> parameters = initial_parameters(model, 9, 2);
  const DenseGradients gradients(model, 9, Objective::kCrossEntropy, 1, 3000);
  mpc::Workers one(1), four(4);
  EXPECT_EQ(gradients.sum(all.x, all.y, all_rows(3000), parameters, one),
            gradients.sum(all.x, all.y, all_rows(3000), parameters, four));
}

// A sum in ranges of any size equals the whole sum, bit for bit. Ranges begin and end within rows and within biases. In the
// last case not all records fit into the memory of ClippedRecords.
TEST(DenseGradients, AreTheSameInRangesOfAnySize) {
  struct Case {
    std::vector<std::int64_t> outputs;
    bool bias;
    std::int64_t records;
  };
  for (const Case& one : {Case{{7, 5, 3}, true, 700}, Case{{6, 1}, false, 90}, Case{{3000, 2}, true, 4000}}) {
    const ModelSpec model = dense_model(one.outputs, one.bias);
    const std::int64_t outputs = one.outputs.back();
    const Objective objective = outputs == 1 ? Objective::kSquaredError : Objective::kCrossEntropy;
    const Records all = records_of(one.records, 9, outputs, outputs > 1, 3);
    const std::vector<NamedMatrix> parameters = initial_parameters(model, 9, 2);
    const DenseGradients gradients(model, 9, objective, 1, one.records);
    mpc::Workers single(1), three(3);
    const Rows rows = all_rows(one.records);
    const Matrix whole = gradients.sum(all.x, all.y, rows, parameters, single);
    EXPECT_GT(whole.norm(), 0);
    for (mpc::Workers* workers : {&single, &three}) {
      const auto clipped = gradients.clipped_for_ranges(all.x, all.y, rows, parameters, *workers);
      for (const std::int64_t size : {std::int64_t{1000}, std::int64_t{4}, std::int64_t{23}, whole.size()}) {
        if (whole.size() / size > 1000) continue;
        Matrix found = Matrix::Constant(1, whole.size(), 0.5);
        for (std::int64_t begin = 0; begin < found.size(); begin += size) {
          const std::int64_t count = std::min(size, found.size() - begin);
          clipped.sum(begin, std::span(found.data() + begin, static_cast<std::size_t>(count)), *workers);
        }
        EXPECT_EQ(found, whole) << size << " of " << whole.size();
      }
    }
  }
}

TEST(DenseGradients, OfNoRecordsAreZero) {
  const ModelSpec model = dense_model({3});
  const DenseGradients gradients(model, 2, Objective::kCrossEntropy, 1, 10);
  mpc::Workers workers(1);
  const std::vector<NamedMatrix> parameters = initial_parameters(model, 2, 1);
  EXPECT_EQ(gradients.sum(Matrix(0, 2), Matrix(0, 3), {}, parameters, workers), Matrix::Zero(1, 9));
  std::vector<double> found(9, 1);
  gradients.clipped_for_ranges(Matrix(0, 2), Matrix(0, 3), {}, parameters, workers).sum(0, found, workers);
  EXPECT_THAT(found, testing::Each(0));
}

// Numbers that no data have, and weights that no training should reach: each record alone adds at most the clip.
TEST(DenseGradients, AddAtMostTheClipForEveryRecord) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  mpc::Workers workers(1);
  double longest = 0;
  int counted = 0;
  for (const double clip : {0.01, 1.0, 3.0}) {
    const ModelSpec model = dense_model({6, 3});
    const DenseGradients gradients(model, 4, Objective::kCrossEntropy, clip, 4096);
    for (int i = 0; i < 2000; ++i) {
      const double size = std::ldexp(1.0, static_cast<int>(random() % 60) - 20);
      const double huge = i % 50 == 0 ? 1e300 : 1;
      std::vector<NamedMatrix> parameters = initial_parameters(model, 4, random());
      for (NamedMatrix& one : parameters) one.values *= std::ldexp(1.0, static_cast<int>(random() % 24) - 4);
      Records record = records_of(1, 4, 3, true, static_cast<unsigned>(random()));
      record.x *= size * huge;
      const Matrix sum = gradients.sum(record.x, record.y, Rows{0}, parameters, workers);
      ASSERT_TRUE(sum.allFinite());
      EXPECT_EQ(sum, Matrix(sum.array().round()));
      const double length = sum.norm() / gradients.clip_units();
      EXPECT_LE(length, 1) << "clip " << clip << ", record " << i;
      longest = std::max(longest, length);
      counted += length > 0.999;
    }
  }
  EXPECT_GT(longest, 0.9999);
  EXPECT_GT(counted, 1000);  // most records are clipped
}

TEST(DenseGradients, RefuseModelsWhoseRecordsDependOnOthers) {
  ModelSpec gcn = ModelSpec::gcn(4, 2);
  EXPECT_THAT(not_of_records(gcn), testing::HasSubstr("gathers from other rows"));
  ModelSpec residual = dense_model({3, 3});
  residual.layers[2].residual = true;
  EXPECT_THAT(not_of_records(residual), testing::HasSubstr("outputs of earlier layers"));
  EXPECT_EQ(not_of_records(dense_model({3, 2})), "");
  EXPECT_THROW(DenseGradients(gcn, 3, Objective::kCrossEntropy, 1, 10), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
