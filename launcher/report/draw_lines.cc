#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "launcher/report/axis.h"
#include "launcher/report/draw.h"
#include "launcher/report/legend.h"
#include "launcher/report/thin.h"

namespace tacit::launcher {

namespace {

constexpr double kPlot = 190, kBelowPlot = 40;
constexpr std::size_t kMostDots = 24;     // longer lines need none
constexpr std::size_t kMostPoints = 400;  // of a line that is drawn point by point
constexpr std::size_t kBands = 100;       // of a longer one
constexpr double kPeakRow = 16;           // above the plot, for words that would hide lines in it
constexpr std::size_t kFewPoints = 50;
constexpr double kPeak = 2.5;  // times what 98 of 100 points stay below

struct Extent {
  double least = 0, most = 0;
  bool any = false;

  void take(double value) {
    least = any ? std::min(least, value) : value;
    most = any ? std::max(most, value) : value;
    any = true;
  }
};

std::string class_of(const Series& series, bool fill = false) {
  if (series.colour == kPlain) return "plain";
  return fmt::format("{}{}", fill ? 'f' : 's', series.colour % kColours);
}

std::string curve_class(const Series& series, bool under) {
  std::string kind = "curve " + class_of(series);
  if (under) kind += " broad";
  if (series.stroke == Series::Stroke::kDashed) kind += " dashed";
  if (series.stroke == Series::Stroke::kDotted) kind += " dotted";
  return kind;
}

class LineDrawing {
 public:
  explicit LineDrawing(const LineFigure& figure)
      : figure_(figure), legend_(entries(), kDrawingWidth - kDrawingLeft - kDrawingRight) {
    for (const Series& series : figure.series) {
      for (const Point& point : series.points) {
        x_.take(point.x);
        y_.take(point.y);
      }
    }
    if (figure.scale == LineFigure::Scale::kFromZero) leave_out_peaks();
    unit_ = unit_for(figure.quantity, std::max(std::abs(y_.least), std::abs(y_.most)));
    across_ = figure.logarithmic_across && x_.any && x_.least > 0 ? logarithmic_axis(x_.least, x_.most, 6)
                                                                  : counting_axis(x_.least, x_.most, 6);
    up_ = vertical();
    double widest = 0;
    for (const Tick& tick : up_.ticks) widest = std::max(widest, text_width(tick.label, Canvas::kTextSize));
    left_ = std::max(40.0, widest + 14);
    top_ = kDrawingTop + legend_.height() + 22 + (peak_ ? kPeakRow : 0);
  }

  Canvas draw(const std::string& id) const {
    Canvas canvas(kDrawingWidth, top_ + kPlot + kBelowPlot, id, figure_.title, description());
    canvas.text(kDrawingLeft, 17, figure_.title, Canvas::Anchor::kStart, "title");
    legend_.draw(canvas, kDrawingLeft, kDrawingTop);
    if (!x_.any) {
      canvas.text(kDrawingWidth / 2, top_ + kPlot / 2, "nothing has told of this", Canvas::Anchor::kMiddle, "unit");
      return canvas;
    }
    draw_axes(canvas);
    for (const Series& series : figure_.series) draw_series(canvas, series);
    if (peak_) draw_peak(canvas);
    return canvas;
  }

 private:
  // A few epochs that cost many times what the others do, as the first, would flatten all else: their lines leave the
  // figure at its top, and the highest is told in words.
  void leave_out_peaks() {
    std::vector<double> values;
    for (const Series& series : figure_.series) {
      for (const Point& point : series.points) values.push_back(point.y);
    }
    if (values.size() < kFewPoints) return;
    const auto most_of_all = values.begin() + static_cast<std::ptrdiff_t>(values.size() - values.size() / 50 - 1);
    std::nth_element(values.begin(), most_of_all, values.end());
    if (y_.most <= kPeak * *most_of_all || *most_of_all <= 0) return;
    for (const Series& series : figure_.series) {
      for (const Point& point : series.points) {
        if (point.y == y_.most && !peak_) peak_ = point;
      }
    }
    y_.most = 1.3 * *most_of_all;
  }

  // Above the plot, over the place where the highest line leaves it.
  void draw_peak(Canvas& canvas) const {
    const std::string text = fmt::format("{} {}", text_of(figure_.quantity, peak_->y), place(peak_->x));
    const double width = text_width(text, Canvas::kTextSize), x = x_of(peak_->x);
    const double begin = std::clamp(x - width / 2, left_, std::max(left_, kDrawingWidth - kDrawingRight - width));
    canvas.text(begin, top_ - 9, text, Canvas::Anchor::kStart, "peak");
    canvas.line(x, top_ - 5, x, top_, "frame");
  }

  bool beside_plain() const {
    return std::any_of(figure_.series.begin(), figure_.series.end(),
                       [](const Series& series) { return series.colour == kPlain; });
  }

  // What lies under the twin's line is broader, so that both are seen where they are the same.
  bool under(const Series& series) const { return series.colour != kPlain && beside_plain(); }

  std::vector<LegendEntry> entries() const {
    std::vector<LegendEntry> entries;
    for (const Series& series : figure_.series) {
      if (series.colour != kPlain) entries.push_back({series.name, curve_class(series, under(series)), true});
    }
    const auto plain = std::find_if(figure_.series.begin(), figure_.series.end(),
                                    [](const Series& series) { return series.colour == kPlain; });
    if (plain != figure_.series.end()) entries.push_back({"on plain data", curve_class(*plain, false), true});
    return entries;
  }

  Axis vertical() const {
    const double least = y_.least / unit_.size, most = y_.most / unit_.size;
    if (figure_.scale == LineFigure::Scale::kLogarithmic && least > 0 && most >= 8 * least) {
      return logarithmic_axis(least, most, 6);
    }
    return linear_axis(figure_.scale == LineFigure::Scale::kFromZero ? std::min(0.0, least) : least, most, 5);
  }

  double x_of(double x) const { return left_ + across_.at(x) * (kDrawingWidth - kDrawingRight - left_); }
  double y_of(double y) const { return top_ + (1 - std::min(1.0, up_.at(y / unit_.size))) * kPlot; }

  void draw_axes(Canvas& canvas) const {
    std::string unit = unit_.name;
    if (up_.logarithmic) unit += unit.empty() ? "logarithmic scale" : ", logarithmic scale";
    const double above = top_ - 11 - (peak_ ? kPeakRow : 0);
    if (!unit.empty()) canvas.text(kDrawingLeft, above, unit, Canvas::Anchor::kStart, "unit");
    for (const Tick& tick : up_.ticks) {
      const double y = top_ + (1 - up_.at(tick.value)) * kPlot;
      canvas.line(left_, y, kDrawingWidth - kDrawingRight, y, "grid");
      canvas.text(left_ - 7, y + 4, tick.label, Canvas::Anchor::kEnd, "tick");
    }
    canvas.line(left_, top_ + kPlot, kDrawingWidth - kDrawingRight, top_ + kPlot, "frame");
    for (const Tick& tick : across_.ticks) {
      const double x = x_of(tick.value), half = text_width(tick.label, Canvas::kTextSize) / 2;
      canvas.line(x, top_ + kPlot, x, top_ + kPlot + 4, "frame");
      canvas.text(std::min(x, kDrawingWidth - 1 - half), top_ + kPlot + 18, tick.label, Canvas::Anchor::kMiddle,
                  "tick");
    }
    canvas.text((left_ + kDrawingWidth - kDrawingRight) / 2, top_ + kPlot + 34, across(), Canvas::Anchor::kMiddle,
                "unit");
  }

  std::string path_of(const std::vector<Point>& points) const {
    std::string data;
    for (const Point& point : points) {
      data += fmt::format("{}{:.1f} {:.1f}", data.empty() ? "M" : "L", x_of(point.x), y_of(point.y));
    }
    return data;
  }

  void draw_series(Canvas& canvas, const Series& series) const {
    if (series.points.size() > kMostPoints) return draw_bands(canvas, series);
    if (series.points.size() > 1) canvas.path(path_of(series.points), curve_class(series, under(series)));
    if (series.points.size() > kMostDots) return;
    for (const Point& point : series.points) canvas.dot(x_of(point.x), y_of(point.y), class_of(series, true));
  }

  // The median of some epochs together, in a band from the least to the most of them.
  void draw_bands(Canvas& canvas, const Series& series) const {
    const Bands bands = in_bands(series.points, kBands);
    std::vector<Point> around = bands.most;
    around.insert(around.end(), bands.least.rbegin(), bands.least.rend());
    canvas.path(path_of(around) + "Z", "band " + class_of(series, true));
    canvas.path(path_of(bands.median), curve_class(series, under(series)));
  }

  // The label of the x axis, and the sentence on lines that show several points as one.
  std::string across() const {
    std::size_t together = 1;
    for (const Series& series : figure_.series) {
      if (series.points.size() > kMostPoints) together = std::max(together, in_bands(series.points, kBands).together);
    }
    return together == 1 ? figure_.across
                         : fmt::format("{} (median of {}, shaded: least to most)", figure_.across, together);
  }

  std::string place(double x) const {
    return figure_.across == "epoch" ? fmt::format("in epoch {:.0f}", x) : fmt::format("at {:g} {}", x, figure_.across);
  }

  std::string description() const {
    std::string text;
    for (const Series& series : figure_.series) {
      if (series.points.empty()) continue;
      const Point &first = series.points.front(), &last = series.points.back();
      text += fmt::format("{}{}: ", text.empty() ? "" : "; ", series.name);
      text += fmt::format("{} {}", text_of(figure_.quantity, first.y), place(first.x));
      if (series.points.size() > 1) text += fmt::format(", {} {}", text_of(figure_.quantity, last.y), place(last.x));
    }
    return text.empty() ? "nothing yet" : text;
  }

  const LineFigure& figure_;
  const Legend legend_;
  Extent x_, y_;
  std::optional<Point> peak_;  // that is out of the figure
  Unit unit_;
  Axis across_, up_;
  double left_ = 0, top_ = 0;
};

}  // namespace

Canvas draw(const LineFigure& figure, const std::string& id) { return LineDrawing(figure).draw(id); }

}  // namespace tacit::launcher
