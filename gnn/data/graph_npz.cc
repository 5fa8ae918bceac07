#include "gnn/data/graph_npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gnn/data/several_graphs.h"
#include "gnn/data/similar_name.h"
#include "gnn/data/snapshots.h"
#include "net/printable.h"
#include "net/utf8.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::string_view, 20> kKeys = {
    "x",          "x_indptr", "x_indices", "x_data",    "x_shape",       "edge_index", "y",
    "train_mask", "val_mask", "test_mask", "num_nodes", "own_rows",      "ids",        "edge_weight",
    "graph",      "pairs",    "snapshots", "cleaning",  "feature_names", "edge_part"};
constexpr std::int64_t kMostNodes = 1 << 27;

std::string text_of(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

Matrix matrix_of(const NpyArray& array, std::int64_t rows, std::int64_t cols) {
  Matrix matrix(rows, cols);
  std::visit(
      [&](const auto& values) {
        std::transform(values.begin(), values.end(), matrix.data(),
                       [](auto value) { return static_cast<double>(value); });
      },
      array.values);
  return matrix;
}

// Reads the parts of a graph from a file, and checks their shapes and types. Of a file with snapshots, counts of nodes are
// of the graph's, and arrays with a row for each node in each snapshot are put into the order of memory.
class GraphReader {
 public:
  GraphReader(const Npz& file, std::span<const std::string> class_names) : file_(file), class_names_(class_names) {}

  GraphData read() {
    GraphData data;
    if (file_.has("snapshots")) data.snapshots = snapshots_ = number_of_snapshots();
    if (file_.has("own_rows")) own_rows_ = data.own_rows = own_rows();
    if (snapshots_ > 1 && !own_rows_ && file_.has("num_nodes")) count_nodes("num_nodes", number_of_nodes());
    if (file_.has("graph")) {
      data.graphs = integers("graph", {-1}, "(nodes,): the number of each node's graph");
      const std::int64_t count = std::ssize(data.graphs);
      if (!own_rows_) count_nodes("graph", count);
      check_numbering(data.graphs, own_rows_ ? number_of_nodes() : count, file_.place().text());
      graphs_ = data.graphs;
    }
    read_features(data);
    if (file_.has("y")) read_labels(data);
    data.train_mask = mask("train_mask");
    data.val_mask = mask("val_mask");
    data.test_mask = mask("test_mask");
    if (file_.has("num_nodes")) count_nodes("num_nodes", number_of_nodes());
    if (file_.has("edge_index")) data.edges = edges();
    if (file_.has("pairs")) data.pairs = ends("pairs", "(2, pairs), a row of first nodes over a row of second ones");
    if (file_.has("ids")) {
      data.ids = file_.read_text("ids");
      count_nodes("ids", std::ssize(*data.ids));
    }
    if (file_.has("feature_names")) data.feature_names = feature_names(data);
    data.nodes = nodes();
    data.nodes *= snapshots_;
    if (data.own_rows) data.own_rows = NodeRange{data.own_rows->first * snapshots_, data.own_rows->count * snapshots_};
    move_to_first_nodes(data);
    return data;
  }

 private:
  std::int64_t number_of_snapshots() const {
    const NpyArray found = file_.read("snapshots");
    if (found.is_float() || elements_of(found.shape) != 1) place("snapshots").wrong("expected one integer");
    const std::int64_t number = values_as<std::int64_t>(found).front();
    if (number < 1 || number > kMostSnapshots) {
      place("snapshots").wrong(fmt::format("it is {}; expected 1 ... {}", number, kMostSnapshots));
    }
    for (const std::string_view key : {"graph", "pairs", "x_shape"}) {
      if (number == 1 || !file_.has(key)) continue;
      place(key).wrong(key == "x_shape" ? "sparse features have no snapshots; store x as an array of shape (snapshots, "
                                          "nodes, features)"
                                        : "snapshots are of one graph with features of its nodes; take it out");
    }
    return number;
  }

  Place place(std::string_view key) const { return file_.place().within(key); }

  // Reads an array and checks its shape against `expected`, where -1 allows any extent.
  NpyArray array(std::string_view key, const std::vector<std::int64_t>& expected, std::string_view in_words) const {
    NpyArray found = file_.read(key);
    const bool fits =
        std::equal(found.shape.begin(), found.shape.end(), expected.begin(), expected.end(),
                   [](std::int64_t extent, std::int64_t wanted) { return wanted < 0 || extent == wanted; });
    if (!fits) place(key).wrong(fmt::format("its shape is {}; expected {}", text_of(found.shape), in_words));
    return found;
  }

  std::vector<std::int64_t> integers(std::string_view key, const std::vector<std::int64_t>& expected,
                                     std::string_view in_words) const {
    const NpyArray found = array(key, expected, in_words);
    if (found.is_float() || found.type() == NpyType::kBool) {
      place(key).wrong(fmt::format("it has {} elements; expected int64, int32 or uint8: convert it with .astype",
                                   name(found.type())));
    }
    return values_as<std::int64_t>(found);
  }

  void read_features(GraphData& data) {
    constexpr std::array<std::string_view, 4> kSparse = {"x_indptr", "x_indices", "x_data", "x_shape"};
    const auto here = [this](std::string_view key) { return file_.has(key); };
    if (file_.has("x") && snapshots_ > 1) {
      const NpyArray x = in_snapshots("x", file_.read("x"), {3}, "features of shape (snapshots, nodes, features)");
      data.x = order_of(x).in_memory(matrix_of(x, snapshots_ * x.shape[1], x.shape[2]));
    } else if (file_.has("x")) {
      const NpyArray x =
          array("x", {-1, -1},
                "(nodes, features): give a single feature as x.reshape(-1, 1), and states of one graph as "
                "(snapshots, nodes, features) with their number as snapshots");
      data.x = matrix_of(x, x.shape[0], x.shape[1]);
      count_nodes("x", x.shape[0]);
    }
    if (std::none_of(kSparse.begin(), kSparse.end(), here)) return;
    const auto missing = std::find_if_not(kSparse.begin(), kSparse.end(), here);
    if (missing != kSparse.end()) {
      place(*missing).wrong(fmt::format("it is missing; sparse features are all of {}", fmt::join(kSparse, ", ")));
    }
    data.sparse_x = sparse_features();
    count_nodes("x_shape", data.sparse_x->shape.rows);
  }

  SparseFeatures sparse_features() const {
    const std::vector<std::int64_t> shape = integers("x_shape", {2}, "(2,): nodes and features");
    for (const std::int64_t extent : shape) {
      if (extent < 0 || extent > kMostElements) {
        place("x_shape").wrong(fmt::format("expected nodes and features within 0 ... {}", kMostElements));
      }
    }
    SparseFeatures x{
        {shape[0], shape[1]}, integers("x_indptr", {shape[0] + 1}, "(nodes + 1,), nodes as in x_shape"), {}, {}};
    x.cols = integers("x_indices", {-1}, "(entries,)");
    x.values = values_as<double>(array("x_data", {std::ssize(x.cols)}, "(entries,), as many as x_indices has"));
    return x;
  }

  // Checks the shape of an array with a row for each node in each snapshot, and counts its nodes.
  NpyArray in_snapshots(std::string_view key, NpyArray found, std::initializer_list<std::size_t> dimensions,
                        std::string_view in_words) {
    const bool fits = std::find(dimensions.begin(), dimensions.end(), found.shape.size()) != dimensions.end();
    if (!fits || found.shape[0] != snapshots_) {
      place(key).wrong(fmt::format("its shape is {}, and the file has {} snapshots; expected {}", text_of(found.shape),
                                   snapshots_, in_words));
    }
    count_nodes(key, found.shape[1]);
    return found;
  }

  SnapshotOrder order_of(const NpyArray& found) const { return {snapshots_, snapshots_ * found.shape[1]}; }

  void read_labels_in_snapshots(GraphData& data) {
    constexpr std::string_view kExpected =
        "classes, integers of shape (snapshots, nodes), or targets, floats of shape (snapshots, nodes) or (snapshots, "
        "nodes, targets)";
    if (file_.is_text("y")) place("y").wrong(fmt::format("it is text; expected {}", kExpected));
    NpyArray y = file_.read("y");
    if (!y.is_float()) {
      y = in_snapshots("y", std::move(y), {2}, kExpected);
      data.classes = order_of(y).in_memory(values_as<std::int64_t>(y));
      return;
    }
    y = in_snapshots("y", std::move(y), {2, 3}, kExpected);
    const std::int64_t columns = y.shape.size() == 3 ? y.shape[2] : 1;
    data.targets = order_of(y).in_memory(matrix_of(y, snapshots_ * y.shape[1], columns));
  }

  void read_labels(GraphData& data) {
    if (snapshots_ > 1) return read_labels_in_snapshots(data);
    if (file_.is_text("y")) {
      data.classes = classes_in(file_.read_text("y"));
      return count_nodes("y", std::ssize(*data.classes));
    }
    NpyArray y = file_.read("y");
    const bool column = y.shape.size() == 1;
    if (!column && (!y.is_float() || y.shape.size() != 2)) {
      place("y").wrong(
          fmt::format("its shape is {} and its dtype {}; expected classes, integers of shape (nodes,), or "
                      "targets, floats of shape (nodes,) or (nodes, targets)",
                      text_of(y.shape), name(y.type())));
    }
    count_subjects("y", y.shape[0]);
    if (y.is_float()) {
      data.targets = matrix_of(y, y.shape[0], column ? 1 : y.shape[1]);
    } else {
      data.classes = values_as<std::int64_t>(y);
    }
  }

  std::vector<std::int64_t> classes_in(const std::vector<std::string>& fields) const {
    const ClassReader reader(class_names_);
    std::vector<std::int64_t> classes;
    classes.reserve(fields.size());
    for (const std::string& field : fields) {
      const std::optional<std::int64_t> number = reader.read(field);
      if (!number) {
        place("y").wrong(fmt::format("row {}: {}", classes.size(), reader.expected()),
                         fmt::format("it is \"{}\"", net::printable(field, 40)));
      }
      classes.push_back(*number);
    }
    return classes;
  }

  std::optional<NodeMask> mask(std::string_view key) {
    if (!file_.has(key)) return std::nullopt;
    if (snapshots_ > 1) return mask_in_snapshots(key);
    const NpyArray found = array(key, {-1}, "(nodes,): of several splits choose one, mask[:, 0]");
    const NodeMask mask = bits(key, found);
    count_subjects(key, std::ssize(mask));
    return mask;
  }

  // A mask with one entry for each snapshot counts for all nodes.
  NodeMask mask_in_snapshots(std::string_view key) {
    NpyArray found = file_.read(key);
    if (found.shape.size() != 1 || found.shape[0] != snapshots_) {
      found = in_snapshots(key, std::move(found), {2}, "a mask of shape (snapshots,) or (snapshots, nodes)");
      return order_of(found).in_memory(bits(key, found));
    }
    if (counts_.empty()) place(key).wrong("a mask of snapshots does not tell how many nodes there are; add num_nodes");
    const std::int64_t nodes = own_rows_ ? own_rows_->count : counts_.front().second;
    const NodeMask of_snapshots = bits(key, found);
    NodeMask mask;
    for (std::int64_t node = 0; node < nodes; ++node) {
      mask.insert(mask.end(), of_snapshots.begin(), of_snapshots.end());
    }
    return mask;
  }

  NodeMask bits(std::string_view key, const NpyArray& found) const {
    if (found.is_float()) place(key).wrong("it has floats; expected bool: convert it with .astype(bool)");
    const std::vector<std::int64_t> values = values_as<std::int64_t>(found);
    NodeMask mask(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0 && values[i] != 1) {
        place(key).wrong(
            fmt::format("element {} is neither 0 nor 1; expected a bool for each node, not node numbers", i));
      }
      mask[i] = values[i] == 1;
    }
    return mask;
  }

  std::int64_t number_of_nodes() const {
    const NpyArray found = file_.read("num_nodes");
    if (found.is_float() || elements_of(found.shape) != 1) place("num_nodes").wrong("expected one integer");
    return values_as<std::int64_t>(found).front();
  }

  std::vector<std::string> feature_names(const GraphData& data) const {
    std::vector<std::string> names = file_.read_text("feature_names");
    const std::int64_t columns = data.x ? data.x->cols() : data.sparse_x ? data.sparse_x->shape.cols : 0;
    if (std::ssize(names) != columns) {
      place("feature_names")
          .wrong(fmt::format("it has {} names, and x has {} columns; expected a name for each column", names.size(),
                             columns));
    }
    return names;
  }

  Edges ends(std::string_view key, std::string_view in_words) const {
    const std::vector<std::int64_t> all = integers(key, {2, -1}, in_words);
    const auto middle = all.begin() + std::ssize(all) / 2;
    return {{all.begin(), middle}, {middle, all.end()}};
  }

  Edges edges() const {
    Edges edges = ends("edge_index", "(2, edges), sources over targets: transpose it if it is (edges, 2)");
    if (file_.has("edge_part")) {
      edges.parts = integers("edge_part", {edges.size()}, "(edges,): 0 for training, 1 for validation, 2 for test");
    }
    if (!file_.has("edge_weight")) return edges;
    const NpyArray weights = file_.read("edge_weight");
    const bool column = weights.shape.size() == 2 && weights.shape[1] == 1;
    if ((weights.shape.size() != 1 && !column) || weights.shape[0] != edges.size()) {
      place("edge_weight")
          .wrong(fmt::format("its shape is ({}); expected a number for each of the {} edges",
                             fmt::join(weights.shape, ", "), edges.size()));
    }
    edges.weights = values_as<double>(weights);
    return edges;
  }

  // The rows that a part has, in a job that splits nodes by rows.
  NodeRange own_rows() {
    if (!file_.has("num_nodes"))
      place("own_rows").wrong("it needs num_nodes beside it: how many nodes there are in all");
    count_nodes("num_nodes", number_of_nodes());
    const std::vector<std::int64_t> range = integers("own_rows", {2}, "(2,): the first node and how many");
    const std::int64_t nodes = counts_.front().second;
    if (range[0] < 0 || range[1] < 0 || range[0] > nodes || range[1] > nodes - range[0]) {
      place("own_rows").wrong(fmt::format("expected a first node and a number of nodes within the graph's {}", nodes));
    }
    return {range[0], range[1]};
  }

  void count_nodes(std::string_view key, std::int64_t nodes) {
    if (own_rows_ && nodes == own_rows_->count) return;
    if (nodes < 1 || nodes > kMostNodes) {
      place(key).wrong(fmt::format("it is for {} nodes; expected 1 ... {}", nodes, kMostNodes));
    }
    if (nodes > kMostNodes / snapshots_) {
      place(key).wrong(
          fmt::format("{} nodes in {} snapshots; expected at most {} rows", nodes, snapshots_, kMostNodes));
    }
    counts_.emplace_back(key, nodes);
    const auto& [first, expected] = counts_.front();
    if (nodes != expected) {
      place(key).wrong(
          fmt::format("it is for {} nodes, but {} is for {}; expected one graph's", nodes, first, expected));
    }
  }

  // A list with a row for each graph, for each graph that begins with this file's rows, or for each node.
  void count_subjects(std::string_view key, std::int64_t rows) {
    if (graphs_.empty() || rows == std::ssize(graphs_) || (own_rows_ && rows == own_rows_->count)) {
      return count_nodes(key, rows);
    }
    const std::vector<std::int64_t> first = subjects_of(std::ssize(graphs_), graphs_);
    const auto own = std::count_if(first.begin(), first.end(),
                                   [&](std::int64_t node) { return own_rows_ && own_rows_->contains(node); });
    if (rows == std::ssize(first) || (own_rows_ && rows == own)) return;
    const std::string of_own =
        own_rows_ ? fmt::format(", or for each of the {} that begin with its own rows", own) : "";
    place(key).wrong(
        fmt::format("it has {} rows; expected one for each of the {} graphs{}", rows, first.size(), of_own));
  }

  std::int64_t nodes() const {
    if (!counts_.empty()) return counts_.front().second;
    if (file_.has("edge_index")) {
      file_.place().wrong("edges alone do not tell how many nodes there are; add num_nodes, one integer");
    }
    file_.place().wrong(fmt::format(
        "it has no part of a graph: none of {}; it has {}", fmt::join(kKeys, ", "),
        file_.keys().empty() ? "no array" : net::printable(fmt::format("{}", fmt::join(file_.keys(), ", ")))));
  }

  const Npz& file_;
  std::span<const std::string> class_names_;
  std::int64_t snapshots_ = 1;
  std::optional<NodeRange> own_rows_;
  std::vector<std::int64_t> graphs_;                               // of each node; empty: one graph
  std::vector<std::pair<std::string_view, std::int64_t>> counts_;  // numbers of nodes, by key
};

void sort_keys(const Npz& file, std::vector<std::string>* ignored) {
  for (const std::string& key : file.keys()) {
    const std::string_view meant = similar_name(key, kKeys);
    if (!meant.empty()) {
      file.place().within(key).wrong(
          fmt::format("it is no part of a graph, but nearly {}; rename or remove it", meant));
    }
    if (ignored != nullptr && std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) ignored->push_back(key);
  }
}

template <class T>
NamedArray vector_array(std::string key, std::vector<T> values) {
  return {std::move(key), {{std::ssize(values)}, std::move(values)}};
}

NamedArray matrix_array(std::string key, const Matrix& matrix) {
  return {std::move(key),
          {{matrix.rows(), matrix.cols()}, std::vector<double>(matrix.data(), matrix.data() + matrix.size())}};
}

NamedArray edge_array(std::string key, const Edges& edges) {
  std::vector<std::int64_t> ends = edges.from;
  ends.insert(ends.end(), edges.to.begin(), edges.to.end());
  return {std::move(key), {{2, edges.size()}, std::move(ends)}};
}

NamedArray mask_array(std::string key, const NodeMask& mask) {
  std::vector<NpyBool> values(mask.size());
  std::transform(mask.begin(), mask.end(), values.begin(), [](bool in) { return static_cast<NpyBool>(in); });
  return vector_array(std::move(key), std::move(values));
}

// An array of text has Unicode characters alone, and the header of a CSV file may have other bytes.
std::vector<std::string> written_names(std::vector<std::string> names) {
  for (std::string& name : names) {
    if (!net::is_utf8(name)) name = net::printable(name);
  }
  return names;
}

// Gives an array with a row for each node in each snapshot its axis of snapshots. `data` are in the order of a file.
void add_axis(std::int64_t snapshots, NamedArray& named) {
  if (snapshots == 1) return;
  std::vector<std::int64_t>& shape = named.array.shape;
  shape.front() /= snapshots;
  shape.insert(shape.begin(), snapshots);
}

// The rows of data with snapshots in the order of a file.
GraphData in_order_of_file(GraphData data) {
  if (data.snapshots == 1) return data;
  const auto reorder = [&](auto& part, std::int64_t rows) {
    if (part) part = SnapshotOrder(data.snapshots, rows).in_file(*part);
  };
  if (data.sparse_x) data.x = data.sparse_x->dense();
  data.sparse_x.reset();
  if (data.x) reorder(data.x, data.x->rows());
  if (data.targets) reorder(data.targets, data.targets->rows());
  if (data.classes) reorder(data.classes, std::ssize(*data.classes));
  for (std::optional<NodeMask>* mask : {&data.train_mask, &data.val_mask, &data.test_mask}) {
    if (*mask) reorder(*mask, std::ssize(**mask));
  }
  return data;
}

}  // namespace

GraphData read_graph_npz(const Npz& file, const GraphReading& reading) {
  sort_keys(file, reading.ignored);
  GraphData data = GraphReader(file, reading.class_names).read();
  data.missing_features = reading.missing_features;
  check(data, file.place().text());
  return data;
}

std::vector<NamedArray> arrays_of(const GraphData& whole) {
  const GraphData data = in_order_of_file(with_a_row_for_each_graph(whole));
  std::vector<NamedArray> arrays;
  const auto add_rows = [&](NamedArray named) {
    add_axis(data.snapshots, named);
    arrays.push_back(std::move(named));
  };
  if (data.x) add_rows(matrix_array("x", *data.x));
  if (data.sparse_x) {
    arrays.push_back(vector_array("x_indptr", data.sparse_x->row_begin));
    arrays.push_back(vector_array("x_indices", data.sparse_x->cols));
    arrays.push_back(vector_array("x_data", data.sparse_x->values));
    arrays.push_back(vector_array("x_shape", std::vector{data.sparse_x->shape.rows, data.sparse_x->shape.cols}));
  }
  if (data.edges) arrays.push_back(edge_array("edge_index", *data.edges));
  if (data.edges && data.edges->weighted()) arrays.push_back(vector_array("edge_weight", data.edges->weights));
  if (data.edges && !data.edges->parts.empty()) arrays.push_back(vector_array("edge_part", data.edges->parts));
  if (data.classes) add_rows(vector_array("y", *data.classes));
  if (data.targets) add_rows(matrix_array("y", *data.targets));
  if (data.train_mask) add_rows(mask_array("train_mask", *data.train_mask));
  if (data.val_mask) add_rows(mask_array("val_mask", *data.val_mask));
  if (data.test_mask) add_rows(mask_array("test_mask", *data.test_mask));
  if (!data.graphs.empty()) arrays.push_back(vector_array("graph", data.graphs));
  if (data.pairs) arrays.push_back(edge_array("pairs", *data.pairs));
  arrays.push_back({"num_nodes", {{}, std::vector{data.graph_nodes()}}});
  if (data.snapshots > 1) arrays.push_back({"snapshots", {{}, std::vector{data.snapshots}}});
  if (data.own_rows) {
    const std::vector own{data.own_rows->first / data.snapshots, data.own_rows->count / data.snapshots};
    arrays.push_back(vector_array("own_rows", own));
  }
  if (data.ids) arrays.push_back({"ids", {}, *data.ids});
  if (!data.feature_names.empty()) arrays.push_back({"feature_names", {}, written_names(data.feature_names)});
  return arrays;
}

void write_graph_npz(const std::filesystem::path& path, const GraphData& data, Compression compression) {
  check(data, path.string());
  write_npz(path, arrays_of(data), compression);
}

}  // namespace tacit::gnn
