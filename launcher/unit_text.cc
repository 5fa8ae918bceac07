#include "launcher/unit_text.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::launcher {

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
  if (bytes < 1e12) return fmt::format("{:.2f} GB", bytes / 1e9);
  return fmt::format("{:.2f} TB", bytes / 1e12);
}

std::string figure_text(double figure) {
  constexpr double kSmall = 1e-3, kLarge = 1e9;
  const double size = std::abs(figure);
  const bool usual = figure == 0 || (size >= kSmall && size < kLarge);
  return usual ? fmt::format("{:.4f}", figure) : fmt::format("{:.4g}", figure);
}

}  // namespace tacit::launcher
