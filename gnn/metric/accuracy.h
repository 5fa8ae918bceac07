// accuracy — the part of the nodes with a right likeliest class. The micro averages of precision, recall and f1
// are the same number, since every node has one class and one prediction.
//
// Reveals     the number of right nodes
// Rounds      4; 5 with more than 7 classes; at most 2 more for lifts; and 1 to reveal it
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class Accuracy final : public Measure {
 public:
  explicit Accuracy(const Tensor& y) : y_(y) {}
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  Tensor y_;
};

}  // namespace tacit::gnn
