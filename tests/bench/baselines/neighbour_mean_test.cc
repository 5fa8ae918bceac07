#include "bench/baselines/neighbour_mean.h"

#include <gtest/gtest.h>

#include "bench/baselines/mean_predictor.h"
#include "bench/data/sensors.h"
#include "net/error.h"
#include "tests/bench/baselines/sample_regression.h"

namespace tacit::gnn {
namespace {

// Nodes 0, 1 and 2 are the training nodes, with the targets 10, 20 and 60.
RegressionData five_nodes() {
  RegressionData data{Matrix::Zero(5, 1), Matrix(5, 1), {0, 1, 2}, {}};
  data.y << 10, 20, 60, -1e6, 1e6;
  return data;
}

TEST(NeighbourMean, AveragesTheTargetsToTrainOnOfTheNeighboursThatAnEdgeComesFrom) {
  const Regression found = neighbour_mean(five_nodes(), {{0, 1, 0, 4, 2, 2}, {3, 3, 1, 3, 4, 2}});
  EXPECT_DOUBLE_EQ(found.predictions(3, 0), 15) << "the mean of nodes 0 and 1; node 4 is not trained on";
  EXPECT_DOUBLE_EQ(found.predictions(1, 0), 10) << "the target of node 0, not its own";
  EXPECT_DOUBLE_EQ(found.predictions(4, 0), 60);
}

TEST(NeighbourMean, IsTheMeanOfAllWhereNoNeighbourIsTrainedOn) {
  const Regression found = neighbour_mean(five_nodes(), {{3, 2, 0}, {4, 2, 3}});
  EXPECT_DOUBLE_EQ(found.predictions(4, 0), 30) << "the only neighbour is not trained on";
  EXPECT_DOUBLE_EQ(found.predictions(2, 0), 30) << "a loop is no neighbour";
  EXPECT_DOUBLE_EQ(found.predictions(0, 0), 30) << "no edge leads to it";
  EXPECT_EQ(found.chosen, "4 of 5 nodes have no neighbour to train on");
}

TEST(NeighbourMean, CountsARepeatedEdgeOnce) {
  const Regression found = neighbour_mean(five_nodes(), {{0, 0, 0, 1}, {3, 3, 3, 3}});
  EXPECT_DOUBLE_EQ(found.predictions(3, 0), 15);
}

TEST(NeighbourMean, RefusesAnEdgeToANodeThatIsNotThere) {
  EXPECT_THROW(neighbour_mean(five_nodes(), {{0}, {5}}), ConfigError);
}

TEST(NeighbourMean, OfSensorsErrsLessThanTheMeanOfAll) {
  const GraphData sensors = make_sensors({});
  const RegressionData data{*sensors.x, *sensors.targets, rows_where(sensors.train_mask), {}};
  const Rows test = rows_where(sensors.test_mask);
  const double by_neighbours = rmse(neighbour_mean(data, *sensors.edges).predictions, data.y, test);
  EXPECT_LT(by_neighbours, 0.8 * rmse(mean_predictor(data).predictions, data.y, test));
}

}  // namespace
}  // namespace tacit::gnn
