#include "gnn/attack/link_stealing.h"

#include <algorithm>
#include <random>
#include <set>

#include "net/error.h"

namespace tacit::gnn {

namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

std::vector<double> alike(const Matrix& rows, const Pairs& pairs) {
  std::vector<double> scores;
  for (const auto& [a, b] : pairs) scores.push_back(-(rows.row(a) - rows.row(b)).squaredNorm());
  return scores;
}

// Probabilities, if the outputs are logits of classes: two certain answers of one class are alike.
Matrix answers(const Rehearsal& rehearsal, Matrix z) {
  if (!rehearsal.of_classes()) return z;
  for (Eigen::Index row = 0; row < z.rows(); ++row) {
    const auto shifted = (z.row(row).array() - z.row(row).maxCoeff()).exp().eval();
    z.row(row) = shifted / shifted.sum();
  }
  return z;
}

// The layers without edges.
TrainingPlan without_edges(TrainingPlan plan) {
  for (LayerSpec& layer : plan.model.layers) {
    if (layer.has_weights()) layer.kind = LayerSpec::Kind::kDense;
  }
  std::erase_if(plan.model.layers, [](const LayerSpec& layer) { return layer.kind == LayerSpec::Kind::kPropagation; });
  return plan;
}

}  // namespace

LinkAttack attack_links(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model, std::int64_t most,
                        std::uint64_t seed) {
  const PlainData& data = rehearsal.data();
  const ModelSpec& spec = rehearsal.plan().model;
  if (data.edges.size() == 0 || spec.pairs() || spec.pools()) {
    throw ConfigError("link stealing is for models that predict nodes of one graph with edges");
  }
  std::set<std::pair<std::int64_t, std::int64_t>> known;
  for (std::int64_t edge = 0; edge < data.edges.size(); ++edge) {
    const std::int64_t a = data.edges.from[static_cast<std::size_t>(edge)],
                       b = data.edges.to[static_cast<std::size_t>(edge)];
    if (a != b) known.emplace(std::min(a, b), std::max(a, b));
  }
  std::mt19937_64 random(seed);
  Pairs linked(known.begin(), known.end()), apart;
  std::shuffle(linked.begin(), linked.end(), random);
  if (std::ssize(linked) > most) linked.resize(static_cast<std::size_t>(most));
  const std::int64_t nodes = data.x.rows();
  if (std::ssize(known) > nodes * (nodes - 1) / 4) {
    throw ConfigError("more than half of all pairs of nodes have an edge, so that edges are not worth stealing");
  }
  std::uniform_int_distribution<std::int64_t> node(0, nodes - 1);
  while (apart.size() < linked.size()) {
    const std::int64_t a = node(random), b = node(random);
    if (a != b && !known.contains({std::min(a, b), std::max(a, b)})) apart.emplace_back(a, b);
  }
  const auto told_by = [&](const Matrix& rows) { return ranking_of(alike(rows, linked), alike(rows, apart)); };
  LinkAttack attack;
  attack.pairs = std::ssize(linked);
  attack.by_model = told_by(answers(rehearsal, rehearsal.outputs(model)));
  PlainData alone = data;
  alone.edges = {};
  const Rehearsal dense(without_edges(rehearsal.plan()), std::move(alone), std::nullopt);
  attack.by_dense = told_by(answers(dense, dense.outputs(dense.trained(data.train, seed))));
  attack.by_features = told_by(data.x);
  return attack;
}

}  // namespace tacit::gnn
