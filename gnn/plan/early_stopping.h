// EarlyStopping — ends a training when its loss or metric does not improve any more, and goes back to
// the best model. Plateau — lowers the learning rate instead. Rank 0 sees and judges the number.
//
// Every rank and the dealer learn one bit for each number, better or not. The session counts the
// bits among its decisions.
//
// A training loss judges the model before the epoch's steps; with batches, the model while they are made. Therefore the best
// model by the loss is the one after the epoch before.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gnn/metric/revealed.h"

namespace tacit::gnn {

// A number, and how long it may fail to improve.
struct Judged {
  std::optional<Metric> metric;   // a metric that is revealed to rank 0; empty: the training loss
  Part part = Part::kValidation;  // nodes of the metric
  // These settings tell metrics of one name and part apart (revealed.h). A job may leave them out if there is only one
  // metric, or if one metric is without these settings.
  std::optional<std::int64_t> of_class = {};
  std::optional<Average> average = {};
  std::int64_t bins = 0;
  std::int64_t patience = 10;  // numbers in a row without improvement
  double least_improvement = 0;

  void describe(SettingVisitor& visitor, std::string_view about_patience, std::span<const std::string> class_names);
};

struct EarlyStopping {
  Judged judged;
  bool keep_best = true;  // the result is the model of the best number

  void describe(SettingVisitor& visitor, std::span<const std::string> class_names = {}) {
    judged.describe(visitor, "training stops after so many numbers in a row that are not better", class_names);
    visitor.flag(
        {"keep_best", "whether the training ends with the model of the best number, if that is not the last one"},
        keep_best);
  }
};

struct Plateau {
  Judged judged;
  double factor = 0.5;
  double least = 0;  // rate

  void describe(SettingVisitor& visitor, std::span<const std::string> class_names = {}) {
    judged.describe(visitor, "the rate is lowered after so many numbers in a row that are not better", class_names);
    visitor.real({"factor", "the rate is multiplied by this factor"}, factor,
                 {.least = 1.0 / 1024, .most = 1, .without_most = true});
    visitor.real({"least", "the rate is not lowered below this one"}, least, {.least = 0, .most = 16});
  }
  // The rate of the schedule after `reductions` reductions; not below a millionth of the schedule's rate, where steps vanish.
  double lowered(double rate, std::int64_t reductions) const;
};

// How a judged number did so far.
struct Progress {
  std::int64_t stale = 0;      // numbers in a row without improvement
  std::optional<double> best;  // only at ranks that see the number

  bool is_bettered_by(const Judged& judged, double value) const;
  // Counts one more number, and returns true if the patience is at its end. `value` is given at ranks that see the
  // number.
  bool is_stale(const Judged& judged, bool better, std::optional<double> value);
};

}  // namespace tacit::gnn
