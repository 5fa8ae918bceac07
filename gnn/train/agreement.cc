#include "gnn/train/agreement.h"

#include <fmt/format.h>

#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

void check_supported(const DataPlan& data) {
  using Kind = PartOwnership::Kind;
  if (data.ownership.masks.kind != Kind::kPublic) {
    throw ConfigError("data: masks must be public: which nodes are trained on steers the computation");
  }
  for (const auto& [part, kind] :
       {std::pair{"features", data.ownership.features.kind}, std::pair{"labels", data.ownership.labels.kind}}) {
    if (data.standardise && kind == Kind::kByRows) {
      throw ConfigError(
          fmt::format("data: {} that are split by rows cannot be standardised yet: no party holds a whole "
                      "column. Scale the files and say standardise = false",
                      part));
    }
  }
}

// What follows from a public graph and public masks.
void look_at(const GraphData& part, const DataPlan& data, const TrainingPlan& training, DataAgreement& agreement) {
  const Rows train = rows_where(part.train_mask);
  if (train.empty()) throw ConfigError("data: train_mask names no node; there is nothing to train on");
  agreement.train = std::ssize(train);
  agreement.validation = std::ssize(rows_where(part.val_mask));
  agreement.test = std::ssize(rows_where(part.test_mask));
  if (data.private_graph()) return;
  const auto sizes = [&](const Rows& targets) {
    return GraphView::of_public(training.model, *part.edges, part.nodes, targets, training.top.fraction_bits).sizes();
  };
  agreement.training_sizes = sizes(train);
  agreement.whole_sizes = sizes(all_rows(part.nodes));
}

// All numbers of an agreement but the shapes, which all ranks have already.
std::vector<std::int64_t> numbers_of(const DataAgreement& agreement) {
  std::vector<std::int64_t> all{agreement.train, agreement.validation, agreement.test};
  all.insert(all.end(), agreement.training_sizes.begin(), agreement.training_sizes.end());
  all.insert(all.end(), agreement.whole_sizes.begin(), agreement.whole_sizes.end());
  return all;
}

// Of each rank, so many numbers: ours are sent, the others' received.
std::vector<std::vector<std::int64_t>> told(net::Mesh& mesh, const std::vector<std::int64_t>& own) {
  std::vector<std::vector<std::int64_t>> all(static_cast<std::size_t>(mesh.size()), own);
  std::vector<net::Bytes> bytes;
  for (std::vector<std::int64_t>& numbers : all) bytes.push_back(std::as_writable_bytes(std::span(numbers)));
  net::tell_all(mesh, bytes);
  return all;
}

}  // namespace

DataAgreement agree_on_data(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own) {
  check_supported(data);
  mesh.set_step("agreeing on the data's shapes");
  std::vector<HeldShapes> announced(static_cast<std::size_t>(mesh.size()));
  if (own != nullptr) announced[static_cast<std::size_t>(mesh.rank())] = held_shapes(*own);
  std::vector<net::Bytes> bytes;
  for (HeldShapes& shapes : announced) bytes.push_back(std::as_writable_bytes(std::span(&shapes, 1)));
  net::tell_all(mesh, bytes);
  announced.resize(static_cast<std::size_t>(mesh.parties()));

  DataAgreement agreement;
  agreement.shapes = agreed_shapes(data.ownership, announced);
  const std::size_t views = data.private_graph() ? 0 : training.model.layers.size() + 1;
  agreement.training_sizes.resize(views);
  agreement.whole_sizes.resize(views);
  if (own != nullptr) look_at(*own, data, training, agreement);
  const std::vector<std::vector<std::int64_t>> all = told(mesh, numbers_of(agreement));
  for (int rank = 1; rank < mesh.parties(); ++rank) {
    if (all[static_cast<std::size_t>(rank)] == all[0]) continue;
    throw ProtocolError(fmt::format("rank {}'s public graph or masks are not those of rank 0: compare the files", rank),
                        rank);
  }
  if (own == nullptr) {
    const std::vector<std::int64_t>& numbers = all[0];
    for (const std::int64_t number : numbers) {
      if (number >= 0 && number <= agreement.shapes.nodes) continue;
      throw ProtocolError("rank 0 announced a number of nodes that the graph does not have", 0);
    }
    std::tie(agreement.train, agreement.validation, agreement.test) = std::tie(numbers[0], numbers[1], numbers[2]);
    const auto first = numbers.begin() + 3, second = first + static_cast<std::ptrdiff_t>(views);
    agreement.training_sizes.assign(first, second);
    agreement.whole_sizes.assign(second, numbers.end());
  }
  return agreement;
}

DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> parts) {
  check_supported(data);
  std::vector<HeldShapes> announced;
  for (const GraphData& part : parts) announced.push_back(held_shapes(part));
  DataAgreement agreement;
  agreement.shapes = agreed_shapes(data.ownership, announced);
  look_at(parts[0], data, training, agreement);
  return agreement;
}

PublicViews public_views(const TrainingPlan& training, const DataAgreement& agreement, const GraphData* any_part) {
  const int fraction_bits = training.top.fraction_bits;
  const std::int64_t nodes = agreement.shapes.nodes;
  if (any_part == nullptr) {
    return {GraphView::of_sizes(training.model, nodes, agreement.training_sizes, fraction_bits),
            GraphView::of_sizes(training.model, nodes, agreement.whole_sizes, fraction_bits)};
  }
  const auto view = [&](const Rows& targets) {
    return GraphView::of_public(training.model, *any_part->edges, nodes, targets, fraction_bits);
  };
  return {view(rows_where(any_part->train_mask)), view(all_rows(nodes))};
}

Split split_of(const DataAgreement& agreement, const GraphData* any_part) {
  if (any_part == nullptr) {
    return {all_rows(agreement.train), all_rows(agreement.validation), all_rows(agreement.test)};
  }
  return {rows_where(any_part->train_mask), rows_where(any_part->val_mask), rows_where(any_part->test_mask)};
}

}  // namespace tacit::gnn
