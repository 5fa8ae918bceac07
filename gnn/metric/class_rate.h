// precision, recall and f1 of one class, or their macro average: the mean over all classes of the job.
//
// With three counts of nodes: `own` is the size of the class, `predicted` the number of predictions of the class, and
// `right` the number of correct ones among them:
//   precision = right / predicted     recall = right / own     f1 = 2·right / (predicted + own)
// A class for which the denominator is 0 has 0.
//
// Reveals     the ratio; of an average the sum of the classes' ratios. Not the counts
// Rounds      14; 15 with more than 7 classes; at most 1 more for a lift; and 1 to reveal it. Once: 4
// Error       2^-15, and the rounding of what is revealed; exact for a ratio of 0, and for 1 with up to 10,000 nodes and classes
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

class ClassRate final : public Measure {
 public:
  // Without a class: the macro average.
  ClassRate(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::optional<std::int64_t> of_class);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  Metric metric_;
  std::optional<std::int64_t> class_;
  std::int64_t nodes_, classes_;
  double error_;
  mpc::Masked y_;   // whole numbers
  mpc::Share own_;  // a row: the nodes of each class
};

}  // namespace tacit::gnn
