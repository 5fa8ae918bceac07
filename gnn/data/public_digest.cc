#include "gnn/data/public_digest.h"

#include <bit>

namespace tacit::gnn {

namespace {

class Digest {
 public:
  void add(std::uint64_t word) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ ((word >> (8 * byte)) & 0xff)) * 0x100000001b3;
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(bool bit) { add(std::uint64_t{bit}); }

  template <typename Number>
  void add(const std::vector<Number>& numbers) {
    add(std::ssize(numbers));
    for (const Number number : numbers) add(number);
  }

  void add(const Matrix& matrix) {
    add(std::int64_t{matrix.rows()});
    add(std::int64_t{matrix.cols()});
    for (const double number : matrix.reshaped<Eigen::RowMajor>()) add(number);
  }

  void add(const SparseFeatures& x) {
    add(x.shape.cols);
    add(x.row_begin);
    add(x.cols);
    add(x.values);
  }

  void add(const Edges& edges) {
    add(edges.from);
    add(edges.to);
  }

  template <typename Part>
  void add(const std::optional<Part>& part) {
    add(part.has_value());
    if (part) add(*part);
  }

  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace

std::uint64_t public_digest(const GraphData& data, const Ownership& ownership) {
  const auto is_public = [](const PartOwnership& owned) { return owned.kind == PartOwnership::Kind::kPublic; };
  Digest digest;
  digest.add(data.nodes);
  if (is_public(ownership.features)) {
    digest.add(data.x);
    digest.add(data.sparse_x);
  }
  if (is_public(ownership.edges)) digest.add(data.edges);
  if (is_public(ownership.labels)) {
    digest.add(data.classes);
    digest.add(data.targets);
  }
  if (is_public(ownership.masks)) {
    digest.add(data.train_mask);
    digest.add(data.val_mask);
    digest.add(data.test_mask);
  }
  return digest.value();
}

}  // namespace tacit::gnn
