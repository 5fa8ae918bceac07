#include "gnn/data/labels.h"

#include <fmt/format.h>

#include "gnn/data/snapshots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

bool is_known(const Matrix& targets, Eigen::Index row) { return !targets.row(row).array().isNaN().any(); }

// True for each row of y that has a label.
NodeMask known_rows(const GraphData& data) {
  NodeMask known;
  if (data.classes) {
    for (const std::int64_t one : *data.classes) known.push_back(one != kUnknownClass);
  } else if (data.targets) {
    for (Eigen::Index row = 0; row < data.targets->rows(); ++row) known.push_back(is_known(*data.targets, row));
  }
  return known;
}

}  // namespace

std::vector<std::int64_t> labelled_rows(const GraphData& data) {
  const NodeMask known = known_rows(data);
  std::vector<std::int64_t> rows;
  for (std::size_t row = 0; row < known.size(); ++row) {
    if (known[row]) rows.push_back(static_cast<std::int64_t>(row));
  }
  return rows;
}

Matrix labelled_targets(const GraphData& data) { return (*data.targets)(labelled_rows(data), Eigen::all); }

Matrix with_zeros_for_unknown(Matrix targets) {
  for (Eigen::Index row = 0; row < targets.rows(); ++row) {
    if (!is_known(targets, row)) targets.row(row).setZero();
  }
  return targets;
}

void check_labels_of_masks(const GraphData& data, std::string_view where) {
  const NodeMask known = known_rows(data);
  if (known.empty()) return;
  // A list has a row for each node, or for each of own_rows.
  const auto first_of = [&](std::size_t rows) {
    return std::cmp_equal(rows, data.nodes) || !data.own_rows ? 0 : data.own_rows->first;
  };
  const auto check_mask = [&](const std::optional<NodeMask>& mask, std::string_view name) {
    if (!mask) return;
    for (std::size_t i = 0; i < mask->size(); ++i) {
      const std::int64_t node = first_of(mask->size()) + static_cast<std::int64_t>(i);
      const std::int64_t row = node - first_of(known.size());
      if (!(*mask)[i] || row < 0 || row >= std::ssize(known) || known[static_cast<std::size_t>(row)]) continue;
      const bool graphs = !data.graphs.empty();
      throw ConfigError(
          fmt::format("{0}: y: {1} has no label, but {2} names the {3}; give it a label, or take it out of {2}", where,
                      graphs ? fmt::format("graph {}", data.graphs[static_cast<std::size_t>(node)])
                             : node_of_row(node, data.snapshots),
                      name, subject_name(graphs)));
    }
  };
  check_mask(data.train_mask, "train_mask");
  check_mask(data.val_mask, "val_mask");
  check_mask(data.test_mask, "test_mask");
}

bool sees_masks_of_labels(const Ownership& ownership, int rank) {
  const PartOwnership &labels = ownership.labels, &masks = ownership.masks;
  if (masks.kind == Kind::kPublic || labels.kind == Kind::kPublic) return true;  // the labels lie beside each mask
  if (labels.kind == Kind::kByColumns) return false;
  return masks.kind == labels.kind && (masks.kind == Kind::kByRows || masks.rank == rank);
}

std::string unseen_masks(std::int64_t unlabelled, std::string_view subject) {
  return fmt::format(
      "{0} {1}s have no label, and no file has all masks and labels of these {1}s, so a mask could name such a {1} "
      "unseen: let the rank with the labels hold the masks, or make the masks public",
      unlabelled, subject);
}

}  // namespace tacit::gnn
