// GraphHasher — BLAKE2b over parts of a graph. Equal digests mean equal numbers, shapes and
// positions.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gnn/data/graph_data.h"
#include "mpc/sealed/hasher.h"

namespace tacit::gnn {

// The hash input has the length before each list, and a flag before each optional part, so that
// different graphs have different inputs.
class GraphHasher {
 public:
  void add(std::int64_t number) {
    words_.push_back(static_cast<std::uint64_t>(number));
    if (words_.size() == kWordsAtOnce) flush();
  }
  // An unknown number (NaN) is the same in every form.
  void add(double number) {
    add(std::bit_cast<std::int64_t>(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number));
  }
  void add(bool bit) { add(std::int64_t{bit}); }
  void add(const std::string& text) {
    add(std::ssize(text));
    flush();
    hasher_.add(std::as_bytes(std::span(text)));
  }

  template <typename Number>
  void add(const std::vector<Number>& numbers) {
    add(std::ssize(numbers));
    for (const auto& number : numbers) add(number);
  }
  void add(const Matrix& matrix) {
    add(std::int64_t{matrix.rows()});
    add(std::int64_t{matrix.cols()});
    for (const double number : matrix.reshaped()) add(number);
  }
  void add(const SparseFeatures& x) {
    add(x.shape.rows);
    add(x.shape.cols);
    add(x.row_begin);
    add(x.cols);
    add(x.values);
  }
  void add(const Edges& edges) {
    add(edges.from);
    add(edges.to);
    add(edges.weights);
    if (!edges.parts.empty()) add(edges.parts);
  }
  void add(const NodeRange& nodes) {
    add(nodes.first);
    add(nodes.count);
  }
  template <typename Part>
  void add(const std::optional<Part>& part) {
    add(part.has_value());
    if (part) add(*part);
  }

  mpc::Digest digest() {
    flush();
    return hasher_.digest();
  }

 private:
  static constexpr std::size_t kWordsAtOnce = 1024;

  void flush() {
    hasher_.add(std::as_bytes(std::span(words_)));
    words_.clear();
  }

  mpc::Hasher hasher_;
  std::vector<std::uint64_t> words_;
};

}  // namespace tacit::gnn
