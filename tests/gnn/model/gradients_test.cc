// Every layer's gradients: the twin's (plaintext reference) against finite differences, the secret
// model's against the twin's.
#include <gtest/gtest.h>

#include <random>

#include "gnn/data/several_graphs.h"
#include "gnn/loss/mean_squared_error.h"
#include "gnn/model/model.h"
#include "gnn/model/relu.h"
#include "gnn/plain/plain_model.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/reveal.h"
#include "tests/mpc/run_program.h"

namespace tacit::gnn {
namespace {

using Kind = LayerSpec::Kind;

constexpr std::int64_t kNodes = 11, kInputs = 4;
const Rows kLabelled{0, 2, 3, 7, 10};
constexpr std::uint64_t kSeed = 5;
constexpr std::int64_t kPass = 3;  // the training pass that determines the dropout
// A ReLU's input that is nearer to zero may have the other sign at the parties: five of them round by more than a unit of 2^-13.
constexpr double kFromAKink = 0x1p-9;

struct Case {
  const char* name;
  std::vector<LayerSpec> layers;
};

std::vector<Case> cases() {
  const LayerSpec relu{.kind = Kind::kRelu};
  return {
      {"Dense", {{.kind = Kind::kDense, .outputs = 3}}},
      {"Convolution", {{.kind = Kind::kGraphConvolution, .outputs = 3}}},
      {"Mean", {{.kind = Kind::kMeanAggregation, .outputs = 3}}},
      {"Sum", {{.kind = Kind::kSumAggregation, .outputs = 3}}},
      {"TwoSums",
       {{.kind = Kind::kSumAggregation, .outputs = 5},
        relu,
        {.kind = Kind::kDense, .outputs = 4},
        relu,
        {.kind = Kind::kSumAggregation, .outputs = 2}}},
      {"SumWithEpsilon",
       {{.kind = Kind::kSumAggregation, .outputs = 5, .epsilon = 0.4},
        relu,
        {.kind = Kind::kSumAggregation, .outputs = 2, .epsilon = -0.75}}},
      {"SumWithoutTheNode",
       {{.kind = Kind::kSumAggregation, .outputs = 2, .epsilon = -1},
        relu,
        {.kind = Kind::kSumAggregation, .outputs = 4, .epsilon = 2}}},
      {"PropagatedData", {{.kind = Kind::kPropagation, .steps = 2}, {.kind = Kind::kDense, .outputs = 3}}},
      {"PropagatedDroppedData",
       {{.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kPropagation, .steps = 2, .restart = 0.25},
        {.kind = Kind::kDense, .outputs = 3}}},
      {"PropagatedThenDropped",
       {{.kind = Kind::kPropagation, .steps = 2},
        {.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kDense, .outputs = 3}}},
      {"PropagatedOutputs",
       {{.kind = Kind::kDense, .outputs = 5},
        relu,
        {.kind = Kind::kDense, .outputs = 3},
        {.kind = Kind::kPropagation, .steps = 4, .restart = 0.1}}},
      {"PropagatedWithoutRestart",
       {{.kind = Kind::kGraphConvolution, .outputs = 3}, {.kind = Kind::kPropagation, .steps = 1}}},
      {"PropagatedBetween",
       {{.kind = Kind::kDense, .outputs = 4},
        {.kind = Kind::kPropagation, .steps = 3, .restart = 0.5},
        relu,
        {.kind = Kind::kMeanAggregation, .outputs = 2}}},
      {"PooledData", {{.kind = Kind::kPooling}, {.kind = Kind::kDense, .outputs = 3}}},
      {"PooledDroppedData",
       {{.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kPooling, .sums = true},
        {.kind = Kind::kDense, .outputs = 2}}},
      {"PooledBetween",
       {{.kind = Kind::kGraphConvolution, .outputs = 5},
        relu,
        {.kind = Kind::kPooling},
        {.kind = Kind::kDense, .outputs = 4},
        relu,
        {.kind = Kind::kDense, .outputs = 2}}},
      {"PooledOutputs", {{.kind = Kind::kMeanAggregation, .outputs = 3}, {.kind = Kind::kPooling, .sums = true}}},
      {"Jump",
       {{.kind = Kind::kGraphConvolution, .outputs = 5},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 3},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 4},
        relu,
        {.kind = Kind::kDense, .outputs = 2, .jump = true}}},
      {"JumpThatGathers",
       {{.kind = Kind::kDense, .outputs = 4},
        relu,
        {.kind = Kind::kMeanAggregation, .outputs = 3},
        {.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kGraphConvolution, .outputs = 2, .jump = true}}},
      {"TwoJumps",
       {{.kind = Kind::kMeanAggregation, .outputs = 3},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 3, .jump = true},
        relu,
        {.kind = Kind::kSumAggregation, .outputs = 6, .residual = true, .jump = true},
        relu,
        {.kind = Kind::kDense, .outputs = 2, .jump = true}}},
      {"LayerNorm",
       {{.kind = Kind::kGraphConvolution, .outputs = 8},
        {.kind = Kind::kLayerNorm},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 2}}},
      {"LayerNormOfOddWidths",
       {{.kind = Kind::kDense, .outputs = 7},
        {.kind = Kind::kLayerNorm},
        {.kind = Kind::kMeanAggregation, .outputs = 3},
        {.kind = Kind::kLayerNorm},
        relu,
        {.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kDense, .outputs = 2, .jump = true}}},
      {"JumpOverALayerNorm",
       {{.kind = Kind::kMeanAggregation, .outputs = 2},
        {.kind = Kind::kDense, .outputs = 3},
        {.kind = Kind::kLayerNorm},
        {.kind = Kind::kDense, .outputs = 2, .jump = true}}},
      {"LayerNormOfTwoColumns",
       {{.kind = Kind::kDense, .outputs = 2}, {.kind = Kind::kLayerNorm}, {.kind = Kind::kDense, .outputs = 3}}},
      {"DotOfOutputs", {{.kind = Kind::kGraphConvolution, .outputs = 3}, {.kind = Kind::kDotProduct}}},
      {"DotOfOneColumn", {{.kind = Kind::kDense, .outputs = 1, .bias = false}, {.kind = Kind::kDotProduct}}},
      {"LogitOfDense",
       {{.kind = Kind::kDense, .outputs = 4}, relu, {.kind = Kind::kDense, .outputs = 1}, {.kind = Kind::kLogit}}},
      {"OneOutput", {{.kind = Kind::kDense, .outputs = 5}, relu, {.kind = Kind::kDense, .outputs = 1}}},
      {"GcnOfOneOutput", ModelSpec::gcn(6, 1).layers},
      {"OneHiddenColumn",
       {{.kind = Kind::kGraphConvolution, .outputs = 6},
        relu,
        {.kind = Kind::kSumAggregation, .outputs = 1, .bias = false},
        relu,
        {.kind = Kind::kDense, .outputs = 1}}},
      {"LogitOfConvolution", {{.kind = Kind::kGraphConvolution, .outputs = 1}, {.kind = Kind::kLogit}}},
      {"DotBehindDroppedReLU",
       {{.kind = Kind::kMeanAggregation, .outputs = 5},
        relu,
        {.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kDotProduct}}},
      {"DotOfTwoConvolutions",
       {{.kind = Kind::kGraphConvolution, .outputs = 4},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 4, .residual = true},
        {.kind = Kind::kPropagation, .steps = 2, .restart = 0.25},
        {.kind = Kind::kDotProduct}}},
      {"WithoutBias", {{.kind = Kind::kGraphConvolution, .outputs = 2, .bias = false}}},
      {"Gcn", ModelSpec::gcn(6, 2).layers},
      {"Widening",
       {{.kind = Kind::kGraphConvolution, .outputs = 2}, relu, {.kind = Kind::kGraphConvolution, .outputs = 5}}},
      {"TwoMeans",
       {{.kind = Kind::kMeanAggregation, .outputs = 5}, relu, {.kind = Kind::kMeanAggregation, .outputs = 2}}},
      {"Residual",
       {{.kind = Kind::kDense, .outputs = 5},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 5, .residual = true},
        relu,
        {.kind = Kind::kDense, .outputs = 1}}},
      {"Dropout",
       {{.kind = Kind::kGraphConvolution, .outputs = 6},
        relu,
        {.kind = Kind::kDropout, .rate = 0.3},
        {.kind = Kind::kGraphConvolution, .outputs = 2}}},
      {"DroppedData", {{.kind = Kind::kDropout, .rate = 0.5}, {.kind = Kind::kGraphConvolution, .outputs = 3}}},
      {"DroppedDataMean", {{.kind = Kind::kDropout, .rate = 0.3}, {.kind = Kind::kMeanAggregation, .outputs = 3}}},
      {"DroppedDataTwice",
       {{.kind = Kind::kDropout, .rate = 0.25},
        {.kind = Kind::kDropout, .rate = 0.25},
        {.kind = Kind::kDense, .outputs = 5},
        relu,
        {.kind = Kind::kDropout, .rate = 0.5},
        {.kind = Kind::kGraphConvolution, .outputs = 2}}},
      {"Deep",
       {{.kind = Kind::kGraphConvolution, .outputs = 6},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 5},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 4},
        relu,
        {.kind = Kind::kGraphConvolution, .outputs = 2}}},
  };
}

// Common data of all cases, and the twin's results.
class Gradients : public testing::TestWithParam<Case> {
 protected:
  Gradients() {
    for (std::int64_t node = 0; node < kNodes; ++node) {
      for (const std::int64_t other : {(node + 1) % kNodes, (node * 3 + 2) % kNodes}) {
        edges_.from.insert(edges_.from.end(), {node, other});
        edges_.to.insert(edges_.to.end(), {other, node});
      }
    }
    if (spec().pools()) graphs_ = {0, 0, 1, 2, 2, 2, 2, 3, 3, 3, 4};
    if (spec().pairs()) pairs_ = {{0, 2, 1, 4, 3, 2, 0, 7, 5, 2, 1}, {1, 9, 6, 5, 10, 4, 1, 8, 9, 3, 0}};
    adjacencies_ = adjacencies_of(spec(), edges_, kNodes, graphs_);
    pruned_ = layered(spec(), adjacencies_, kLabelled, pairs_);
    whole_ = layered(spec(), adjacencies_, subjects_of(kNodes, graphs_), pairs_);
    std::uint64_t seed = 17;
    do {
      draw_values(seed++);
    } while (nearest_kink() < kFromAKink);
  }

  // The values of the data and of the parameters, including biases.
  void draw_values(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(-1, 1);
    x_ = Matrix::NullaryExpr(kNodes, kInputs, [&] { return draw(random); });
    y_ = Matrix::NullaryExpr(kNodes, outputs(), [&] { return draw(random); });
    parameters_ = initial_parameters(spec(), kInputs, 3);
    for (NamedMatrix& parameter : parameters_) {
      parameter.values +=
          Matrix::NullaryExpr(parameter.values.rows(), parameter.values.cols(), [&] { return 0.2 * draw(random); });
    }
  }

  // The smallest magnitude of a ReLU's input. The layers before a ReLU are a model of their own here, which ends with a dense layer
  // whose weights are the identity.
  double nearest_kink() const {
    double nearest = 1;
    const ModelSpec all = spec();
    for (std::size_t relu = 0; relu < all.layers.size(); ++relu) {
      if (all.layers[relu].kind != Kind::kRelu) continue;
      ModelSpec before{{all.layers.begin(), all.layers.begin() + static_cast<std::ptrdiff_t>(relu)}};
      const std::int64_t columns = outputs_of(before, kInputs);
      before.layers.push_back({.kind = Kind::kDense, .outputs = static_cast<int>(columns), .bias = false});
      const std::vector<std::int64_t> graphs = before.pools() ? graphs_ : std::vector<std::int64_t>();
      const Adjacencies adjacencies = adjacencies_of(before, edges_, kNodes, graphs);
      const LayeredGraph graph = layered(before, adjacencies, subjects_of(kNodes, graphs), {});
      std::vector<NamedMatrix> parameters = initial_parameters(before, kInputs, 3);
      for (std::size_t i = 0; i + 1 < parameters.size(); ++i) parameters[i] = parameters_[i];
      parameters.back().values = Matrix::Identity(columns, columns);
      PlainModel model(before, kInputs, graph, parameters, kSeed);
      model.set_pass(kPass);
      nearest =
          std::min(nearest, model.forward(x_(graph.rows.front(), Eigen::all), Pass::kTraining).cwiseAbs().minCoeff());
    }
    return nearest;
  }

  static ModelSpec spec() { return {GetParam().layers}; }
  static std::int64_t outputs() { return outputs_of(spec(), kInputs); }

  PlainLoss loss_of(PlainModel& model, const LayeredGraph& graph) const {
    const Matrix x = x_(graph.rows.front(), Eigen::all), y = y_(graph.rows.back(), Eigen::all);
    return plain_mean_squared_error(model.forward(x, Pass::kTraining), y, positions(kLabelled, graph.rows.back()));
  }
  PlainModel twin(const std::vector<NamedMatrix>& parameters, const LayeredGraph& graph) const {
    PlainModel model(spec(), kInputs, graph, parameters, kSeed);
    model.set_pass(kPass);
    return model;
  }
  const LayeredGraph& graph(bool whole) const { return whole ? whole_ : pruned_; }
  std::vector<Matrix> twins_gradients(bool whole) const {
    PlainModel model = twin(parameters_, graph(whole));
    return model.backward(loss_of(model, graph(whole)).gradient);
  }

  // The gradients of the loss, revealed.
  std::vector<Matrix> secret_gradients(mpc::Session& session, mpc::Format top, bool private_graph) const {
    Arithmetic arithmetic(session, top);
    const auto tensor = [&](int owner, const Matrix& m, double bound, const std::string& name) {
      return Tensor(mpc::input(session, owner, mpc::shape_of(m), top, &m, name), bound, name);
    };
    const int last = session.parties() - 1;
    std::map<Normalisation, Tensor> secret_graph;
    for (const auto& [weighting, adjacency] : adjacencies_) {
      const Normalisation kind = weighting.normalisation;
      if (kind == Normalisation::kMeanOfGraph || kind == Normalisation::kSumOfGraph) continue;
      const Matrix dense = normalised(edges_, kNodes, weighting.normalisation).times(Matrix::Identity(kNodes, kNodes));
      secret_graph.emplace(weighting.normalisation, tensor(last, dense, 1, "graph"));
    }
    const GraphView::Propagators propagators = GraphView::propagators_of(spec(), secret_graph);
    const GraphView view =
        private_graph && spec().pairs()
            ? GraphView::of_private_pairs(spec(), propagators, kNodes, whole_.rows.back(), secret_ends(session, top))
        : private_graph ? GraphView::of_private(arithmetic, spec(), propagators, kNodes, whole_.rows.back(), graphs_)
                        : GraphView::of_public(arithmetic, spec(), pruned_, kNodes, false);
    Model model(spec(), kInputs, view, kSeed);
    model.set_pass(kPass - 1);
    const std::vector<Parameter*> parameters = model.parameters();
    EXPECT_EQ(parameters.size(), parameters_.size());
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i]->value = tensor(0, parameters_[i].values, arithmetic.ranges().weights, parameters_[i].name);
    }
    // A view of the labelled nodes ends with these nodes alone.
    const Matrix x = x_(view.inputs(), Eigen::all), y = y_(view.outputs(), Eigen::all);
    MeanSquaredError loss(arithmetic, tensor(last, y, 16, "y"),
                          Selection::of(positions(kLabelled, view.outputs()), y.rows()));
    const Tensor input = tensor(0, x, 16, "x");
    // The second pass is compared, since a pass must keep nothing of the pass before.
    model.forward(arithmetic, input, Pass::kTraining);
    const Tensor z = model.forward(arithmetic, input, Pass::kTraining);
    model.backward(arithmetic, loss.of(arithmetic, z, Loss::Value::kNotWanted).gradient);
    std::vector<Matrix> revealed;
    for (const Parameter* parameter : parameters) {
      const mpc::Public seen = mpc::reveal(session, parameter->gradient.share(), mpc::To::everyone(), "a gradient");
      session.output([&](const mpc::PublicReader& read) { revealed.push_back(read(seen) / loss.scale()); });
    }
    return revealed;
  }

  // The first pairs are secret, the others are drawn.
  PairEnds secret_ends(mpc::Session& session, mpc::Format top) const {
    constexpr std::int64_t kSecret = 6;
    Matrix rows = Matrix::Zero(2 * kSecret, kNodes);
    for (std::size_t i = 0; i < kSecret; ++i) {
      rows(static_cast<Eigen::Index>(i), pairs_.from[i]) = 1;
      rows(static_cast<Eigen::Index>(i) + kSecret, pairs_.to[i]) = 1;
    }
    const mpc::Share share = mpc::input(session, 0, mpc::shape_of(rows), {top.ring_bits, 0}, &rows, "links");
    const auto others = [](const std::vector<std::int64_t>& ends) { return Rows(ends.begin() + kSecret, ends.end()); };
    return PairEnds(Tensor(share, 1, "links"), PairEnds(others(pairs_.from), others(pairs_.to), kNodes));
  }

  static void expect_near(const std::vector<Matrix>& found, const std::vector<Matrix>& expected, double error) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_LE((found[i] - expected[i]).cwiseAbs().maxCoeff(), error) << "parameter " << i;
    }
  }

  Matrix x_, y_;
  Edges edges_;
  std::vector<std::int64_t> graphs_;  // of a model that pools; they begin with the labelled nodes
  Edges pairs_;                       // of a model that ends with a dot product; there are as many as nodes
  Adjacencies adjacencies_;
  LayeredGraph pruned_, whole_;  // for the labelled nodes, and for all nodes
  std::vector<NamedMatrix> parameters_;
};

INSTANTIATE_TEST_SUITE_P(Layers, Gradients, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Gradients, OfTheTwinAreFiniteDifferences) {
  constexpr double kStep = 1e-6;
  const std::vector<Matrix> gradients = twins_gradients(true);
  ASSERT_EQ(gradients.size(), parameters_.size());
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    for (Eigen::Index i = 0; i < parameters_[p].values.size(); ++i) {
      const auto loss_at = [&](double moved) {
        std::vector<NamedMatrix> near = parameters_;
        near[p].values.data()[i] += moved;
        PlainModel model = twin(near, whole_);
        return loss_of(model, whole_).value;
      };
      EXPECT_NEAR((loss_at(kStep) - loss_at(-kStep)) / (2 * kStep), gradients[p].data()[i], 1e-7)
          << parameters_[p].name << ", element " << i;
    }
  }
}

TEST_P(Gradients, InTheClearAreTheTwins) {
  // A restart is a factor of 12 bits in every step.
  const double error = std::string_view(GetParam().name).starts_with("Propagated") ? 1e-2 : 5e-3;
  for (const bool private_graph : {false, true}) {
    mpc::ClearSession session;
    expect_near(secret_gradients(session, {64, 16}, private_graph), twins_gradients(private_graph), error);
    EXPECT_TRUE(session.range_violations().empty());
  }
}

TEST_P(Gradients, OfPartiesAreTheTwins) {
  for (const int parties : {2, 3, 5}) {
    for (const bool private_graph : {false, true}) {
      mpc::run_parties(parties, [&](mpc::Session& session, int rank) {
        const std::vector<Matrix> gradients = secret_gradients(session, {64, 13}, private_graph);
        // A propagation multiplies by the rounded entries of the graph in every step, a layer norm by roots.
        const std::string_view name = GetParam().name;
        const double error = name.starts_with("Propagated") || name.starts_with("LayerNorm") ? 2e-2 : 1e-2;
        if (rank == 0) expect_near(gradients, twins_gradients(private_graph), error);
      });
    }
  }
}

// As in PyTorch, and unlike a sign bit: an input of zeros with a bias of zero gives the bias no gradient.
TEST(Relu, HasTheSlopeZeroAtZero) {
  constexpr double kLeast = 0x1p-16;
  const Matrix x{{-1, -kLeast, 0, kLeast, 3}}, ones = Matrix::Ones(1, 5), slopes{{0, 0, 0, 1, 1}};
  for (const int parties : {1, 2, 3}) {
    mpc::run_parties(parties, [&](mpc::Session& session, int) {
      Arithmetic arithmetic(session, {64, 16});
      const auto tensor = [&](const Matrix& m) {
        return Tensor(mpc::input(session, 0, mpc::shape_of(m), {64, 16}, &m, "m"), 4, "m");
      };
      Relu relu("relu");
      const Tensor out = relu.forward(arithmetic, tensor(x), Pass::kTraining);
      const Tensor gradient = relu.backward(arithmetic, tensor(ones)).value();
      const mpc::Public outputs = mpc::reveal(session, out.share(), mpc::To::everyone(), "outputs");
      const mpc::Public found = mpc::reveal(session, gradient.share(), mpc::To::everyone(), "slopes");
      session.output([&](const mpc::PublicReader& read) {
        EXPECT_EQ(read(outputs), Matrix(x.cwiseMax(0)));
        EXPECT_EQ(read(found), slopes);
      });
    });
  }

  const ModelSpec spec{
      {{.kind = Kind::kDense, .outputs = 2}, {.kind = Kind::kRelu}, {.kind = Kind::kDense, .outputs = 1}}};
  const LayeredGraph alone = layered(spec, adjacencies_of(spec, {}, 1, {}), {0}, {});
  const std::vector<NamedMatrix> parameters = initial_parameters(spec, 1, 3);
  const Matrix zero = Matrix::Zero(1, 1), one = Matrix::Ones(1, 1);
  PlainModel twin(spec, 1, alone, parameters, kSeed);
  EXPECT_EQ(twin.forward(zero, Pass::kTraining), zero);
  const std::vector<Matrix> gradients = twin.backward(one);
  EXPECT_EQ(gradients.at(1), Matrix::Zero(1, 2));  // the gradient by the first bias
  EXPECT_EQ(gradients.back(), one);
}

}  // namespace
}  // namespace tacit::gnn
