// confusion — how many nodes of each class were predicted as each class. The value is the part of the right nodes.
//
// Reveals     the counts, for each two classes
// Rounds      4; 5 with more than 7 classes; at most 2 more for lifts; and 1 to reveal them
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class Confusion final : public Measure {
 public:
  explicit Confusion(const Tensor& y) : y_(y) {}
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  Tensor y_;
};

}  // namespace tacit::gnn
