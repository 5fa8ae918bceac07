#include "bench/data/sensors.h"

#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <numeric>

#include "bench/data/city.h"
#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

constexpr int kSeeds = 5;

GraphData of_seed(std::uint64_t seed) {
  SensorsOptions options;
  options.seed = seed;
  return make_sensors(options);
}

// The average over each node's neighbours.
Matrix neighbours_average(const Matrix& x, const Edges& edges) {
  Matrix sum = Matrix::Zero(x.rows(), x.cols());
  Eigen::VectorXd degree = Eigen::VectorXd::Zero(x.rows());
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    sum.row(edges.to[e]) += x.row(edges.from[e]);
    degree(edges.to[e]) += 1;
  }
  return degree.cwiseInverse().asDiagonal() * sum;
}

// The input of a graph convolution: a node and its neighbours, weighted by 1/sqrt of the product of
// their degrees.
Matrix convolved(const Matrix& x, const Edges& edges) {
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(x.rows());
  for (const auto node : edges.from) scale(node) += 1;
  scale = scale.cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * x;
  Matrix sum = scaled;
  for (std::size_t e = 0; e < edges.from.size(); ++e) sum.row(edges.to[e]) += scaled.row(edges.from[e]);
  return scale.asDiagonal() * sum;
}

double rmse(const Matrix& predicted, const Matrix& truth, const NodeMask& mask) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (!mask[i]) continue;
    const auto row = static_cast<Eigen::Index>(i);
    sum += (predicted.row(row) - truth.row(row)).squaredNorm();
    ++count;
  }
  return std::sqrt(sum / count);
}

// Test RMSE of ridge regression, fitted to the training stations. Without columns, it is the RMSE
// of predicting their mean.
double ridge_rmse(const Matrix& x, const GraphData& data) {
  Matrix scaled(x.rows(), x.cols() + 1);
  for (Eigen::Index col = 0; col < x.cols(); ++col) {
    const auto centred = x.col(col).array() - x.col(col).mean();
    scaled.col(col) = centred / std::sqrt(centred.square().mean());
  }
  scaled.col(x.cols()).setOnes();
  Eigen::VectorXd weight = Eigen::VectorXd::Zero(x.rows());
  for (Eigen::Index row = 0; row < x.rows(); ++row) weight(row) = (*data.train_mask)[static_cast<std::size_t>(row)];
  Eigen::MatrixXd gram = scaled.transpose() * weight.asDiagonal() * scaled;
  gram.diagonal().head(x.cols()).array() += 1;
  const Matrix coefficients = gram.ldlt().solve(scaled.transpose() * weight.asDiagonal() * *data.targets);
  return rmse(scaled * coefficients, *data.targets, *data.test_mask);
}

TEST(Sensors, NeighboursSayMoreThanTheStationAlone) {
  double mean = 0, alone = 0, twice_convolved = 0, with_neighbours = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const GraphData data = of_seed(seed);
    const Matrix twice = convolved(convolved(*data.x, *data.edges), *data.edges);
    Matrix both(data.nodes, 2 * data.x->cols());
    both << *data.x, neighbours_average(*data.x, *data.edges);
    const double errors[] = {ridge_rmse(Matrix(data.nodes, 0), data), ridge_rmse(*data.x, data),
                             ridge_rmse(twice, data), ridge_rmse(both, data)};
    std::printf("seed %d: test RMSE: mean %.1f, own features %.1f, convolved twice %.1f, own and neighbours' %.1f\n",
                static_cast<int>(seed), errors[0], errors[1], errors[2], errors[3]);
    mean += errors[0] / kSeeds;
    alone += errors[1] / kSeeds;
    twice_convolved += errors[2] / kSeeds;
    with_neighbours += errors[3] / kSeeds;
  }
  EXPECT_GT(mean, 30);
  EXPECT_LT(mean, 55);
  EXPECT_LT(alone, 0.6 * mean);
  EXPECT_LT(twice_convolved, 0.8 * alone);
  EXPECT_LT(with_neighbours, 0.85 * alone);
  EXPECT_GT(with_neighbours, 8) << "the error of a reading, which nobody predicts";
}

std::uint64_t hash_of(const GraphData& data) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto absorb = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  for (const double value : data.x->reshaped<Eigen::RowMajor>()) absorb(std::bit_cast<std::uint64_t>(value));
  for (const double value : data.targets->reshaped<Eigen::RowMajor>()) absorb(std::bit_cast<std::uint64_t>(value));
  for (const auto node : data.edges->to) absorb(static_cast<std::uint64_t>(node));
  for (const bool train : *data.train_mask) absorb(train);
  return hash;
}

TEST(Sensors, AreTheSameOnEveryMachine) {
  constexpr const char* kChanged = "the built-in data changed: every figure made from them must be made again";
  EXPECT_EQ(hash_of(of_seed(1)), 17666342586942164886u) << kChanged;
  EXPECT_EQ(hash_of(make_sensors({.seed = 1, .own_air = true})), 4101962595026671674u) << kChanged;
  EXPECT_NE(*of_seed(1).x, *of_seed(2).x);
}

GraphData in_own_air(std::uint64_t seed) { return make_sensors({.seed = seed, .own_air = true}); }

TEST(Sensors, InOwnAirAStationAloneSaysAllThatNeighboursSay) {
  double mean = 0, alone = 0, twice_convolved = 0, with_neighbours = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const GraphData data = in_own_air(seed);
    EXPECT_NO_THROW(check(data, "sensors"));
    const Matrix twice = convolved(convolved(*data.x, *data.edges), *data.edges);
    Matrix both(data.nodes, 2 * data.x->cols());
    both << *data.x, neighbours_average(*data.x, *data.edges);
    const double errors[] = {ridge_rmse(Matrix(data.nodes, 0), data), ridge_rmse(*data.x, data),
                             ridge_rmse(twice, data), ridge_rmse(both, data)};
    std::printf("own air, seed %d: test RMSE: mean %.1f, own features %.1f, convolved twice %.1f, both %.1f\n",
                static_cast<int>(seed), errors[0], errors[1], errors[2], errors[3]);
    mean += errors[0] / kSeeds;
    alone += errors[1] / kSeeds;
    twice_convolved += errors[2] / kSeeds;
    with_neighbours += errors[3] / kSeeds;
  }
  EXPECT_GT(mean, 20);
  EXPECT_LT(mean, 55);
  EXPECT_LT(alone, 0.85 * mean);
  EXPECT_GT(twice_convolved, 0.9 * mean);
  EXPECT_GT(with_neighbours, 0.98 * alone);
}

// Stations, neighbours and the split are the same as in shared air.
TEST(Sensors, InOwnAirDifferInTheirReadingsAlone) {
  const GraphData own = in_own_air(1), shared = of_seed(1);
  EXPECT_EQ(own.edges->from, shared.edges->from);
  EXPECT_EQ(own.edges->to, shared.edges->to);
  EXPECT_EQ(*own.test_mask, *shared.test_mask);
  EXPECT_NE(*own.x, *shared.x);
}

TEST(Sensors, ReadLikeFineDust) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SensorsOptions options;
    options.seed = seed;
    const SensorDay day = make_sensor_day(options);
    EXPECT_GE(day.reading.minCoeff(), 0);
    EXPECT_LT(day.reading.maxCoeff(), 300);
    EXPECT_GT(day.reading.mean(), 30);
    EXPECT_LT(day.reading.mean(), 90);
    EXPECT_GE(day.humidity.minCoeff(), 5);
    EXPECT_LE(day.humidity.maxCoeff(), 100);
  }
}

TEST(Sensors, ADayHasRushHoursAndMixesAtNoon) {
  const SensorDay day = make_sensor_day({});
  const auto traffic = [&](int hour) { return day.traffic.col(hour).mean(); };
  EXPECT_GT(traffic(8), 1.4 * traffic(11));
  EXPECT_GT(traffic(17), 1.4 * traffic(13));
  EXPECT_GT(traffic(11), 5 * traffic(3));
  EXPECT_GT(day.reading.col(7).mean(), 1.3 * day.reading.col(13).mean());
  EXPECT_GT(day.temperature.col(14).mean(), day.temperature.col(4).mean() + 8);
}

TEST(Sensors, ADayIsAboutAsLargeAsTheReportsData) {
  const SensorDay day = make_sensor_day({});
  Eigen::Index numbers = 0;
  for (const Matrix* all : {&day.reading, &day.trend, &day.traffic, &day.temperature, &day.humidity}) {
    numbers += all->size();
  }
  EXPECT_NEAR(static_cast<double>(numbers) * sizeof(float) / 1e6, 0.14, 0.01);
}

TEST(Sensors, AreOneConnectedGraphThatTheCheckAccepts) {
  for (const std::int64_t stations : {5, 37, 300, 2000}) {
    SensorsOptions options;
    options.stations = stations;
    const GraphData data = make_sensors(options);
    EXPECT_NO_THROW(check(data, "sensors"));
    EXPECT_EQ(data.x->cols(), 8);
    std::vector<bool> reached(static_cast<std::size_t>(stations));
    reached[0] = true;
    for (bool more = true; more;) {
      more = false;
      for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
        const auto from = static_cast<std::size_t>(data.edges->from[e]),
                   to = static_cast<std::size_t>(data.edges->to[e]);
        EXPECT_NE(from, to);
        if (reached[from] && !reached[to]) reached[to] = more = true;
      }
    }
    EXPECT_THAT(reached, testing::Each(true)) << stations;
  }
}

TEST(Sensors, EachStationIsInOneSplit) {
  const GraphData data = of_seed(1);
  int train = 0, val = 0, test = 0;
  for (std::size_t i = 0; i < data.train_mask->size(); ++i) {
    train += (*data.train_mask)[i];
    val += (*data.val_mask)[i];
    test += (*data.test_mask)[i];
    EXPECT_EQ((*data.train_mask)[i] + (*data.val_mask)[i] + (*data.test_mask)[i], 1);
  }
  EXPECT_EQ(train, 180);
  EXPECT_EQ(val, 60);
  EXPECT_EQ(test, 60);
}

TEST(Sensors, TheChosenHourIsADayColumn) {
  for (const int hour : {0, 23}) {
    SensorsOptions options;
    options.hour = hour;
    const GraphData data = make_sensors(options);
    const SensorDay day = make_sensor_day(options);
    EXPECT_EQ(data.x->col(0), day.reading.col(hour));
    EXPECT_EQ(data.x->col(1), day.trend.col(hour));
    EXPECT_EQ(data.targets->col(0), day.reading.col(hour + 1));
  }
}

TEST(Sensors, RefuseOptionsThatMakeNoNetwork) {
  const auto said = [](auto change) {
    SensorsOptions options;
    change(options);
    return refusal([&] { make_sensors(options); });
  };
  EXPECT_THAT(said([](SensorsOptions& o) { o.stations = 4; }), HasSubstr("stations must be 5 ... 1000000, not 4"));
  EXPECT_THAT(said([](SensorsOptions& o) { o.hour = 24; }), HasSubstr("hour must be 0 ... 23, not 24"));
  EXPECT_THAT(said([](SensorsOptions& o) { o.neighbours = 0; }), HasSubstr("neighbours must be 1 ... 100, not 0"));
  EXPECT_THAT(said([](SensorsOptions& o) { o.error = std::nan(""); }), HasSubstr("error must be 0 ... 100"));
}

}  // namespace
}  // namespace tacit::gnn
