#include "gnn/metric/measure.h"

#include "gnn/metric/accuracy.h"
#include "gnn/metric/binned_ranking.h"
#include "gnn/metric/class_rate.h"
#include "gnn/metric/confusion.h"
#include "gnn/metric/countable.h"
#include "gnn/metric/error_metric.h"
#include "gnn/metric/explained.h"
#include "gnn/metric/loss_metric.h"
#include "gnn/metric/ranking.h"

namespace tacit::gnn {

std::unique_ptr<Measure> make_measure(Arithmetic& arithmetic, const Revealed& what, const Tensor& y,
                                      const MeasureOptions& options) {
  expect_countable(what, y.shape().rows);
  const std::optional<std::int64_t> of_class = class_of(what, y.shape().cols);
  switch (what.metric) {
    case Metric::kRootMeanSquaredError:
    case Metric::kMeanAbsoluteError:
      return std::make_unique<ErrorMetric>(arithmetic, what.metric, y, options.unit);
    case Metric::kAccuracy:
      break;
    case Metric::kPrecision:
    case Metric::kRecall:
    case Metric::kF1:
      if (what.average == Average::kMicro) break;
      return std::make_unique<ClassRate>(arithmetic, what.metric, y, of_class);
    case Metric::kConfusion:
      return std::make_unique<Confusion>(y);
    case Metric::kRocAuc:
    case Metric::kAveragePrecision:
      if (what.bins == 0) return std::make_unique<Ranking>(arithmetic, what.metric, y, of_class.value());
      return std::make_unique<BinnedRanking>(arithmetic, what.metric, y, of_class.value(), what.bins);
    case Metric::kLogLoss:
      return std::make_unique<LossMetric>(arithmetic, what.metric, Objective::kCrossEntropy, LossOptions(), y);
    case Metric::kLoss:
      return std::make_unique<LossMetric>(arithmetic, what.metric, options.objective, options.loss, y);
    case Metric::kR2:
    case Metric::kExplainedVariance:
      return std::make_unique<Explained>(arithmetic, what.metric, y);
  }
  return std::make_unique<Accuracy>(y);
}

}  // namespace tacit::gnn
