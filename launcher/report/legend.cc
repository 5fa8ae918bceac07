#include "launcher/report/legend.h"

#include <algorithm>

#include "launcher/report/utf8.h"

namespace tacit::launcher {

namespace {

constexpr double kMark = 18, kGap = 6, kBetween = 18;
constexpr std::size_t kMostCharacters = 36;

}  // namespace

Legend::Legend(std::vector<LegendEntry> entries, double width) {
  double x = 0;
  for (LegendEntry& entry : entries) {
    entry.name = shortened(entry.name, kMostCharacters);
    const double its = kMark + kGap + text_width(entry.name, Canvas::kTextSize);
    if (rows_ == 0) rows_ = 1;
    if (x > 0 && x + its > width) {
      x = 0;
      ++rows_;
    }
    placed_.push_back({std::move(entry), x, rows_ - 1});
    x += its + kBetween;
  }
}

void Legend::draw(Canvas& canvas, double left, double top) const {
  for (const Placed& one : placed_) {
    const double x = left + one.x, baseline = top + one.row * kRow + 13;
    if (one.entry.line) {
      canvas.line(x, baseline - 4, x + kMark, baseline - 4, one.entry.kind);
    } else {
      canvas.rectangle(x, baseline - 9, 10, 10, one.entry.kind);
    }
    canvas.text(x + (one.entry.line ? kMark : 10) + kGap, baseline, one.entry.name);
  }
}

}  // namespace tacit::launcher
