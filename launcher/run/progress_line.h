// ProgressLine — the state of a rank's training, in one line for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gnn/run/planned_run.h"
#include "gnn/train/trainer.h"
#include "net/mesh.h"

namespace tacit::launcher {

class ProgressLine {
 public:
  void begin(std::string phase) { phase_ = std::move(phase); }
  void set_epochs(std::int64_t all, gnn::ClassNames class_names = {}) {
    epochs_ = all;
    class_names_ = std::move(class_names);
  }
  // The plan's costs, from which the remaining time is estimated. Without a plan, recent epochs
  // serve.
  void set_plan(const gnn::PlannedRun& plan);
  // True if the epoch taken last completes another tenth of all epochs.
  bool ends_a_tenth() const { return epochs_ > 0 && 10 * epoch_ / epochs_ > 10 * (epoch_ - 1) / epochs_; }
  void take(const gnn::EpochEvent& event);

  // "training  epoch 12/200  8 s to go  loss 0.1308  test rmse 11.52  41 ms/epoch  194 kB/epoch".
  // The least important items come last, where a narrow terminal cuts.
  std::string text() const;
  const std::string& phase() const { return phase_; }

 private:
  double load_of(std::int64_t epoch) const;
  void take_pace(double seconds);
  double seconds_to_go() const;

  std::string phase_;
  std::int64_t epoch_ = 0, epochs_ = 0;
  std::optional<double> loss_;
  std::vector<gnn::EpochEvent::Reading> readings_;
  gnn::ClassNames class_names_;     // as the job names its classes
  double seconds_ = 0, bytes_ = 0;  // an epoch's, averaged over recent ones
  // From the plan, if there is one.
  std::vector<double> loads_;  // by epoch, about proportional to its time; the last item is the last epoch's
  double load_left_out_ = 0;   // an epoch's between the last two items
  double usual_load_ = 0;
  double pace_ = 0;              // seconds for a load of 1, in recent epochs
  bool paced_by_usual_ = false;  // false while only epochs like the first were seen
};

}  // namespace tacit::launcher
