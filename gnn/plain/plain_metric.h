// plain_metric — the plaintext reference of a metric (gnn/metric), in double precision.
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

struct PlainMeasureOptions {
  Matrix unit = {};  // a row, by which errors are multiplied; empty: 1
  Objective objective = Objective::kSquaredError;
  PlainLossOptions loss = {};
};

// The metric of predictions z against y over these rows.
Measured plain_metric(const Revealed& what, const Matrix& z, const Matrix& y, const Rows& rows,
                      const PlainMeasureOptions& options = {});

}  // namespace tacit::gnn
