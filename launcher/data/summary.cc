#include "launcher/data/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/data/labels.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr int kSteps = 16;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

ColumnSummary column(std::string name, std::span<const double> values) {
  ColumnSummary one{.name = std::move(name), .spread = histogram(values, kSteps)};
  if (values.empty()) return one;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) one.mean += value / n;
  one.mean = std::clamp(one.mean, one.spread.least, one.spread.most);  // equal values have no deviation
  double variance = 0;
  for (const double value : values) variance += (value - one.mean) * (value - one.mean) / n;
  one.deviation = std::sqrt(variance);
  one.zeros = static_cast<double>(std::count(values.begin(), values.end(), 0.0)) / n;
  return one;
}

constexpr std::size_t kMostOfName = 24;

// Uses the file's column names, if there are any.
void add_columns(const gnn::Matrix& matrix, std::string_view name, const std::vector<std::string>& names,
                 std::int64_t most, GraphSummary& summary) {
  for (Eigen::Index col = 0; col < std::min<Eigen::Index>(matrix.cols(), most); ++col) {
    std::vector<double> values;
    for (const double value : matrix.col(col)) {
      if (!std::isnan(value)) values.push_back(value);
    }
    const bool named = index(col) < names.size();
    summary.columns.push_back(
        column(named ? net::printable(names[index(col)], kMostOfName) : fmt::format("{} {}", name, col), values));
    summary.columns.back().missing = matrix.rows() - std::ssize(values);
    summary.columns.back().unknown = values.empty() && matrix.rows() > 0;
  }
}

// Converts the first columns only, since a sparse x may be wide.
gnn::Matrix first_columns(const gnn::SparseFeatures& x, std::int64_t most) {
  const std::int64_t cols = std::min(x.shape.cols, most);
  gnn::Matrix dense = gnn::Matrix::Zero(x.shape.rows, cols);
  for (std::int64_t row = 0; row < x.shape.rows; ++row) {
    for (std::int64_t i = x.row_begin[index(row)]; i < x.row_begin[index(row) + 1]; ++i) {
      if (x.cols[index(i)] < cols) dense(row, x.cols[index(i)]) = x.values[index(i)];
    }
  }
  return dense;
}

std::vector<std::int64_t> class_sizes(const std::vector<std::int64_t>& classes) {
  std::vector<std::int64_t> sizes;
  for (const std::int64_t one : classes) {
    if (one < 0 || one >= kMostClasses) continue;  // unknown, or not shown
    if (one >= std::ssize(sizes)) sizes.resize(index(one) + 1);
    ++sizes[index(one)];
  }
  return sizes;
}

EdgeSummary summarise_edges(const gnn::Edges& edges, std::int64_t nodes) {
  EdgeSummary summary;
  summary.edges = edges.size();
  std::vector<double> out(index(nodes));
  std::vector<bool> touched(index(nodes));
  std::vector<std::pair<std::int64_t, std::int64_t>> ways;
  ways.reserve(edges.from.size());
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    ++out[index(edges.from[e])];
    touched[index(edges.from[e])] = touched[index(edges.to[e])] = true;
    summary.loops += edges.from[e] == edges.to[e] ? 1 : 0;
    ways.emplace_back(edges.from[e], edges.to[e]);
  }
  std::sort(ways.begin(), ways.end());
  for (const auto& [from, to] : ways) {
    summary.one_way += std::binary_search(ways.begin(), ways.end(), std::pair(to, from)) ? 0 : 1;
  }
  for (std::size_t i = 1; i < ways.size(); ++i) summary.repeated += ways[i] == ways[i - 1] ? 1 : 0;
  summary.without = std::count(touched.begin(), touched.end(), false);
  summary.out_degree = column("out-degree", out);
  return summary;
}

std::string line(const ColumnSummary& one, std::int64_t width, Letters letters) {
  const std::string name = one.name + std::string(static_cast<std::size_t>(width - net::columns_of(one.name)), ' ');
  if (one.unknown) return fmt::format("  {} {:>11}\n", name, "all missing");
  const std::string missing = one.missing > 0 ? fmt::format("  {} missing", one.missing) : "";
  return fmt::format("  {} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>6.1f}%  |{}|{}\n", name, one.spread.least,
                     one.mean, one.spread.most, one.deviation, 100 * one.zeros, bars(one.spread.counts, letters),
                     missing);
}

Json to_json(const ColumnSummary& one) {
  const auto or_null = [&](double figure) { return one.unknown ? Json(nullptr) : Json(figure); };
  return {{"name", one.name},
          {"least", or_null(one.spread.least)},
          {"mean", or_null(one.mean)},
          {"most", or_null(one.spread.most)},
          {"deviation", or_null(one.deviation)},
          {"zeros", or_null(one.zeros)},
          {"missing", one.missing},
          {"histogram", one.spread.counts}};
}

}  // namespace

GraphSummary summarise(const gnn::GraphData& data, std::int64_t most_columns) {
  GraphSummary summary;
  std::int64_t features = 0;
  if (data.x) {
    features = data.x->cols();
    add_columns(*data.x, "x", data.feature_names, most_columns, summary);
  }
  if (data.sparse_x) {
    features = data.sparse_x->shape.cols;
    add_columns(first_columns(*data.sparse_x, most_columns), "x", data.feature_names, most_columns, summary);
  }
  summary.columns_left_out = std::max<std::int64_t>(0, features - most_columns);
  if (data.targets) add_columns(gnn::labelled_targets(data), "y", {}, most_columns, summary);
  if (data.classes) summary.class_sizes = class_sizes(*data.classes);
  summary.of_graphs = !data.graphs.empty();
  if (data.edges) summary.edges = summarise_edges(*data.edges, data.graph_nodes());
  return summary;
}

std::string to_text(const GraphSummary& summary, Letters letters) {
  std::string text;
  std::int64_t width = 12;  // width of the names
  for (const ColumnSummary& one : summary.columns) width = std::max(width, net::columns_of(one.name));
  if (!summary.columns.empty()) {
    text += fmt::format("  {:<{}} {:>11} {:>11} {:>11} {:>11} {:>7}  from least to most\n", "", width, "least", "mean",
                        "most", "deviation", "zeros");
  }
  for (const ColumnSummary& one : summary.columns) text += line(one, width, letters);
  if (summary.columns_left_out > 0) {
    text += fmt::format("  and {} more columns of x (--columns N shows more)\n", summary.columns_left_out);
  }
  if (!summary.class_sizes.empty()) {
    text +=
        fmt::format("  classes 0 ... {}  |{}|\n", summary.class_sizes.size() - 1, bars(summary.class_sizes, letters));
    constexpr std::size_t kMostListed = 20;
    for (std::size_t i = 0; i < std::min(summary.class_sizes.size(), kMostListed); ++i) {
      text +=
          fmt::format("    class {:<4} {:>9} {}s\n", i, summary.class_sizes[i], gnn::subject_name(summary.of_graphs));
    }
  }
  if (summary.edges) {
    text += line(summary.edges->out_degree, width, letters);
    text +=
        fmt::format("  {} edges lead one way only, {} from a node to itself, {} are there again; {} nodes have none\n",
                    summary.edges->one_way, summary.edges->loops, summary.edges->repeated, summary.edges->without);
  }
  return text;
}

Json to_json(const GraphSummary& summary) {
  Json json = {{"columns", Json::array()}, {"columns_left_out", summary.columns_left_out}};
  for (const ColumnSummary& one : summary.columns) json["columns"].push_back(to_json(one));
  if (!summary.class_sizes.empty()) json["class_sizes"] = summary.class_sizes;
  if (summary.edges) {
    json["edges"] = {{"edges", summary.edges->edges},           {"loops", summary.edges->loops},
                     {"repeated", summary.edges->repeated},     {"one_way", summary.edges->one_way},
                     {"nodes_without", summary.edges->without}, {"out_degree", to_json(summary.edges->out_degree)}};
  }
  return json;
}

}  // namespace tacit::launcher
