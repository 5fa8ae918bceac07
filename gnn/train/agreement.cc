#include "gnn/train/agreement.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/labels.h"
#include "gnn/metric/countable.h"
#include "gnn/plan/plans.h"
#include "gnn/train/announcing.h"
#include "gnn/train/batches.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Numbers = std::vector<std::int64_t>;

Counts counts_of(const GraphData& part) {
  return {std::ssize(rows_of(part, Part::kTrain)), std::ssize(rows_of(part, Part::kValidation)),
          std::ssize(rows_of(part, Part::kTest))};
}

// Sums the counts of the ranks' masks. Public masks are equal at every rank and count once.
void add_up(const DataPlan& data, const TrainingPlan& training, std::vector<Counts> by_rank, DataAgreement& agreement) {
  agreement.counts = by_rank.front();
  if (data.private_masks()) {
    agreement.counts = {};
    for (const Counts& own : by_rank) {
      agreement.counts.train += own.train;
      agreement.counts.validation += own.validation;
      agreement.counts.test += own.test;
    }
    agreement.by_rank = std::move(by_rank);
  }
  if (agreement.counts.train == 0) {
    throw ConfigError("data: train_mask names no node; there is nothing to train on");
  }
  for (const Revealed& what : training.metrics) expect_countable(what, agreement.counts.of(what.part));
}

void expect_labels_of(const DataPlan& data, const Holding& holding) {
  if (holding.classes == (data.classes > 0)) return;
  throw ConfigError(holding.classes
                        ? "labels: the files hold classes, but the job trains on targets; say how many classes"
                        : "labels: the files hold targets, but the job says that they are classes");
}

// A node of a mask must have a label. Of two files, one with the labels and one with the masks, neither rank could see it.
void expect_known_labels(const DataPlan& data, const Holding& holding) {
  for (std::size_t rank = 0; rank < holding.y.size(); ++rank) {
    const std::int64_t unlabelled = holding.unlabelled_subjects(rank);
    if (unlabelled == 0 || sees_masks_of_labels(data.ownership, static_cast<int>(rank))) continue;
    throw ConfigError(fmt::format("labels: in the file of rank {}, {}", rank, unseen_masks(unlabelled)));
  }
}

void check_fit(const DataPlan& data, const TrainingPlan& training, const Holding& holding) {
  check(training.model, holding.features);
  check_outputs(training.model, holding.features, data.classes > 0 ? data.classes : holding.targets);
}

// Computes the views of a public graph, and their sizes.
void look_at(const GraphData& part, const DataPlan& data, const TrainingPlan& training, DataAgreement& agreement) {
  agreement.views = data.private_masks()
                        ? whole_views(training, *part.edges, part.nodes, part.graphs)
                        : public_views(training, *part.edges, part.nodes, rows_of(part, Part::kTrain), part.graphs);
  const std::size_t batches = batches_of(agreement.counts.train, training.batch, training.seed).size();
  for (std::size_t i = 0; i < batches; ++i) {
    agreement.training_sizes.push_back(sizes_of(agreement.views->of_batch(i).rows));
  }
  agreement.whole_sizes = sizes_of(agreement.views->whole.rows);
}

std::vector<Counts> told_counts(net::Mesh& mesh, const Holding& holding, const GraphData* own) {
  const Counts mine = own == nullptr ? Counts{} : counts_of(*own);
  const std::vector<Numbers> all = net::tell_numbers(mesh, Numbers{mine.train, mine.validation, mine.test});
  std::vector<Counts> by_rank;
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    const Numbers& numbers = all[static_cast<std::size_t>(rank)];
    for (const std::int64_t number : numbers) expect_number_of_subjects(number, holding, rank);
    by_rank.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return by_rank;
}

Numbers flat(const DataAgreement& agreement) {
  Numbers all;
  for (const Numbers& sizes : agreement.training_sizes) all.insert(all.end(), sizes.begin(), sizes.end());
  all.insert(all.end(), agreement.whole_sizes.begin(), agreement.whole_sizes.end());
  return all;
}

// Sends the sizes of a public graph's views from the parties to the dealer, which compares them.
void agree_on_sizes(net::Mesh& mesh, const TrainingPlan& training, bool knows, DataAgreement& agreement) {
  const std::size_t layers = training.model.layers.size() + 1;
  if (!knows) {
    const std::size_t batches = batches_of(agreement.counts.train, training.batch, training.seed).size();
    agreement.training_sizes.assign(batches, Numbers(layers));
    agreement.whole_sizes.resize(layers);
  }
  const std::vector<Numbers> all = net::tell_numbers(mesh, flat(agreement));
  if (knows) return;
  for (int rank = 0; rank < mesh.parties(); ++rank) {
    const Numbers& numbers = all[static_cast<std::size_t>(rank)];
    for (const std::int64_t number : numbers) expect_number_of_nodes(number, agreement.holding, rank);
    if (numbers == all[0]) continue;
    throw ProtocolError(fmt::format("ranks 0 and {} announced different views of the public graph", rank), rank);
  }
  auto next = all[0].begin();
  const auto take = [&](Numbers& sizes) {
    sizes.assign(next, next + static_cast<std::ptrdiff_t>(layers));
    next += static_cast<std::ptrdiff_t>(layers);
  };
  for (Numbers& sizes : agreement.training_sizes) take(sizes);
  take(agreement.whole_sizes);
  const std::int64_t subjects = agreement.holding.subjects();
  for (const Numbers& sizes : agreement.training_sizes) expect_number_of_subjects(sizes.back(), agreement.holding, 0);
  if (agreement.whole_sizes.back() == subjects) return;
  throw ProtocolError("rank 0 announced a view of the public graph that does not end with all nodes or graphs", 0);
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
  std::vector<Counts> counts = told_counts(mesh, agreement.holding, own);
  compare_what_is_public(mesh, data.ownership, own);
  add_up(data, training, std::move(counts), agreement);
  if (data.private_graph() || !data.has_graph()) return agreement;
  if (own != nullptr) look_at(*own, data, training, agreement);
  agree_on_sizes(mesh, training, own != nullptr, agreement);
  return agreement;
}

DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> parts) {
  check(Plans{data, training}, static_cast<int>(parts.size()));
  std::vector<Announcement> announced;
  std::vector<Counts> counts;
  expect_equal_order(parts);
  for (const GraphData& part : parts) {
    announced.push_back(announcement_of(part));
    counts.push_back(counts_of(part));
  }
  DataAgreement agreement;
  agreement.holding = agreed_holding(data.ownership, announced);
  expect_labels_of(data, agreement.holding);
  expect_known_labels(data, agreement.holding);
  check_fit(data, training, agreement.holding);
  add_up(data, training, std::move(counts), agreement);
  if (data.has_graph() && !data.private_graph()) look_at(parts[0], data, training, agreement);
  return agreement;
}

Rows rows_of(const GraphData& data, Part part) {
  return rows_where(part == Part::kTrain        ? data.train_mask
                    : part == Part::kValidation ? data.val_mask
                                                : data.test_mask);
}

}  // namespace tacit::gnn
