#include "gnn/train/agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/labels.h"
#include "gnn/data/snapshots.h"
#include "gnn/metric/countable.h"
#include "gnn/plan/plans.h"
#include "gnn/train/announcing.h"
#include "gnn/train/batches.h"
#include "gnn/train/id_lists.h"
#include "gnn/train/predictions.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Numbers = std::vector<std::int64_t>;

Counts counts_of(const GraphData& part) {
  if (part.links) return counts_of(*part.links);
  return {std::ssize(rows_of(part, Part::kTrain)), std::ssize(rows_of(part, Part::kValidation)),
          std::ssize(rows_of(part, Part::kTest))};
}

// Sums the counts of the ranks' masks. Public masks are equal at every rank and count once.
void add_up(const DataPlan& data, const TrainingPlan& training, std::vector<Counts> by_rank, DataAgreement& agreement) {
  agreement.counts = by_rank.front();
  if (data.links) {
    agreement.links = std::move(by_rank);
    if (!data.private_graph()) {  // each rank has all links
      for (std::size_t rank = 1; rank < agreement.links.size(); ++rank) agreement.links[rank] = {};
    }
    const LinkPairs numbers = agreement.link_pairs(*data.links);
    agreement.counts = numbers.counts();
    expect_number_of_pairs(numbers.all());
    expect_pairs_to_draw(numbers.all(), agreement.holding.nodes);
  } else if (data.private_masks()) {
    agreement.counts = {};
    for (const Counts& own : by_rank) {
      agreement.counts.train += own.train;
      agreement.counts.validation += own.validation;
      agreement.counts.test += own.test;
    }
    agreement.by_rank = std::move(by_rank);
  }
  const std::string_view subject = subject_name(data.ownership.graphs, data.ownership.pairs);
  if (agreement.counts.train == 0) {
    throw ConfigError(data.links
                          ? "data: there is no link to train on: no edge leads from a smaller node number to a larger "
                            "one, or validation and test keep them all (data.links)"
                          : fmt::format("data: train_mask names no {}; there is nothing to train on", subject));
  }
  for (const Revealed& what : training.metrics) expect_countable(what, agreement.counts.of(what.part), subject);
}

void expect_labels_of(const DataPlan& data, const Holding& holding) {
  if (data.links || holding.classes == (data.classes > 0)) return;
  throw ConfigError(holding.classes
                        ? "labels: the files hold classes, but the job trains on targets; say how many classes"
                        : "labels: the files hold targets, but the job says that they are classes");
}

// A node of a mask must have a label. Of two files, one with the labels and one with the masks, neither rank could see it.
void expect_known_labels(const DataPlan& data, const Holding& holding) {
  for (std::size_t rank = 0; rank < holding.y.size(); ++rank) {
    const std::int64_t unlabelled = holding.unlabelled_subjects(rank);
    if (unlabelled == 0 || sees_masks_of_labels(data.ownership, static_cast<int>(rank))) continue;
    throw ConfigError(fmt::format("labels: in the file of rank {}, {}", rank,
                                  unseen_masks(unlabelled, subject_name(holding.graphs > 0))));
  }
}

void check_fit(const DataPlan& data, const TrainingPlan& training, const Holding& holding) {
  if (data.links && tells_predictions(training)) expect_pairs(holding);
  check(training.model, holding.features);
  check_outputs(training.model, holding.features, data.classes > 0 ? data.classes : holding.targets);
}

void look_at_links(const GraphData& part, const LinkPlan& plan, const TrainingPlan& training,
                   DataAgreement& agreement) {
  const LinkPairs numbers = agreement.link_pairs(plan);
  const Edges pairs = all_pairs(*part.links, numbers.drawn_pairs(part.nodes, *part.links));
  const bool asks = tells_predictions(training);
  agreement.views = views_of_links(training, *part.edges, part.nodes, pairs, numbers, asks ? &*part.pairs : nullptr);
  for (const LayeredGraph& batch : agreement.views->batches) agreement.training_sizes.push_back(sizes_of(batch.rows));
  for (const auto& [of, view] : agreement.views->measured) agreement.measured_sizes.emplace(of, sizes_of(view.rows));
  if (agreement.views->asked) agreement.asked_sizes = sizes_of(agreement.views->asked->rows);
}

// Computes the views of a public graph, and their sizes.
void look_at(const GraphData& part, const DataPlan& data, const TrainingPlan& training, DataAgreement& agreement) {
  if (data.links) return look_at_links(part, *data.links, training, agreement);
  const Edges edges = edges_of_rows(*part.edges, part.snapshots);
  agreement.views = data.private_masks()
                        ? whole_views(training, edges, part.nodes, part.graphs)
                        : public_views(training, edges, part.nodes, rows_of(part, Part::kTrain), part.graphs);
  const std::size_t batches = batches_of(agreement.counts.train, training.batch, training.seed).size();
  for (std::size_t i = 0; i < batches; ++i) {
    agreement.training_sizes.push_back(sizes_of(agreement.views->of_batch(i).rows));
  }
  agreement.whole_sizes = sizes_of(agreement.views->whole.rows);
}

std::vector<Counts> told_counts(net::Mesh& mesh, const DataPlan& data, const Holding& holding, const GraphData* own) {
  const Counts mine = own == nullptr ? Counts{} : counts_of(*own);
  const std::vector<Numbers> all = net::tell_numbers(mesh, Numbers{mine.train, mine.validation, mine.test});
  std::vector<Counts> by_rank;
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    const Numbers& numbers = all[static_cast<std::size_t>(rank)];
    for (const std::int64_t number : numbers) {
      data.links ? expect_number_of_links(number, rank) : expect_number_of_subjects(number, holding, rank);
    }
    by_rank.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return by_rank;
}

// The sizes of all views, in the order in which they are sent.
std::vector<Numbers*> sizes_in(DataAgreement& agreement) {
  std::vector<Numbers*> all;
  for (Numbers& batch : agreement.training_sizes) all.push_back(&batch);
  if (!agreement.whole_sizes.empty()) all.push_back(&agreement.whole_sizes);
  for (auto& [part, sizes] : agreement.measured_sizes) all.push_back(&sizes);
  if (!agreement.asked_sizes.empty()) all.push_back(&agreement.asked_sizes);
  return all;
}

// Makes room for the sizes that the dealer receives.
void make_room_for_sizes(const DataPlan& data, const TrainingPlan& training, DataAgreement& agreement) {
  const Numbers unknown(training.model.layers.size() + 1);
  const std::size_t batches = batches_of(agreement.counts.train, training.batch, training.seed).size();
  agreement.training_sizes.assign(batches, unknown);
  if (!data.links) {
    agreement.whole_sizes = unknown;
    return;
  }
  for (const Revealed& what : training.metrics) agreement.measured_sizes.emplace(what.part, unknown);
  if (tells_predictions(training)) agreement.asked_sizes = unknown;
}

// Every view ends with as many nodes, graphs or pairs as the agreement says.
void expect_ends(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement) {
  const auto expect_end = [](const Numbers& sizes, std::int64_t subjects, const char* what) {
    if (sizes.back() == subjects) return;
    throw ProtocolError(fmt::format("rank 0 announced a view of the public graph that does not end with {}", what), 0);
  };
  if (!data.links) {
    for (const Numbers& sizes : agreement.training_sizes) expect_number_of_subjects(sizes.back(), agreement.holding, 0);
    return expect_end(agreement.whole_sizes, agreement.holding.subjects(), "all nodes or graphs");
  }
  const std::vector<Rows> batches = batches_of(agreement.counts.train, training.batch, training.seed);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    expect_end(agreement.training_sizes[i], std::ssize(batches[i]), "the pairs of its batch");
  }
  for (const auto& [part, sizes] : agreement.measured_sizes) {
    expect_end(sizes, agreement.counts.of(part), "the pairs of its part");
  }
  if (!agreement.asked_sizes.empty()) expect_end(agreement.asked_sizes, *agreement.holding.pairs, "the asked pairs");
}

// Sends the sizes of a public graph's views from the parties to the dealer, which compares them.
void agree_on_sizes(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, bool knows,
                    DataAgreement& agreement) {
  if (!knows) make_room_for_sizes(data, training, agreement);
  const std::vector<Numbers*> views = sizes_in(agreement);
  Numbers flat;
  for (const Numbers* sizes : views) flat.insert(flat.end(), sizes->begin(), sizes->end());
  const std::vector<Numbers> all = net::tell_numbers(mesh, flat);
  if (knows) return;
  for (int rank = 1; rank < mesh.parties(); ++rank) {
    if (all[static_cast<std::size_t>(rank)] == all[0]) continue;
    throw ProtocolError(fmt::format("ranks 0 and {} announced different views of the public graph", rank), rank);
  }
  auto next = all[0].begin();
  for (Numbers* sizes : views) {
    for (std::int64_t& size : *sizes) size = *next++;
    const bool pairs_last = data.links.has_value();
    for (std::size_t i = 0; i + (pairs_last ? 1 : 0) < sizes->size(); ++i) {
      expect_number_of_nodes((*sizes)[i], agreement.holding, 0);
    }
  }
  expect_ends(data, training, agreement);
}

}  // namespace

DataAgreement agree_on_data(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own) {
  check(Plans{data, training}, mesh.parties());
  mesh.set_step("agreeing on the data's shapes");
  DataAgreement agreement;
  const std::vector<Announcement> announced = told_announcements(mesh, own);
  agreement.holding = agreed_holding(data.ownership, announced);
  expect_labels_of(data, agreement.holding);
  expect_known_labels(data, agreement.holding);
  check_fit(data, training, agreement.holding);
  agreement.row_order = compare_row_order(mesh, announced, own);
  compare_id_lists(mesh, data.ownership, announced, own);
  std::vector<Counts> counts = told_counts(mesh, data, agreement.holding, own);
  compare_what_is_public(mesh, data.ownership, own);
  add_up(data, training, std::move(counts), agreement);
  if (data.private_graph() || !data.has_graph()) return agreement;
  if (own != nullptr) look_at(*own, data, training, agreement);
  agree_on_sizes(mesh, data, training, own != nullptr, agreement);
  return agreement;
}

DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> files) {
  check(Plans{data, training}, static_cast<int>(files.size()));
  std::vector<GraphData> apart;
  for (const GraphData& file : files) {
    if (!data.links) continue;
    if (!file.links) check_links(file, *data.links, data.ownership.edges, "the data");
    apart.push_back(with_links_apart(file, *data.links));
  }
  const std::span<const GraphData> parts = data.links ? apart : files;
  std::vector<Announcement> announced;
  std::vector<Counts> counts;
  expect_equal_order(parts);
  for (const GraphData& part : parts) {
    announced.push_back(announcement_of(part));
    counts.push_back(counts_of(part));
  }
  DataAgreement agreement;
  agreement.holding = agreed_holding(data.ownership, announced);
  expect_equal_id_lists(parts);
  expect_labels_of(data, agreement.holding);
  expect_known_labels(data, agreement.holding);
  check_fit(data, training, agreement.holding);
  add_up(data, training, std::move(counts), agreement);
  if (data.has_graph() && !data.private_graph()) look_at(parts[0], data, training, agreement);
  return agreement;
}

LinkPairs DataAgreement::link_pairs(const LinkPlan& plan) const {
  Counts all;
  for (const Counts& own : links) {
    all.train += own.train;
    all.validation += own.validation;
    all.test += own.test;
  }
  return {plan, all};
}

Rows rows_of(const GraphData& data, Part part) {
  return rows_where(part == Part::kTrain        ? data.train_mask
                    : part == Part::kValidation ? data.val_mask
                                                : data.test_mask);
}

}  // namespace tacit::gnn
