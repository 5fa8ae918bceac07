#include "launcher/plan/planned_data.h"

#include <fmt/format.h>

#include <filesystem>

#include "gnn/data/several_graphs.h"
#include "gnn/data/split.h"
#include "gnn/metric/countable.h"
#include "gnn/train/announcing.h"
#include "gnn/train/batches.h"
#include "gnn/train/predictions.h"
#include "launcher/data/node_list.h"
#include "launcher/data/own_part.h"
#include "launcher/data/read_part.h"
#include "launcher/job/job.h"
#include "launcher/plan/other_adjacency.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

// For a plan of memory at a rank that does not hold the edges.
constexpr std::int64_t kEdgesOfANode = 8;

constexpr const char* kOtherWaysToPredict =
    "give the whole graph with --graph, or its sizes with --nodes and --features";
constexpr const char* kOtherWays =
    "give the whole graph with --graph, or its sizes with --nodes, --features, --train, --validation and --test";

gnn::DataAgreement agreement_of(const Job& job, const gnn::GraphData& whole) {
  const gnn::Plans plans = job;
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    parts.push_back(gnn::part_of(whole, plans.data.ownership, rank, static_cast<int>(job.parties)));
  }
  return gnn::agreement_of(plans.data, plans.training, parts);
}

gnn::PredictionAgreement prediction_agreement_of(const Job& job, const gnn::GraphData& whole,
                                                 const std::optional<gnn::Rows>& nodes) {
  const gnn::Ownership ownership = gnn::ownership_of_prediction(job.data.ownership);
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    const gnn::GraphData part = gnn::part_of(whole, ownership, rank, static_cast<int>(job.parties));
    parts.push_back(gnn::part_of_prediction(part, job.data.ownership, rank));
  }
  return gnn::prediction_agreement_of(job.data, job.training, parts, nodes);
}

void expect_few_nodes(const StatedSizes& sizes) {
  constexpr std::int64_t kMost = 1 << 26;
  if (sizes.nodes <= kMost / sizes.snapshots) return;
  throw ConfigError(fmt::format("--nodes {}: a plan is of at most {} nodes{}", sizes.nodes, kMost,
                                sizes.snapshots > 1 ? ", each counted in every snapshot" : ""));
}

void expect_graphs(const Job& job, const StatedSizes& sizes) {
  const bool pools = job.training.model.pools();
  if (pools && sizes.graphs == 0) {
    throw ConfigError("the model pools, and the sizes lack --graphs: say how many graphs there are");
  }
  if (!pools && sizes.graphs > 0) {
    throw ConfigError("--graphs: the model has no layer of kind \"pool\", and predicts no graphs; leave it out");
  }
  if (sizes.graphs <= sizes.nodes) return;
  throw ConfigError(
      fmt::format("--graphs {}: there are {} nodes, and a graph has at least one", sizes.graphs, sizes.nodes));
}

// `needed`: pairs are predicted.
void expect_pairs_stated(const Job& job, const StatedSizes& sizes, bool needed) {
  if (!job.data.links) {
    if (sizes.pairs > 0) throw ConfigError("--pairs: the job learns no links (data.links); leave it out");
    return;
  }
  if (sizes.nodes < 2) throw ConfigError("--nodes: a link joins two nodes; state at least 2");
  if (sizes.pairs > gnn::kMostPairs) {
    throw ConfigError(fmt::format("--pairs {}: at most {} pairs are predicted", sizes.pairs, gnn::kMostPairs));
  }
  if (!needed || sizes.pairs > 0) return;
  throw ConfigError("the job predicts pairs of nodes, and the sizes lack --pairs: say how many there are");
}

void expect_measured_parts(const Job& job, const StatedSizes& sizes) {
  for (const gnn::Revealed& what : job.training.metrics) {
    const std::int64_t count = what.part == gnn::Part::kTrain        ? sizes.train
                               : what.part == gnn::Part::kValidation ? sizes.validation
                                                                     : sizes.test;
    if (count > 0) continue;
    throw ConfigError(fmt::format("the {} is to be revealed, and no {} data are stated: say how many with --{}",
                                  name_of(what), name_of(what.part), name_of(what.part)));
  }
}

void expect_edges_stated(const Job& job, const StatedSizes& sizes) {
  if (job.data.sparse_graph() && !sizes.edges) {
    throw ConfigError(
        "the cost of a sparse graph (data.adjacency) depends on its edges, and the sizes lack --edges: say how many "
        "edges there are");
  }
  if (may_be_sparse(job.data) || !sizes.edges) return;
  throw ConfigError(
      "--edges: costs depend on the number of edges only if they are private and may be sparse (data.adjacency); leave "
      "it out");
}

// The number of edges as stated: an empty graph has others. Ranks that own nodes get edges in proportion to their nodes; otherwise all
// ranks get equal numbers.
void state_edges(const Job& job, const StatedSizes& sizes, gnn::Holding& holding) {
  const gnn::PartOwnership& edges = job.data.ownership.edges;
  if (!sizes.edges) return;
  if (edges.kind == gnn::PartOwnership::Kind::kWhole) {
    holding.edges[static_cast<std::size_t>(edges.rank)] = *sizes.edges;
    return;
  }
  const bool by_nodes = edges.kind == gnn::PartOwnership::Kind::kByOwner;
  const auto ranks = holding.edges.size();
  const std::int64_t all = by_nodes ? sizes.rows() : static_cast<std::int64_t>(ranks);
  std::int64_t before = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::int64_t through = before + (by_nodes ? holding.own_rows[rank].count : 1);
    const auto until = [&](std::int64_t part) {
      return static_cast<std::int64_t>(static_cast<double>(*sizes.edges) * static_cast<double>(part) /
                                       static_cast<double>(all));
    };
    holding.edges[rank] = until(through) - until(before);
    before = through;
  }
}

// The agreement as the dealer knows it, without views. A plan's costs do not depend on views, and
// views are large if batches are small.
gnn::DataAgreement sizes_alone(gnn::DataAgreement agreement) {
  agreement.views.reset();
  return agreement;
}

gnn::NodeMask mask_of(std::int64_t nodes, std::int64_t from, std::int64_t count) {
  gnn::NodeMask mask(static_cast<std::size_t>(nodes));
  for (std::int64_t node = from; node < from + count; ++node) mask[static_cast<std::size_t>(node)] = true;
  return mask;
}

// A graph of these sizes without values. Its edges give every node a neighbour, and an edge to every rank that may
// hold one.
gnn::GraphData empty_graph(const Job& job, const StatedSizes& sizes) {
  gnn::GraphData graph;
  graph.nodes = sizes.rows();
  graph.snapshots = sizes.snapshots;
  gnn::SparseFeatures x;
  x.shape = {sizes.rows(), sizes.features};
  x.row_begin.assign(static_cast<std::size_t>(sizes.rows()) + 1, 0);
  graph.sparse_x = std::move(x);
  if (job.data.links) {
    gnn::Edges pairs;
    for (std::int64_t pair = 0; pair < sizes.pairs; ++pair) {
      pairs.from.push_back(0);
      pairs.to.push_back(1);
    }
    graph.pairs = std::move(pairs);
  } else if (job.data.classes > 0) {
    graph.classes.emplace(static_cast<std::size_t>(sizes.subjects()));
  } else {
    graph.targets = mpc::Matrix::Zero(sizes.subjects(), sizes.targets);
  }
  const std::int64_t subjects = sizes.subjects();
  if (!job.data.links) {
    graph.train_mask = mask_of(subjects, 0, sizes.train);
    if (sizes.validation > 0) graph.val_mask = mask_of(subjects, sizes.train, sizes.validation);
    if (sizes.test > 0) graph.test_mask = mask_of(subjects, sizes.train + sizes.validation, sizes.test);
  }
  for (std::int64_t node = 0; sizes.graphs > 0 && node < sizes.nodes; ++node) {
    graph.graphs.push_back(node * sizes.graphs / sizes.nodes);
  }
  gnn::move_to_first_nodes(graph);
  if (job.data.ownership.edges.kind == gnn::PartOwnership::Kind::kNone) return graph;
  graph.edges.emplace();
  graph.edges->from.reserve(2 * static_cast<std::size_t>(sizes.nodes));
  graph.edges->to.reserve(2 * static_cast<std::size_t>(sizes.nodes));
  // Every node has edges. If any rank may hold edges, every rank gets some (gnn::sees_edge()).
  for (const std::int64_t step : {1, 2}) {
    for (std::int64_t node = 0; node < sizes.nodes; ++node) {
      const std::int64_t other = (node + step) % sizes.nodes;
      const bool within = sizes.graphs == 0 ||
                          graph.graphs[static_cast<std::size_t>(node)] == graph.graphs[static_cast<std::size_t>(other)];
      graph.edges->from.push_back(node);
      graph.edges->to.push_back(within ? other : node);
    }
  }
  return graph;
}

// The numbers of rows that the model outputs and that each layer reads; a layer that gathers reads all nodes.
std::vector<std::int64_t> most_read(const gnn::ModelSpec& model, std::int64_t nodes, std::int64_t outputs) {
  std::vector<std::int64_t> sizes(model.layers.size() + 1, outputs);
  for (std::size_t i = model.layers.size(); i-- > 0;) {
    const bool pairs = model.layers[i].kind == gnn::LayerSpec::Kind::kDotProduct;
    sizes[i] = model.layers[i].gathers() ? nodes : pairs ? std::min(nodes, 2 * sizes[i + 1]) : sizes[i + 1];
  }
  return sizes;
}

// A job that learns links: the numbers of links are stated, and their parts do not follow from edges.
PlannedData links_as_stated(const Job& job, const StatedSizes& sizes) {
  const gnn::Plans plans = job;
  const gnn::LinkPlan& plan = *plans.data.links;
  PlannedData data;
  data.from = "as stated";
  data.edges_known = sizes.edges.has_value();
  gnn::DataAgreement& agreement = data.agreement;
  agreement.holding =
      gnn::planned_holding(empty_graph(job, sizes), plans.data.ownership, static_cast<int>(job.parties));
  agreement.links.resize(static_cast<std::size_t>(job.parties));
  agreement.links.front() = {sizes.train, sizes.validation, sizes.test};  // costs do not depend on the holder
  const gnn::LinkPairs numbers = agreement.link_pairs(plan);
  gnn::expect_pairs_to_draw(numbers.all(), sizes.nodes);
  agreement.counts = numbers.counts();
  state_edges(job, sizes, agreement.holding);
  gnn::expect_number_of_pairs(numbers.all());
  const bool predicts = gnn::tells_predictions(plans.training);
  for (const gnn::Revealed& what : plans.training.metrics) {
    gnn::expect_countable(what, agreement.counts.of(what.part), "pair");
  }
  if (plans.data.private_graph()) return data;
  const auto read = [&](std::int64_t pairs) { return most_read(plans.training.model, sizes.nodes, pairs); };
  for (const gnn::Rows& batch : gnn::batches_of(agreement.counts.train, plans.training.batch, plans.training.seed)) {
    agreement.training_sizes.push_back(read(std::ssize(batch)));
  }
  for (const gnn::Revealed& what : plans.training.metrics) {
    agreement.measured_sizes[what.part] = read(agreement.counts.of(what.part));
  }
  if (predicts) agreement.asked_sizes = read(sizes.pairs);
  data.at_most = true;
  return data;
}

}  // namespace

PlannedData data_by_parts(const Job& job) {
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    const std::string file = part_file(job, rank);
    if (is_to_be_aligned(job, file)) {
      throw ConfigError(
          fmt::format("a plan needs the sizes of all data: the part of rank {} is not here, {}; {}; or {}", rank, file,
                      kAlignFirst, kOtherWays));
    }
    if (file.empty() || !fs::exists(file)) {
      throw ConfigError(fmt::format(
          "a plan needs the sizes of all data: {}; {}",
          file.empty() ? "the job has no data.files" : fmt::format("the part of rank {} is not here, {}", rank, file),
          kOtherWays));
    }
    parts.push_back(read_part(job, rank, file, nullptr));
  }
  const gnn::Plans plans = job;
  return {sizes_alone(gnn::agreement_of(plans.data, plans.training, parts)), "by the parties' files"};
}

PlannedData data_by_graph(const Job& job, const std::string& file) {
  return {sizes_alone(agreement_of(job, read_whole(job, file))), fmt::format("by {}", file)};
}

PlannedData data_for_memory(const Job& job, int rank) {
  bool all = true;
  for (int party = 0; party < job.parties; ++party) all = all && fs::exists(part_file(job, party));
  if (all) return data_by_parts(job);
  std::string file = part_file(job, rank);
  // Before an alignment, the party's own file has at least the nodes of the aligned one.
  if (is_to_be_aligned(job, file)) file = job.files.of(rank);
  const gnn::GraphData own = read_part(job, rank, file, nullptr);
  const std::int64_t columns = own.x ? own.x->cols() : own.sparse_x ? own.sparse_x->shape.cols : 1;
  const bool split = job.data.ownership.features.kind == gnn::PartOwnership::Kind::kByColumns;
  StatedSizes sizes;
  sizes.nodes = own.graph_nodes();
  sizes.snapshots = own.snapshots;
  sizes.features = split ? columns * job.parties : columns;
  if (own.targets) sizes.targets = own.targets->cols();
  if (job.data.sparse_graph()) {
    const bool of_one = job.data.ownership.edges.kind == gnn::PartOwnership::Kind::kWhole;
    sizes.edges = own.edges ? own.edges->size() * (of_one ? 1 : job.parties) : kEdgesOfANode * sizes.nodes;
  }
  if (job.data.links) {
    const gnn::LinkParts links = gnn::links_of(own, *job.data.links);
    const gnn::PartOwnership& edges = job.data.ownership.edges;
    if (edges.kind == gnn::PartOwnership::Kind::kWhole && edges.rank != rank) {
      throw ConfigError(
          fmt::format("rank {} holds the edges, and this rank cannot know how many links there are", edges.rank));
    }
    const std::int64_t owners = edges.kind == gnn::PartOwnership::Kind::kByOwner ? job.parties : 1;
    sizes.train = std::max<std::int64_t>(links.train.size(), 1) * owners;
    sizes.validation = links.validation.size() * owners;
    sizes.test = links.test.size() * owners;
    if (own.pairs) sizes.pairs = own.pairs->size();
    return data_as_stated(job, sizes);
  }
  const auto count = [&](gnn::Part part) { return std::ssize(gnn::rows_of(own, part)); };
  sizes.graphs = gnn::number_of_graphs(own);
  sizes.train = own.train_mask ? count(gnn::Part::kTrain) : sizes.subjects();
  sizes.validation = std::min(count(gnn::Part::kValidation), sizes.subjects() - sizes.train);
  sizes.test = std::min(count(gnn::Part::kTest), sizes.subjects() - sizes.train - sizes.validation);
  return data_as_stated(job, sizes);
}

PlannedData data_as_stated(const Job& job, const StatedSizes& stated) {
  StatedSizes sizes = stated;
  sizes.snapshots = job.data.snapshots;
  expect_few_nodes(sizes);
  expect_graphs(job, sizes);
  expect_pairs_stated(job, sizes, gnn::tells_predictions(job.training));
  expect_edges_stated(job, sizes);
  expect_measured_parts(job, sizes);
  if (job.data.links) return links_as_stated(job, sizes);
  if (sizes.train + sizes.validation + sizes.test > sizes.subjects()) {
    throw ConfigError(fmt::format("--train, --validation and --test name {} {}s together, and there are {}",
                                  sizes.train + sizes.validation + sizes.test,
                                  sizes.graphs > 0      ? "graph"
                                  : sizes.snapshots > 1 ? "row"
                                                        : "node",
                                  sizes.subjects()));
  }
  Job at_once = job;
  at_once.training.batch = 0;  // this graph's views are useless; the sizes of its batches follow without them
  PlannedData data{sizes_alone(agreement_of(at_once, empty_graph(job, sizes))), "as stated"};
  gnn::DataAgreement& agreement = data.agreement;
  state_edges(job, sizes, agreement.holding);
  data.edges_known = sizes.edges.has_value();
  const gnn::Plans plans = job;
  if (plans.data.private_graph() || !plans.data.has_graph()) return data;
  agreement.training_sizes.clear();
  for (const gnn::Rows& batch : gnn::batches_of(sizes.train, plans.training.batch, plans.training.seed)) {
    agreement.training_sizes.push_back(
        most_read(job.training.model, sizes.rows(), plans.data.private_masks() ? sizes.subjects() : std::ssize(batch)));
  }
  agreement.whole_sizes = most_read(job.training.model, sizes.rows(), sizes.subjects());
  data.at_most = agreement.training_sizes.front().back() < agreement.whole_sizes.back();
  return data;
}

PlannedPredictionData prediction_data_by_parts(const Job& job) {
  std::vector<gnn::GraphData> parts;
  for (int rank = 0; rank < job.parties; ++rank) {
    const std::string file = prediction_file(job, rank);
    if (gnn::takes_part(job.data.ownership, rank) && (file.empty() || !fs::exists(file))) {
      throw ConfigError(fmt::format("a plan needs the sizes of all data: {}; {}",
                                    file.empty() ? "the job has neither predict.files nor data.files"
                                                 : fmt::format("the part of rank {} is not here, {}", rank, file),
                                    kOtherWaysToPredict));
    }
    parts.push_back(
        gnn::part_of_prediction(read_prediction_part(job, rank, [](const std::string&) {}), job.data.ownership, rank));
    // On the training's own data, only the edges of training links pass messages.
    if (job.data.links && job.predict_files.empty()) {
      parts.back() = gnn::with_links_apart(std::move(parts.back()), *job.data.links);
    }
  }
  std::optional<gnn::Rows> nodes;
  if (!job.predict_nodes.empty()) {
    nodes = read_node_list(job.predict_nodes, parts.front(), job.data.links.has_value());
  }
  return {gnn::prediction_agreement_of(job.data, job.training, parts, nodes), "by the parties' files", false};
}

PlannedPredictionData prediction_data_by_graph(const Job& job, const std::string& file) {
  gnn::GraphData whole = read_whole(job, file);
  if (job.data.links && job.predict_files.empty()) whole = gnn::with_links_apart(std::move(whole), *job.data.links);
  std::optional<gnn::Rows> nodes;
  if (!job.predict_nodes.empty()) nodes = read_node_list(job.predict_nodes, whole, job.data.links.has_value());
  return {prediction_agreement_of(job, whole, nodes), fmt::format("by {}", file), false};
}

PlannedPredictionData prediction_data_as_stated(const Job& job, const StatedSizes& stated) {
  StatedSizes sizes = stated;
  sizes.snapshots = job.data.snapshots;
  expect_few_nodes(sizes);
  expect_graphs(job, sizes);
  expect_pairs_stated(job, sizes, true);
  expect_edges_stated(job, sizes);
  PlannedPredictionData data{prediction_agreement_of(job, empty_graph(job, sizes), std::nullopt), "as stated", false};
  gnn::PredictionAgreement& agreement = data.agreement;
  state_edges(job, sizes, agreement.holding);
  if (!job.data.has_graph() || job.data.private_graph()) return data;
  agreement.view.reset();
  agreement.sizes = most_read(job.training.model, sizes.rows(), job.data.links ? sizes.pairs : sizes.subjects());
  return data;
}

}  // namespace tacit::launcher
