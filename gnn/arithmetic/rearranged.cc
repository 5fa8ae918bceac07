#include "gnn/arithmetic/rearranged.h"

#include <algorithm>

#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

double largest_bound(std::span<const Tensor> tensors) {
  double bound = 0;
  for (const Tensor& one : tensors) bound = std::max(bound, one.bound());
  return bound;
}

}  // namespace

Tensor in_one_row(std::span<const Tensor> tensors) {
  std::vector<mpc::Share> rows;
  for (const Tensor& one : tensors) rows.push_back(mpc::reshaped(one.share(), {1, one.shape().size()}));
  return Tensor(mpc::beside(rows), largest_bound(tensors), tensors.front().name());
}

Tensors shaped_like(std::span<const Tensor> tensors, const Tensor& row) {
  const mpc::Share all = row.share();
  Tensors results;
  std::int64_t begin = 0;
  for (const Tensor& one : tensors) {
    const std::int64_t end = begin + one.shape().size();
    results.emplace_back(mpc::reshaped(mpc::columns(all, begin, end), one.shape()), row.bound(), one.name());
    begin = end;
  }
  return results;
}

Tensor beside(std::span<const Tensor> tensors) {
  std::vector<mpc::Share> shares;
  for (const Tensor& one : tensors) shares.push_back(one.share());
  return Tensor(mpc::beside(shares), largest_bound(tensors), tensors.front().name());
}

Tensor stacked(std::span<const Tensor> tensors) {
  std::vector<mpc::Share> shares;
  for (const Tensor& one : tensors) shares.push_back(one.share());
  return Tensor(mpc::stacked(shares), largest_bound(tensors), tensors.back().name());
}

Tensor columns(const Tensor& x, std::int64_t begin, std::int64_t end) {
  return Tensor(mpc::columns(x.share(), begin, end), x.bound(), x.name()).as_watched_as(x);
}

Tensor rows(const Tensor& x, std::int64_t begin, std::int64_t end) {
  const mpc::Share some = mpc::rows(x.share(), begin, end);
  return Tensor(some, x.bound(), x.name()).as_watched_as(x);
}

Tensor repeated(const Tensor& row, std::int64_t rows) {
  return Tensor(mpc::repeat_rows(row.share(), rows), row.bound(), row.name());
}

Tensor placed(Arithmetic& arithmetic, const mpc::SparseMatrix& m, const Tensor& x) {
  return Tensor(mpc::matmul(m, x.share(), arithmetic.session().workers()), x.bound(), x.name());
}

Tensor row_sums(const Tensor& x, double bound) { return Tensor(mpc::row_sums(x.share()), bound, x.name()); }

}  // namespace tacit::gnn
