#include "gnn/data/graph_data.h"

#include <fmt/format.h>

#include <cmath>

#include "gnn/data/labels.h"
#include "gnn/data/node_ids.h"
#include "gnn/data/several_graphs.h"
#include "gnn/data/snapshots.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// Throws errors about one array of a file.
class Field {
 public:
  Field(std::string_view where, std::string_view name) : where_(where), name_(name) {}

  [[noreturn]] void wrong(const std::string& what, std::string local_detail = "") const {
    throw ConfigError(fmt::format("{}: {}: {}", where_, name_, what), std::move(local_detail));
  }

  void expect_rows(std::int64_t rows, const GraphData& data) const {
    if (rows == data.nodes) return;
    if (!data.own_rows) wrong(fmt::format("{} rows for {} nodes; every node has one", rows, data.nodes));
    if (rows != data.own_rows->count) {
      wrong(fmt::format("{} rows for {} nodes of {}; every node has one", rows, data.own_rows->count, data.nodes));
    }
  }
  // For labels and masks: if the data have several graphs, each graph has a row.
  void expect_subjects(std::int64_t rows, const GraphData& data) const {
    if (data.graphs.empty() || rows == data.nodes || (data.own_rows && rows == data.own_rows->count)) {
      return expect_rows(rows, data);
    }
    wrong(fmt::format("{} rows for {} graphs; every graph has one", rows, number_of_graphs(data)));
  }

 private:
  std::string_view where_, name_;
};

// Allows NaN if numbers may be unknown. Otherwise the error for a NaN ends with `remedy`.
void check_finite(const Matrix& matrix, const Field& field, bool may_be_unknown, std::string_view remedy = {}) {
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) {
      if (!std::isfinite(matrix(row, col)) && !(may_be_unknown && std::isnan(matrix(row, col)))) {
        const bool missing = std::isnan(matrix(row, col));
        field.wrong(fmt::format("row {}, column {} is not a finite number{}", row, col, missing ? remedy : ""),
                    fmt::format("it is {}", matrix(row, col)));
      }
    }
  }
}

void check_sparse(const SparseFeatures& x, const Field& field) {
  if (std::ssize(x.row_begin) != x.shape.rows + 1 || x.row_begin.front() != 0) {
    field.wrong(fmt::format("{} row beginnings for {} rows; there is one more than rows, the first is 0",
                            x.row_begin.size(), x.shape.rows));
  }
  if (x.cols.size() != x.values.size() || x.row_begin.back() != std::ssize(x.cols)) {
    field.wrong(fmt::format("rows end at entry {} of {} columns and {} values", x.row_begin.back(), x.cols.size(),
                            x.values.size()));
  }
  for (std::int64_t row = 0; row < x.shape.rows; ++row) {
    const auto begin = static_cast<std::size_t>(x.row_begin[static_cast<std::size_t>(row)]);
    const auto end = static_cast<std::size_t>(x.row_begin[static_cast<std::size_t>(row) + 1]);
    if (end < begin || end > x.cols.size()) field.wrong(fmt::format("row {} ends before it begins", row));
    std::int64_t least = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (x.cols[i] < least || x.cols[i] >= x.shape.cols) {
        field.wrong(fmt::format("row {}, entry {}: columns ascend from 0 to {}, as after scipy's sum_duplicates()", row,
                                i, x.shape.cols - 1));
      }
      if (!std::isfinite(x.values[i])) field.wrong(fmt::format("row {}, entry {} is not a finite number", row, i));
      least = x.cols[i] + 1;
    }
  }
}

void check_edges(const Edges& edges, std::int64_t nodes, const Field& field) {
  if (edges.from.size() != edges.to.size()) field.wrong("as many sources as targets are needed");
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    for (const std::int64_t node : {edges.from[e], edges.to[e]}) {
      if (node < 0 || node >= nodes) {
        field.wrong(fmt::format("edge {} leads to or from a node outside 0 ... {}", e, nodes - 1),
                    fmt::format("edge {}: {} -> {}", e, edges.from[e], edges.to[e]));
      }
    }
  }
}

void check_pairs(const Edges& pairs, std::int64_t nodes, const Field& field) {
  if (pairs.size() > kMostPairs) field.wrong(fmt::format("{} pairs; at most {}", pairs.size(), kMostPairs));
  for (std::size_t i = 0; i < pairs.from.size(); ++i) {
    const std::int64_t from = pairs.from[i], to = pairs.to[i];
    if (from >= 0 && from < nodes && to >= 0 && to < nodes && from != to) continue;
    field.wrong(from == to ? fmt::format("pair {} is of node {} and itself; name two different nodes", i, from)
                           : fmt::format("pair {} names a node outside 0 ... {}: {} and {}", i, nodes - 1, from, to));
  }
}

}  // namespace

void Edges::add(const Edges& other, std::size_t edge) {
  from.push_back(other.from[edge]);
  to.push_back(other.to[edge]);
  if (other.weighted()) weights.push_back(other.weights[edge]);
  if (!other.parts.empty()) parts.push_back(other.parts[edge]);
  TACIT_CHECK(weights.empty() || weights.size() == from.size());
}

Matrix SparseFeatures::dense() const {
  Matrix all = Matrix::Zero(shape.rows, shape.cols);
  for (std::int64_t row = 0; row < shape.rows; ++row) {
    const auto end = static_cast<std::size_t>(row_begin[static_cast<std::size_t>(row) + 1]);
    for (auto i = static_cast<std::size_t>(row_begin[static_cast<std::size_t>(row)]); i < end; ++i) {
      all(row, cols[i]) = values[i];
    }
  }
  return all;
}

void check(const GraphData& data, std::string_view where) {
  if (data.nodes < 1) throw ConfigError(fmt::format("{}: a graph has at least one node", where));
  check_snapshots(data, where);
  if (data.own_rows && (data.own_rows->first < 0 || data.own_rows->count < 0 || data.own_rows->first > data.nodes ||
                        data.own_rows->count > data.nodes - data.own_rows->first)) {
    throw ConfigError(fmt::format("{}: own rows: {} from {} on are not among {} nodes", where, data.own_rows->count,
                                  data.own_rows->first, data.nodes));
  }
  if (data.x && data.sparse_x) throw ConfigError(fmt::format("{}: x is there twice, dense and sparse", where));
  if (data.classes && data.targets) throw ConfigError(fmt::format("{}: y is there twice", where));
  if (data.x) {
    const Field field(where, "x");
    field.expect_rows(data.x->rows(), data);
    check_finite(*data.x, field, data.missing_features, kRemedyOfMissingFeature);
  }
  if (data.sparse_x) {
    const Field field(where, "x");
    field.expect_rows(data.sparse_x->shape.rows, data);
    check_sparse(*data.sparse_x, field);
  }
  if (data.edges) {
    check_edges(*data.edges, data.graph_nodes(), Field(where, "edge_index"));
    if (data.edges->weighted() && data.edges->weights.size() != data.edges->from.size()) {
      Field(where, "edge_weight")
          .wrong(fmt::format("{} weights for {} edges; every edge has one", data.edges->weights.size(),
                             data.edges->from.size()));
    }
  }
  if (data.edges && !data.edges->parts.empty() && data.edges->parts.size() != data.edges->from.size()) {
    Field(where, "edge_part")
        .wrong(fmt::format("{} parts for {} edges; every edge has one", data.edges->parts.size(),
                           data.edges->from.size()));
  }
  if (data.pairs) check_pairs(*data.pairs, data.nodes, Field(where, "pairs"));
  if (data.targets) {
    const Field field(where, "y");
    field.expect_subjects(data.targets->rows(), data);
    check_finite(*data.targets, field, true);
  }
  if (data.classes) {
    const Field field(where, "y");
    field.expect_subjects(std::ssize(*data.classes), data);
    for (std::size_t i = 0; i < data.classes->size(); ++i) {
      if ((*data.classes)[i] >= 0 || (*data.classes)[i] == kUnknownClass) continue;
      field.wrong(fmt::format("the class of {} is negative; expected 0, 1, ..., or -1 if it is unknown",
                              node_of_row(static_cast<std::int64_t>(i), data.snapshots)));
    }
  }
  const auto check_mask = [&](const std::optional<NodeMask>& mask, std::string_view name) {
    if (mask) Field(where, name).expect_subjects(std::ssize(*mask), data);
  };
  check_mask(data.train_mask, "train_mask");
  check_mask(data.val_mask, "val_mask");
  check_mask(data.test_mask, "test_mask");
  check_graphs(data, where);
  check_labels_of_masks(data, where);
  if (!data.ids) return;
  Field(where, "ids").expect_rows(std::ssize(*data.ids) * data.snapshots, data);
  check_ids(*data.ids, where);
}

}  // namespace tacit::gnn
