#include "launcher/data/histogram.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "gnn/data/similar_name.h"

namespace tacit::launcher {

namespace {

constexpr std::array<std::string_view, 9> kAscii = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
constexpr std::array<std::string_view, 9> kBlocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

bool is_whole(double value) { return value == std::floor(value); }

}  // namespace

Histogram histogram(std::span<const double> values, int steps) {
  Histogram all;
  all.counts.assign(static_cast<std::size_t>(steps), 0);
  if (values.empty()) return all;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  all.least = *least;
  all.most = *most;
  if (all.most - all.least < steps && std::all_of(values.begin(), values.end(), is_whole)) {
    all.counts.assign(static_cast<std::size_t>(all.most - all.least) + 1, 0);
    for (const double value : values) ++all.counts[static_cast<std::size_t>(value - all.least)];
    return all;
  }
  const double span = all.most / steps - all.least / steps;  // the difference alone may overflow
  for (const double value : values) {
    const double step = span > 0 ? std::floor(value / span - all.least / span) : 0;
    ++all.counts[static_cast<std::size_t>(std::clamp(step, 0.0, static_cast<double>(steps - 1)))];
  }
  return all;
}

Letters letters_of_terminal() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = gnn::lower_case(value);
    return locale.ends_with("utf-8") || locale.ends_with("utf8") ? Letters::kBlocks : Letters::kAscii;
  }
  return Letters::kAscii;
}

std::string bars(std::span<const std::int64_t> counts, Letters letters) {
  const auto& ladder = letters == Letters::kBlocks ? kBlocks : kAscii;
  const std::int64_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
  std::string all;
  for (const std::int64_t count : counts) {
    const double height = most > 0 ? static_cast<double>(count) / static_cast<double>(most) : 0;
    all += ladder[static_cast<std::size_t>(std::ceil(height * static_cast<double>(ladder.size() - 1)))];
  }
  return all;
}

}  // namespace tacit::launcher
