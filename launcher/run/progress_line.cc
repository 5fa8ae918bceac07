#include "launcher/run/progress_line.h"

#include <fmt/format.h>

#include "launcher/run/event_json.h"

namespace tacit::launcher {

namespace {

constexpr double kOfThePast = 0.8;  // in what an epoch takes

double mixed(double past, double now, bool first) { return first ? now : kOfThePast * past + (1 - kOfThePast) * now; }

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string text_of(const gnn::EpochEvent::Reading& reading) {
  return fmt::format("{} {:.4g}", name_of(reading.what), reading.value);
}

void ProgressLine::take(const gnn::EpochEvent& event) {
  const bool first = epoch_ == 0;
  epoch_ = event.epoch;
  loss_ = event.loss;
  if (!event.readings.empty()) readings_ = event.readings;
  seconds_ = mixed(seconds_, event.usage.seconds, first);
  if (event.traffic) bytes_ = mixed(bytes_, static_cast<double>(event.traffic->total().payload_sent), first);
}

std::string ProgressLine::text() const {
  if (epoch_ == 0) return phase_;
  std::string line = fmt::format("{}  epoch {}/{}", phase_, epoch_, epochs_);
  if (loss_) line += fmt::format("  loss {:.4f}", *loss_);
  for (const auto& reading : readings_) line += "  " + text_of(reading);
  if (epoch_ < epochs_) {
    line += fmt::format("  {} to go", duration_text(seconds_ * static_cast<double>(epochs_ - epoch_)));
  }
  line += fmt::format("  {}/epoch  {}/epoch", duration_text(seconds_), bytes_text(bytes_));
  return line;
}

}  // namespace tacit::launcher
