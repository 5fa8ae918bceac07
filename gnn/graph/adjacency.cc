#include "gnn/graph/adjacency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "net/error.h"

namespace tacit::gnn {

namespace {

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Neighbour {
  std::int32_t node;
  double weight;
};

bool is_before(const Neighbour& one, const Neighbour& other) { return one.node < other.node; }

// For each node, the nodes from which edges lead to it: ascending, without repetitions and loops.
std::vector<std::vector<Neighbour>> neighbours(const Edges& edges, std::int64_t nodes) {
  std::vector<std::vector<Neighbour>> of(index(nodes));
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.from[e] == edges.to[e]) continue;
    of[index(edges.to[e])].push_back(
        {static_cast<std::int32_t>(edges.from[e]), edges.weighted() ? edges.weights[e] : 1});
  }
  for (std::vector<Neighbour>& row : of) {
    std::sort(row.begin(), row.end(), is_before);
    const auto same = [](const Neighbour& one, const Neighbour& other) { return one.node == other.node; };
    row.erase(std::unique(row.begin(), row.end(), same), row.end());
  }
  return of;
}

}  // namespace

Adjacency normalised(const Edges& edges, std::int64_t nodes, Normalisation normalisation) {
  std::vector<std::vector<Neighbour>> rows = neighbours(edges, nodes);
  const bool symmetric = normalisation == Normalisation::kSymmetric, mean = normalisation == Normalisation::kMean;
  std::vector<double> degrees;
  for (std::int64_t r = 0; r < nodes; ++r) {
    std::vector<Neighbour>& row = rows[index(r)];
    const Neighbour loop{static_cast<std::int32_t>(r), 1};
    if (!mean) row.insert(std::lower_bound(row.begin(), row.end(), loop, is_before), loop);
    degrees.push_back(std::accumulate(row.begin(), row.end(), 0.0,
                                      [](double sum, const Neighbour& one) { return sum + one.weight; }));
  }
  Adjacency adjacency{{nodes, nodes}, {0}, {}, {}};
  for (std::int64_t r = 0; r < nodes; ++r) {
    for (const auto& [c, weight] : rows[index(r)]) {
      adjacency.cols.push_back(c);
      adjacency.values.push_back(symmetric ? weight / std::sqrt(degrees[index(r)] * degrees[index(c)])
                                 : mean    ? weight / degrees[index(r)]
                                           : weight);
    }
    adjacency.row_begin.push_back(adjacency.entries());
  }
  return adjacency;
}

Adjacency pooling(std::span<const std::int64_t> graphs, Normalisation normalisation) {
  const std::int64_t nodes = std::ssize(graphs);
  Adjacency adjacency{{nodes, nodes}, {0}, {}, {}, true};
  std::int64_t first = 0;
  while (first < nodes) {
    std::int64_t end = first;
    while (end < nodes && graphs[index(end)] == graphs[index(first)]) ++end;
    const double value = normalisation == Normalisation::kSumOfGraph ? 1 : 1 / static_cast<double>(end - first);
    for (std::int64_t node = first; node < end; ++node) {
      adjacency.cols.push_back(static_cast<std::int32_t>(node));
      adjacency.values.push_back(value);
    }
    for (std::int64_t node = first; node < end; ++node) adjacency.row_begin.push_back(adjacency.entries());
    first = end;
  }
  return adjacency;
}

Adjacency with_loops(const Adjacency& sum, double loop) {
  Adjacency made{sum.shape, {0}, {}, {}};
  for (std::int64_t r = 0; r < sum.shape.rows; ++r) {
    for (std::int64_t i = sum.row_begin[index(r)]; i < sum.row_begin[index(r) + 1]; ++i) {
      const bool own = sum.cols[index(i)] == r;
      if (own && loop == 0) continue;
      made.cols.push_back(sum.cols[index(i)]);
      made.values.push_back(own ? loop : sum.values[index(i)]);
    }
    made.row_begin.push_back(made.entries());
  }
  return made;
}

namespace {

enum class OtherColumns { kNone, kLeftOut };

Adjacency part_of(const Adjacency& adjacency, const Rows& rows, const Rows& cols, OtherColumns others) {
  if (std::ssize(rows) == adjacency.shape.rows && std::ssize(cols) == adjacency.shape.cols) return adjacency;
  std::vector<std::int32_t> place(index(adjacency.shape.cols), -1);
  for (std::size_t i = 0; i < cols.size(); ++i) place[index(cols[i])] = static_cast<std::int32_t>(i);
  Adjacency part{{std::ssize(rows), std::ssize(cols)}, {0}, {}, {}, adjacency.exact_sums};
  for (const std::int64_t r : rows) {
    for (std::int64_t i = adjacency.row_begin[index(r)]; i < adjacency.row_begin[index(r) + 1]; ++i) {
      const std::int32_t col = place[index(adjacency.cols[index(i)])];
      if (col < 0 && others == OtherColumns::kLeftOut) continue;
      TACIT_CHECK(col >= 0);
      part.cols.push_back(col);
      part.values.push_back(adjacency.values[index(i)]);
    }
    part.row_begin.push_back(part.entries());
  }
  return part;
}

}  // namespace

Adjacency part_of(const Adjacency& adjacency, const Rows& rows, const Rows& cols) {
  return part_of(adjacency, rows, cols, OtherColumns::kNone);
}

Adjacency among(const Adjacency& adjacency, const Rows& rows) {
  return part_of(adjacency, rows, rows, OtherColumns::kLeftOut);
}

Rows with_neighbours(const Adjacency& adjacency, const Rows& rows) {
  Rows all = rows;
  if (std::ssize(rows) == adjacency.shape.cols) return all;  // every node is there
  for (const std::int64_t r : rows) {
    all.insert(all.end(), adjacency.cols.begin() + adjacency.row_begin[index(r)],
               adjacency.cols.begin() + adjacency.row_begin[index(r) + 1]);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Matrix Adjacency::times(const Matrix& x) const {
  Matrix out = Matrix::Zero(shape.rows, x.cols());
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    for (std::int64_t i = row_begin[index(r)]; i < row_begin[index(r) + 1]; ++i) {
      out.row(r) += values[index(i)] * x.row(cols[index(i)]);
    }
  }
  return out;
}

Matrix Adjacency::transposed_times(const Matrix& x) const {
  Matrix out = Matrix::Zero(shape.cols, x.cols());
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    for (std::int64_t i = row_begin[index(r)]; i < row_begin[index(r) + 1]; ++i) {
      out.row(cols[index(i)]) += values[index(i)] * x.row(r);
    }
  }
  return out;
}

namespace {

// Rounds the sums up to each entry of a row, and takes the differences for the entries.
void round_sums(const Adjacency& exact, mpc::SparseMatrix& m) {
  for (std::int64_t r = 0; r < exact.shape.rows; ++r) {
    double sum = 0;
    std::int64_t before = 0;
    for (std::int64_t i = exact.row_begin[index(r)]; i < exact.row_begin[index(r) + 1]; ++i) {
      sum += exact.values[index(i)];
      const std::int64_t now = std::llround(std::ldexp(sum, m.fraction_bits));
      m.values[index(i)] = static_cast<std::uint64_t>(now - before);
      before = now;
    }
  }
}

}  // namespace

mpc::SparseMatrix Adjacency::encoded(const Arithmetic& arithmetic, bool whole) const {
  TACIT_CHECK(!whole ||
              std::all_of(values.begin(), values.end(), [](double value) { return value == std::nearbyint(value); }));
  mpc::SparseMatrix m = arithmetic.sparse(shape, row_begin, cols, values, whole);
  if (exact_sums) round_sums(*this, m);
  const auto lost = std::find(m.values.begin(), m.values.end(), 0);
  if (lost == m.values.end()) return m;
  throw ConfigError(
      fmt::format(
          "the graph has nodes with so many neighbours, or graphs with so many nodes, that an entry is less than "
          "half a unit of {} fraction bits; take more fraction bits, or sage in place of gcn, or pooling = \"sum\"",
          m.fraction_bits),
      fmt::format("an edge weighs {:.2g}", values[static_cast<std::size_t>(lost - m.values.begin())]));
}

}  // namespace tacit::gnn
