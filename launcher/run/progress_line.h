// ProgressLine — where a rank's training is, in one line for people.
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
  void set_epochs(std::int64_t all) { epochs_ = all; }
  // What the epochs will cost, by which those to come are taken to last; without it as long as recent ones.
  void set_plan(const gnn::PlannedRun& plan);
  // Whether the epoch that was taken last is the last one of a tenth of all.
  bool ends_a_tenth() const { return epochs_ > 0 && 10 * epoch_ / epochs_ > 10 * (epoch_ - 1) / epochs_; }
  void take(const gnn::EpochEvent& event);

  // "training  epoch 12/200  8 s to go  loss 0.1308  test rmse 11.52  41 ms/epoch  194 kB/epoch": a narrow terminal
  // cuts what matters least.
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
  double seconds_ = 0, bytes_ = 0;  // of an epoch: what recent ones took and sent
  // By the plan, if there is one.
  std::vector<double> loads_;  // of the epochs: in proportion to what they will take, about; the last one's last
  double load_left_out_ = 0;   // of one between the last two
  double usual_load_ = 0;
  double pace_ = 0;              // seconds for a load of 1, by recent epochs
  bool paced_by_usual_ = false;  // and not by epochs like the first alone
};

std::string text_of(const gnn::EpochEvent::Reading& reading);

}  // namespace tacit::launcher
