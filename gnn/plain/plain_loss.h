// The losses in double precision: value, and gradient by the predictions.
#pragma once

#include "gnn/loss/loss.h"

namespace tacit::gnn {

struct PlainLoss {
  double value = 0;
  Matrix gradient;
};

PlainLoss plain_mean_squared_error(const Matrix& z, const Matrix& y, const Rows& labelled);
// `classes` of all nodes; those of labelled rows count.
PlainLoss plain_cross_entropy(const Matrix& z, const std::vector<std::int64_t>& classes, const Rows& labelled);

}  // namespace tacit::gnn
