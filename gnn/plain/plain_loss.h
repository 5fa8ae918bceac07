// The losses in double precision: the value, and the gradient by the predictions.
#pragma once

#include "gnn/loss/loss.h"

namespace tacit::gnn {

struct PlainLoss {
  double value = 0;
  Matrix gradient;
};

PlainLoss plain_mean_squared_error(const Matrix& z, const Matrix& y, const Rows& labelled);
// `classes` has an entry for each node; labelled rows alone count.
PlainLoss plain_cross_entropy(const Matrix& z, const std::vector<std::int64_t>& classes, const Rows& labelled);

}  // namespace tacit::gnn
