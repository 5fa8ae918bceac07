#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "launcher/report/axis.h"
#include "launcher/report/draw.h"
#include "launcher/report/legend.h"
#include "launcher/report/utf8.h"

namespace tacit::launcher {

namespace {

constexpr double kRow = 24, kBar = 15, kBelowBars = 26;
constexpr std::size_t kMostOfName = 34;

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

class BarDrawing {
 public:
  explicit BarDrawing(const BarFigure& figure)
      : figure_(figure), legend_(entries(), kDrawingWidth - kDrawingLeft - kDrawingRight) {
    double most = 0, least = 0, widest = 0, widest_value = 0;
    for (const BarFigure::Bar& bar : figure.bars) {
      most = std::max(most, sum(bar.values));
      least = &bar == &figure.bars.front() ? sum(bar.values) : std::min(least, sum(bar.values));
      widest = std::max(widest, text_width(name_of(bar), Canvas::kTextSize));
      widest_value = std::max(widest_value, text_width(text_of(figure.quantity, sum(bar.values)), Canvas::kTextSize));
    }
    unit_ = unit_for(figure.quantity, most);
    constexpr double kDecade = 10;
    const bool powers = figure.logarithmic && figure.kinds.size() == 1 && least > 0 && most >= kDecade * least;
    // The shortest bar is still one: the axis begins below it.
    axis_ = powers ? logarithmic_axis(least / kDecade / unit_.size, most / unit_.size, 5)
                   : linear_axis(0, most / unit_.size, 5);
    left_ = kDrawingLeft + widest + 8;
    right_ = kDrawingWidth - kDrawingRight - widest_value - 6;
    top_ = kDrawingTop + legend_.height() + 6;
  }

  Canvas draw(const std::string& id) const {
    const double plot = kRow * static_cast<double>(std::max<std::size_t>(1, figure_.bars.size()));
    Canvas canvas(kDrawingWidth, top_ + plot + kBelowBars, id, figure_.title, description());
    canvas.text(kDrawingLeft, 17, figure_.title, Canvas::Anchor::kStart, "title");
    legend_.draw(canvas, kDrawingLeft, kDrawingTop);
    if (is_empty(figure_)) {
      canvas.text(kDrawingWidth / 2, top_ + plot / 2 + 4, "nothing to show yet", Canvas::Anchor::kMiddle, "unit");
      return canvas;
    }
    draw_axis(canvas, plot);
    for (std::size_t i = 0; i < figure_.bars.size(); ++i) {
      draw_bar(canvas, figure_.bars[i], top_ + kRow * static_cast<double>(i));
    }
    return canvas;
  }

 private:
  static std::string name_of(const BarFigure::Bar& bar) { return shortened(bar.name, kMostOfName); }
  static std::string kind_of(std::size_t segment) { return fmt::format("f{}", segment % kColours); }

  std::vector<LegendEntry> entries() const {
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; figure_.kinds.size() > 1 && i < figure_.kinds.size(); ++i) {
      entries.push_back({figure_.kinds[i], kind_of(i), false});
    }
    return entries;
  }

  void draw_axis(Canvas& canvas, double plot) const {
    double free_from = 0;
    for (const Tick& tick : axis_.ticks) {
      const double x = x_of(tick.value);
      canvas.line(x, top_, x, top_ + plot, "grid");
      const bool last = &tick == &axis_.ticks.back() && !unit_.name.empty();
      const std::string label = last ? fmt::format("{} {}", tick.label, unit_.name) : tick.label;
      const double half = text_width(label, Canvas::kTextSize) / 2;
      if (x - half < free_from) continue;
      canvas.text(x, top_ + plot + 16, label, Canvas::Anchor::kMiddle, "tick");
      free_from = x + half + 6;
    }
  }

  void draw_bar(Canvas& canvas, const BarFigure::Bar& bar, double top) const {
    const double baseline = top + kRow / 2 + 4;
    canvas.text(left_ - 8, baseline, name_of(bar), Canvas::Anchor::kEnd);
    double so_far = 0;
    for (std::size_t i = 0; i < bar.values.size(); ++i) {
      const double from = x_of(so_far / unit_.size);
      so_far += bar.values[i];
      const double width = x_of(so_far / unit_.size) - from;
      if (width > 0) canvas.rectangle(from, top + (kRow - kBar) / 2, width, kBar, kind_of(i));
    }
    canvas.text(x_of(so_far / unit_.size) + 6, baseline, text_of(figure_.quantity, so_far), Canvas::Anchor::kStart,
                "tick");
  }

  double x_of(double value) const { return left_ + axis_.at(std::max(value, axis_.low)) * (right_ - left_); }

  std::string description() const {
    std::string text;
    for (const BarFigure::Bar& bar : figure_.bars) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", bar.name, text_of(figure_.quantity, sum(bar.values)));
    }
    return text.empty() ? "nothing yet" : text;
  }

  const BarFigure& figure_;
  const Legend legend_;
  Unit unit_;
  Axis axis_;
  double left_ = 0, right_ = 0, top_ = 0;
};

}  // namespace

Canvas draw(const BarFigure& figure, const std::string& id) { return BarDrawing(figure).draw(id); }

}  // namespace tacit::launcher
