#include "gnn/data/nodes_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "gnn/data/csv.h"
#include "gnn/data/csv_values.h"
#include "gnn/data/similar_name.h"
#include "gnn/data/snapshots.h"
#include "net/decimal.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::string_view, 8> kReserved = {"id",       "class",     "y",     "train_mask",
                                                       "val_mask", "test_mask", "graph", "snapshot"};

// Common names of columns that are not features. A label that is read as a feature would teach the
// model its own answer.
constexpr std::array<std::string_view, 13> kSuspicious = {"label", "labels", "classes", "target", "targets",
                                                          "node",  "nodes",  "node_id", "index",  "split",
                                                          "train", "val",    "test"};

// The number in a column name y0, y1, …; -1 for another name.
std::int64_t target_number(std::string_view name) {
  if (!name.starts_with('y')) return -1;
  return net::parse_decimal(name.substr(1), 0, static_cast<std::int64_t>(CsvReader::kMostColumns)).value_or(-1);
}

// An optional column of 0 and 1.
struct MaskColumn {
  std::optional<std::size_t> column;
  NodeMask mask;

  std::optional<NodeMask> taken() { return column ? std::optional(std::move(mask)) : std::nullopt; }
};

class NodesReader {
 public:
  NodesReader(const ByteSource& file, std::span<const std::string> class_names, bool missing_features)
      : file_(file),
        csv_(file),
        class_names_(class_names),
        class_reader_(class_names),
        missing_features_(missing_features) {
    sort_columns();
  }

  NodesCsv read(bool may_be_empty) {
    while (csv_.next()) take_record();
    if (nodes_ == 0 && !may_be_empty)
      file_.place().wrong("it has no nodes; expected a line for each, after the line of names");
    NodesCsv nodes;
    nodes.data.nodes = nodes_;
    if (snapshot_) put_in_order(nodes.data);
    nodes.data.x = in_order(matrix(features_, feature_columns_.size()));
    nodes.data.missing_features = missing_features_;
    nodes.data.targets = in_order(matrix(targets_, target_columns_.size()));
    if (class_) nodes.data.classes = in_order(std::optional(std::move(classes_)));
    nodes.data.train_mask = in_order(train_.taken());
    nodes.data.val_mask = in_order(val_.taken());
    nodes.data.test_mask = in_order(test_.taken());
    for (const std::size_t column : feature_columns_) nodes.data.feature_names.push_back(csv_.columns()[column]);
    if (id_) nodes.data.ids = std::move(in_order_);
    if (id_) nodes.ids = std::move(ids_);
    nodes.graphs = std::move(graphs_);
    return nodes;
  }

 private:
  void sort_columns() {
    const std::vector<std::string>& names = csv_.columns();
    for (std::size_t column = 0; column < names.size(); ++column) {
      const std::string& name = names[column];
      if (name == "id") {
        id_ = column;
      } else if (name == "class") {
        class_ = column;
      } else if (name == "graph") {
        graph_ = column;
      } else if (name == "snapshot") {
        snapshot_ = column;
      } else if (name == "train_mask") {
        train_.column = column;
      } else if (name == "val_mask") {
        val_.column = column;
      } else if (name == "test_mask") {
        test_.column = column;
      } else if (name == "y") {
        target_columns_.insert(target_columns_.begin(), column);
      } else if (const std::int64_t number = target_number(name); number >= 0) {
        expect_next_target(number, column);
      } else {
        refuse_doubtful(name, column);
        feature_columns_.push_back(column);
      }
    }
    const bool has_y = std::find(names.begin(), names.end(), "y") != names.end();
    if (has_y && target_columns_.size() > 1) header_wrong("y", "expected y, or y0, y1, ... and no y");
    if (class_ && !target_columns_.empty()) header_wrong("class", "expected classes or targets y, not both");
    if (snapshot_ && !id_) header_wrong("snapshot", "it needs a column id, which names the node of each line");
    if (snapshot_ && graph_) header_wrong("graph", "snapshots are of one graph; take this column out, or snapshot");
    if (class_names_.empty() || target_columns_.empty()) return;
    header_wrong(names[target_columns_.front()],
                 "it would be a target, and the job's labels are classes (data.class_names); call the column class");
  }

  void header_wrong(std::string_view name, std::string_view what) const {
    file_.place().wrong(fmt::format("line 1, column \"{}\": {}", name, what));
  }

  void expect_next_target(std::int64_t number, std::size_t column) {
    const auto expected = std::ssize(target_columns_);
    if (number != expected) {
      csv_.header_place(column).wrong(fmt::format("expected y{} first: targets are y0, y1, ... in order", expected));
    }
    target_columns_.push_back(column);
  }

  void refuse_doubtful(std::string_view name, std::size_t column) const {
    constexpr std::string_view kHelp =
        "it would be a feature; labels are class (whole numbers) or y (numbers), names of nodes id, masks train_mask, "
        "val_mask and test_mask: rename it";
    const bool doubtful = std::find(kSuspicious.begin(), kSuspicious.end(), lower_case(name)) != kSuspicious.end();
    if (doubtful || !similar_name(name, kReserved).empty()) csv_.header_place(column).wrong(kHelp);
  }

  void take_record() {
    if (id_) take_id(*id_);
    if (graph_) {
      graphs_.emplace_back(text_in(csv_, *graph_));
      if (graphs_.back().empty()) wrong_field(csv_, *graph_, "every line names its graph");
    }
    for (const std::size_t column : feature_columns_) {
      features_.push_back(feature_in(csv_, column, missing_features_));
    }
    for (const std::size_t column : target_columns_) {
      targets_.push_back(target_in(csv_, column));
    }
    if (class_) classes_.push_back(class_in(csv_, *class_, class_reader_));
    for (MaskColumn* part : {&train_, &val_, &test_}) {
      if (part->column) part->mask.push_back(flag_in(csv_, *part->column));
    }
    ++nodes_;
  }

  void take_id(std::size_t column) {
    const std::string_view id = text_in(csv_, column);
    if (id.empty()) wrong_field(csv_, column, "every node has an id of its own");
    const auto [first, is_new] = ids_.emplace(id, std::ssize(in_order_));
    if (is_new) in_order_.emplace_back(id);
    if (snapshot_) return take_snapshot(first->second);
    if (!is_new) {
      wrong_field(csv_, column, fmt::format("node {} has the same id; every node has one of its own", first->second));
    }
  }

  // Notes the node and the snapshot of a line.
  void take_snapshot(std::int64_t node) {
    lines_.push_back({node, whole_in(csv_, *snapshot_, kMostSnapshots), nodes_});
    snapshots_ = std::max(snapshots_, lines_.back().snapshot + 1);
  }

  // Finds the line of each row in memory (snapshots.h).
  void put_in_order(GraphData& data) {
    std::sort(lines_.begin(), lines_.end());
    std::int64_t row = 0;  // the next one to fill
    for (const Line& line : lines_) {
      const std::int64_t filled = line.node * snapshots_ + line.snapshot;
      if (filled < row) {
        file_.place().wrong(
            fmt::format("line {}, column \"snapshot\": an earlier line has the same node in the same "
                        "snapshot; expected one line for each node in each snapshot",
                        line.number + 2));
      }
      if (filled > row) missing(row);
      ++row;
    }
    if (row < std::ssize(in_order_) * snapshots_) missing(row);
    for (const Line& line : lines_) order_.push_back(line.number);
    data.snapshots = snapshots_;
  }

  [[noreturn]] void missing(std::int64_t row) const {
    const std::string& id = in_order_[static_cast<std::size_t>(row / snapshots_)];
    file_.place().wrong(
        fmt::format(
            "column \"snapshot\": a node has no line for snapshot {}; expected a line for each node in each of the "
            "{} snapshots, 0 ... {}",
            row % snapshots_, snapshots_, snapshots_ - 1),
        fmt::format("the node is \"{}\"", net::printable(id, 60)));
  }

  template <typename Values>
  std::optional<Values> in_order(std::optional<Values> values) const {
    if (!snapshot_ || !values) return values;
    Values ordered = *values;
    for (std::size_t row = 0; row < order_.size(); ++row) {
      const auto from = static_cast<std::size_t>(order_[row]);
      if constexpr (std::is_same_v<Values, Matrix>) {
        ordered.row(static_cast<Eigen::Index>(row)) = values->row(static_cast<Eigen::Index>(from));
      } else {
        ordered[row] = (*values)[from];
      }
    }
    return ordered;
  }

  std::optional<Matrix> matrix(const std::vector<double>& values, std::size_t columns) const {
    if (columns == 0) return std::nullopt;
    return Eigen::Map<const Matrix>(values.data(), nodes_, static_cast<Eigen::Index>(columns));
  }

  const ByteSource& file_;
  CsvReader csv_;
  std::span<const std::string> class_names_;
  const ClassReader class_reader_;
  const bool missing_features_;
  std::vector<std::size_t> feature_columns_, target_columns_;
  std::optional<std::size_t> id_, class_, graph_, snapshot_;
  MaskColumn train_, val_, test_;
  std::vector<double> features_, targets_;  // row-major
  std::vector<std::int64_t> classes_;
  NodeIds ids_;
  std::vector<std::string> in_order_;  // ids in the order of the nodes
  std::vector<std::string> graphs_;
  std::int64_t nodes_ = 0;  // lines
  // A line of a table with a column snapshot.
  struct Line {
    std::int64_t node, snapshot, number;
    auto operator<=>(const Line&) const = default;
  };
  std::vector<Line> lines_;
  std::vector<std::int64_t> order_;  // the line of each row in memory
  std::int64_t snapshots_ = 1;
};

}  // namespace

NodesCsv read_nodes_csv(const ByteSource& file, std::span<const std::string> class_names, bool may_be_empty,
                        bool missing_features) {
  return NodesReader(file, class_names, missing_features).read(may_be_empty);
}

}  // namespace tacit::gnn
