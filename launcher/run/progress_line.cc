#include "launcher/run/progress_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "launcher/reading_name.h"
#include "launcher/unit_text.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr double kOfThePast = 0.8;  // the weight of earlier epochs in an average
// The bytes that take about as long as a round, on one machine or in a local network, where the
// time of most rounds does not depend on bytes.
constexpr double kBytesLikeARound = 25'000;

double mixed(double past, double now, bool first) { return first ? now : kOfThePast * past + (1 - kOfThePast) * now; }

}  // namespace

void ProgressLine::take(const gnn::EpochEvent& event) {
  const bool first = epoch_ == 0;
  epoch_ = event.epoch;
  loss_ = event.loss;
  if (!event.readings.empty()) readings_ = event.readings;
  seconds_ = mixed(seconds_, event.usage.seconds, first);
  take_pace(event.usage.seconds);
  if (event.traffic) bytes_ = mixed(bytes_, static_cast<double>(event.traffic->total().payload_sent), first);
}

void ProgressLine::set_plan(const gnn::PlannedRun& plan) {
  const auto load = [](const gnn::PlannedRun::Step& step) {
    return static_cast<double>(step.cost.rounds) + static_cast<double>(step.cost.bytes) / kBytesLikeARound;
  };
  loads_.clear();
  for (std::size_t i = 0; i < plan.epochs.size(); ++i) {
    const bool one_by_one = plan.numbers[i] == static_cast<std::int64_t>(i) + 1, last = i + 1 == plan.epochs.size();
    if (one_by_one || last) loads_.push_back(load(plan.epochs[i]));
  }
  usual_load_ = load(plan.usual_epoch());
  const std::int64_t left_out = plan.left_out.epochs;
  load_left_out_ = left_out > 0 ? load(plan.left_out.cost) / static_cast<double>(left_out) : 0;
}

double ProgressLine::load_of(std::int64_t epoch) const {
  if (epoch == epochs_) return loads_.back();
  return epoch < std::ssize(loads_) ? loads_[static_cast<std::size_t>(epoch) - 1] : load_left_out_;
}

// An epoch with several times the usual load is a poor sample for the pace, since other resources
// limit it.
void ProgressLine::take_pace(double seconds) {
  constexpr double kUnlike = 1.5;
  if (loads_.empty()) return;
  const double load = load_of(epoch_);
  const bool usual = load < kUnlike * usual_load_;
  if (load <= 0 || (paced_by_usual_ && !usual)) return;
  const bool anew = pace_ == 0 || (usual && !paced_by_usual_);
  pace_ = mixed(pace_, seconds / load, anew);
  paced_by_usual_ = usual;
}

double ProgressLine::seconds_to_go() const {
  if (pace_ == 0) return seconds_ * static_cast<double>(epochs_ - epoch_);
  double load = loads_.back();
  const std::int64_t one_by_one = std::ssize(loads_) - 1;
  for (std::int64_t epoch = epoch_ + 1; epoch <= std::min(one_by_one, epochs_ - 1); ++epoch) load += load_of(epoch);
  const std::int64_t left_out = epochs_ - 1 - std::max(one_by_one, epoch_);
  return pace_ * (load + load_left_out_ * static_cast<double>(std::max<std::int64_t>(left_out, 0)));
}

std::string ProgressLine::text() const {
  if (epoch_ == 0) return phase_;
  std::string line = fmt::format("{}  epoch {}/{}", phase_, epoch_, epochs_);
  if (epoch_ < epochs_) line += fmt::format("  {} to go", duration_text(seconds_to_go()));
  if (loss_) line += "  loss " + figure_text(*loss_);
  for (const auto& reading : readings_) {
    line += fmt::format("  {} {:.4g}", net::printable(shown_name(reading.what, class_names_)), reading.value);
  }
  line += fmt::format("  {}/epoch  {}/epoch", duration_text(seconds_), bytes_text(bytes_));
  return line;
}

}  // namespace tacit::launcher
