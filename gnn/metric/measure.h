// Measure — how good predictions are, computed on secrets: a metric of the nodes of one part. Only its number is
// revealed (of `confusion` a number for each two classes), and only if the job lists it.
//
// The audience learns the numbers of this table, and no other count or sum. A ratio of small counts may tell the counts: a
// recall of 0.75 over few nodes is 3 of 4. Together, metrics may tell all counts: the accuracy of two classes with two of
// precision, recall and f1 is the confusion matrix (launcher/plan/implied.h says so to the user).
//
//   metric                                 revealed                                          file
//   rmse, mae                              the sum of squared or absolute errors             error_metric.h
//   accuracy; micro averages, equal to it  the number of right nodes                         accuracy.h
//   precision, recall, f1                  the ratio; of macro the sum over classes          class_rate.h
//   confusion                              the count of each class predicted as each class   confusion.h
//   log_loss, loss                         the sum over nodes                                loss_metric.h
//   r2, explained_variance                 the sum over targets                              explained.h
//   roc_auc, average_precision             the value                                         ranking.h, binned_ranking.h
//
// Metrics of one evaluation and the same nodes share the likeliest classes, the softmax and the score of a class
// (gnn/arithmetic/outputs.h). The rounds in their headers include these, as if each metric were alone.
//
// A class without a node in the part, or never predicted, makes no error. The precision, recall, f1, roc_auc and
// average_precision of this class are 0, as with scikit-learn's zero_division=0. A target that does not vary adds 0 to r2 and
// explained_variance.
#pragma once

#include <memory>
#include <optional>

#include "gnn/arithmetic/error_sum.h"
#include "gnn/arithmetic/outputs.h"
#include "gnn/loss/losses.h"
#include "gnn/metric/revealed.h"

namespace tacit::gnn {

struct Measured {
  double value = 0;
  std::optional<Matrix> table;  // confusion: row r, column c counts the nodes of class r that were predicted as c
};

class Measure {
 public:
  virtual ~Measure() = default;

  // The numbers to reveal, from the predictions of the metric's own nodes, in their order. Metrics of the same nodes get
  // the same Outputs.
  virtual Tensor of(Arithmetic& arithmetic, Outputs& outputs) const = 0;
  // The metric, from these numbers. Throws TrainingDiverged for impossible ones.
  virtual Measured read(const Matrix& revealed) const = 0;
};

// The training's settings that some metrics use.
struct MeasureOptions {
  Objective objective = Objective::kSquaredError;
  LossOptions loss;
  std::optional<ErrorSum::Unit> unit;  // errors are in this unit
};

// y: the labels of the metric's nodes. Throws ConfigError if there are too many or too few nodes.
std::unique_ptr<Measure> make_measure(Arithmetic& arithmetic, const Revealed& what, const Tensor& y,
                                      const MeasureOptions& options);

}  // namespace tacit::gnn
