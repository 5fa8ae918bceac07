#include "bench/data/communities.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/gnn/data/refusal.h"

namespace tacit::gnn {
namespace {

using testing::HasSubstr;

std::int64_t class_of(const GraphData& data, std::int64_t node) {
  return (*data.classes)[static_cast<std::size_t>(node)];
}

std::int64_t count(const NodeMask& mask) { return std::count(mask.begin(), mask.end(), true); }

// The sum of each node's row and its neighbours' rows, scaled to length 1.
Matrix with_neighbours(const Matrix& x, const Edges& edges) {
  Matrix sum = x;
  for (std::size_t e = 0; e < edges.from.size(); ++e) sum.row(edges.to[e]) += x.row(edges.from[e]);
  return sum.rowwise().normalized();
}

// The share of test nodes for which the mean of the right class is the nearest in angle. Means are over the training
// nodes.
double nearest_mean_accuracy(const Matrix& x, const GraphData& data, std::int64_t classes) {
  Matrix means = Matrix::Zero(classes, x.cols());
  for (std::int64_t node = 0; node < data.nodes; ++node) {
    if ((*data.train_mask)[static_cast<std::size_t>(node)]) means.row(class_of(data, node)) += x.row(node);
  }
  means.rowwise().normalize();
  std::int64_t right = 0;
  for (std::int64_t node = 0; node < data.nodes; ++node) {
    if (!(*data.test_mask)[static_cast<std::size_t>(node)]) continue;
    Eigen::Index nearest = 0;
    (means * x.row(node).transpose()).maxCoeff(&nearest);
    right += nearest == class_of(data, node);
  }
  return static_cast<double>(right) / static_cast<double>(count(*data.test_mask));
}

TEST(Communities, AFewWordsSayLittleAndTheNeighboursWordsMuch) {
  double alone = 0, one_step = 0, two_steps = 0;
  constexpr int kSeeds = 3;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    CommunitiesOptions options;
    options.seed = seed;
    const GraphData data = make_communities(options);
    const Matrix x = data.sparse_x->dense().rowwise().normalized();
    const Matrix near = with_neighbours(x, *data.edges);
    alone += nearest_mean_accuracy(x, data, options.classes) / kSeeds;
    one_step += nearest_mean_accuracy(near, data, options.classes) / kSeeds;
    two_steps += nearest_mean_accuracy(with_neighbours(near, *data.edges), data, options.classes) / kSeeds;
  }
  std::printf("test accuracy by the nearest class mean: own words %.3f, with neighbours' %.3f, and theirs %.3f\n",
              alone, one_step, two_steps);
  EXPECT_GT(alone, 2.0 / 7);
  EXPECT_LT(alone, 0.6);
  EXPECT_GT(one_step, alone + 0.1);
  EXPECT_GT(two_steps, one_step);
  EXPECT_LT(two_steps, 0.95);
}

TEST(Communities, HaveTheDegreeAndTheHomophilyAskedFor) {
  for (const double homophily : {0.0, 0.3, 0.85, 1.0}) {
    CommunitiesOptions options;
    options.homophily = homophily;
    options.average_degree = 10;
    const GraphData data = make_communities(options);
    ASSERT_EQ(data.edges->size(), 30'000);
    std::int64_t inside = 0;
    std::vector<std::int64_t> degree(3000);
    for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
      inside += class_of(data, data.edges->from[e]) == class_of(data, data.edges->to[e]);
      ++degree[static_cast<std::size_t>(data.edges->from[e])];
    }
    EXPECT_EQ(inside, std::llround(30'000 * homophily));
    double variance = 0;
    for (const std::int64_t of_node : degree) variance += std::pow(static_cast<double>(of_node) - 10, 2) / 3000;
    EXPECT_NEAR(variance, 10, 1.5) << "independent edges give a Poisson distribution";
  }
}

TEST(Communities, LinkDifferentNodesOnceEachWay) {
  const GraphData data = make_communities({});
  std::vector<std::pair<std::int64_t, std::int64_t>> forth, back;
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    EXPECT_NE(data.edges->from[e], data.edges->to[e]);
    forth.emplace_back(data.edges->from[e], data.edges->to[e]);
    back.emplace_back(data.edges->to[e], data.edges->from[e]);
  }
  EXPECT_TRUE(std::is_sorted(forth.begin(), forth.end()));
  EXPECT_EQ(std::adjacent_find(forth.begin(), forth.end()), forth.end());
  std::sort(back.begin(), back.end());
  EXPECT_EQ(forth, back);
}

TEST(Communities, UseTheirOwnWordsAsOftenAsAskedFor) {
  CommunitiesOptions options;
  options.nodes = 7000;
  options.topic = 0.3;
  const GraphData data = make_communities(options);
  EXPECT_NO_THROW(check(data, "communities"));
  ASSERT_EQ(std::ssize(data.sparse_x->cols), 7000 * 18);
  // A class's words: the words that it uses more often than the others do.
  Matrix uses = Matrix::Zero(7, 1400);
  for (std::int64_t node = 0; node < data.nodes; ++node) {
    for (auto i = static_cast<std::size_t>(18 * node); i < static_cast<std::size_t>(18 * (node + 1)); ++i) {
      ++uses(class_of(data, node), data.sparse_x->cols[i]);
    }
  }
  const double own = uses.colwise().maxCoeff().sum(), all = uses.sum();
  EXPECT_NEAR(own / all, 0.3 + 0.7 / 7, 0.02);
}

TEST(Communities, AreSplitAsPlanetoidSplits) {
  const GraphData data = make_communities({});
  EXPECT_EQ(count(*data.train_mask), 7 * 20);
  EXPECT_EQ(count(*data.val_mask), 500);
  EXPECT_EQ(count(*data.test_mask), 1000);
  std::vector<int> of_class(7), to_train(7);
  for (std::size_t i = 0; i < data.train_mask->size(); ++i) {
    EXPECT_LE((*data.train_mask)[i] + (*data.val_mask)[i] + (*data.test_mask)[i], 1);
    ++of_class.at(static_cast<std::size_t>((*data.classes)[i]));
    to_train.at(static_cast<std::size_t>((*data.classes)[i])) += (*data.train_mask)[i];
  }
  EXPECT_THAT(of_class, testing::Each(testing::AnyOf(428, 429)));
  EXPECT_THAT(to_train, testing::Each(20));
}

TEST(Communities, FollowFromTheirSeed) {
  CommunitiesOptions options;
  const GraphData one = make_communities(options), again = make_communities(options);
  EXPECT_EQ(one.edges->to, again.edges->to);
  EXPECT_EQ(one.sparse_x->cols, again.sparse_x->cols);
  EXPECT_EQ(one.classes, again.classes);
  EXPECT_EQ(one.train_mask, again.train_mask);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const auto* all : {&one.edges->to, &one.sparse_x->cols, &*one.classes}) {
    for (const std::int64_t value : *all) hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001b3;
  }
  EXPECT_EQ(hash, 3815546797542616135u) << "the built-in data changed: every figure made from them must be made again";
  options.seed = 2;
  EXPECT_NE(make_communities(options).edges->to, one.edges->to);
}

TEST(Communities, OfAMillionNodesTakeSeconds) {
  CommunitiesOptions options;
  options.nodes = 1'000'000;
  options.features = 100;
  options.words = 4;
  const GraphData data = make_communities(options);
  EXPECT_EQ(data.edges->size(), 4'000'000);
  EXPECT_EQ(std::ssize(data.sparse_x->cols), 4'000'000);
}

TEST(Communities, RefuseOptionsThatMakeNoGraph) {
  const auto said = [](auto change) {
    CommunitiesOptions options;
    change(options);
    return refusal([&] { make_communities(options); });
  };
  using Options = CommunitiesOptions;
  EXPECT_THAT(said([](Options& o) { o.nodes = 1; }), HasSubstr("nodes must be 2"));
  EXPECT_THAT(said([](Options& o) { o.classes = 0; }), HasSubstr("classes must be at least 1"));
  EXPECT_THAT(said([](Options& o) { o.features = 6; }), HasSubstr("features must be at least"));
  EXPECT_THAT(said([](Options& o) { o.words = 701; }), HasSubstr("words must be at most half the features, not 701"));
  EXPECT_THAT(said([](Options& o) { o.topic = 1; }), HasSubstr("topic must be 0 ... 0.9, not 1"));
  EXPECT_THAT(said([](Options& o) { o.homophily = std::nan(""); }), HasSubstr("homophily must be 0 ... 1"));
  EXPECT_THAT(said([](Options& o) { o.average_degree = 3000; }), HasSubstr("average_degree must be"));
  EXPECT_THAT(said([](Options& o) { o.train_per_class = 429; }), HasSubstr("train_per_class must be"));
  EXPECT_THAT(said([](Options& o) { o.test = 2361; }),
              HasSubstr("share the 2860 nodes that are not for training, not 500 and 2361"));
  EXPECT_THAT(said([](Options& o) { o.average_degree = 400; }),
              HasSubstr("more than half of the pairs inside a class"));
  EXPECT_THAT(said([](Options& o) { o.classes = 1; }), HasSubstr("or of those between classes"));
}

}  // namespace
}  // namespace tacit::gnn
