#include "gnn/graph/pair_ends.h"

#include <array>

#include "gnn/arithmetic/rearranged.h"

namespace tacit::gnn {

PairEnds::PairEnds(Rows from, Rows to, std::int64_t rows) : public_(Public{picking(from, rows), picking(to, rows)}) {
  TACIT_CHECK(from.size() == to.size());
}

PairEnds::PairEnds(Tensor secret) : secret_(secret.certain()) { TACIT_CHECK(secret.shape().rows % 2 == 0); }

PairEnds::PairEnds(Tensor secret, PairEnds drawn) : PairEnds(std::move(secret)) { public_ = std::move(drawn.public_); }

PairEnds::Ends PairEnds::of(Arithmetic& arithmetic, const Tensor& x, double bound, const std::string& name) const {
  std::optional<Ends> secret;
  if (secret_) {
    const Tensor both = arithmetic.matmul({*secret_, x, bound, name}).as_watched_as(x);
    const std::int64_t pairs = both.shape().rows / 2;
    secret = {rows(both, 0, pairs), rows(both, pairs, 2 * pairs)};
    if (!public_) return *secret;
  }
  const Ends others{arithmetic.matmul(public_->from, x, bound, name).as_watched_as(x),
                    arithmetic.matmul(public_->to, x, bound, name).as_watched_as(x)};
  if (!secret) return others;
  return {stacked(std::array{secret->from, others.from}), stacked(std::array{secret->to, others.to})};
}

Tensor PairEnds::put_back(Arithmetic& arithmetic, const Ends& ends, double bound, const std::string& name) const {
  const std::int64_t pairs = ends.from.shape().rows, secret = secret_pairs();
  std::optional<Tensor> at_nodes;
  if (secret_) {
    const Tensor both = stacked(std::array{rows(ends.from, 0, secret), rows(ends.to, 0, secret)});
    at_nodes = arithmetic.matmul({secret_->transposed(), both, bound, name});
    if (!public_) return *at_nodes;
  }
  const Tensor from = arithmetic.matmul(public_->from.transposed(), rows(ends.from, secret, pairs), bound, name);
  const Tensor to = arithmetic.matmul(public_->to.transposed(), rows(ends.to, secret, pairs), bound, name);
  const Tensor others = arithmetic.sum(from, to, bound);
  return at_nodes ? arithmetic.sum(*at_nodes, others, bound) : others;
}

}  // namespace tacit::gnn
