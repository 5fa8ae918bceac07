// Figure — numbers to draw. The page embeds them as JSON and writes them as a table; --figures writes them as CSV.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "launcher/json.h"
#include "launcher/report/cell_figure.h"
#include "launcher/report/quantity.h"

namespace tacit::launcher {

struct Point {
  double x = 0, y = 0;
};

inline constexpr int kPlainColour = -1;  // the training on plain data, for comparison

struct Series {
  enum class Stroke { kSolid, kDashed, kDotted };
  std::string name;
  std::vector<Point> points;  // by rising x
  int colour = 0;             // an index into the page's palette, or kPlainColour
  Stroke stroke = Stroke::kSolid;
  std::vector<double> deviation = {};  // half the height of a band around each point; empty: no band
};

// Lines over epochs, or over another quantity.
struct LineFigure {
  // kLogarithmic needs positive values that span a decade; otherwise the scale fits the values.
  enum class Scale { kFromZero, kFitting, kLogarithmic };
  std::string name;   // the name of the file: "loss"
  std::string title;  // "Training loss"
  Quantity quantity = Quantity::kNumber;
  Scale scale = Scale::kFitting;
  std::vector<Series> series;
  std::string across = "epoch";  // the name of x
  bool logarithmic_across = false;
  struct Mark {
    double x = 0;
    std::string text;
  };
  std::vector<Mark> marks = {};  // upright lines
};

// A bar for each name, of segments side by side.
struct BarFigure {
  struct Bar {
    std::string name;
    std::vector<double> values;  // one for each kind
  };
  std::string name, title;
  Quantity quantity = Quantity::kNumber;
  std::vector<std::string> kinds;
  std::vector<Bar> bars;
  bool logarithmic = false;  // one kind, all values positive
};

using Figure = std::variant<LineFigure, BarFigure, CellFigure>;
using TextRow = std::vector<std::string>;

std::optional<double> median(std::vector<double> values);  // nullopt without values

const std::string& name_of(const Figure& figure);
const std::string& title_of(const Figure& figure);
bool is_empty(const Figure& figure);

// Long lines become buckets of epochs with the median, the minimum and the maximum of each.
inline constexpr std::size_t kMostPlaces = 2000;  // on the horizontal axis, without buckets
inline constexpr std::size_t kBuckets = 1000;

// The data of the page's script.
Json page_json(const Figure& figure);
// All numbers, for programs.
Json json_of(const Figure& figure);
std::string csv_of(const Figure& figure);
// For readers without scripts: a header and rows, texts with units. Long lines are summarised.
std::vector<TextRow> table_of(const Figure& figure);

// Some epochs cost many times more than others, for example the first. The scale ends below such peaks, and a
// sentence states the highest. nullopt if no peak would flatten the rest.
struct Peak {
  double top = 0;  // the upper end of the scale
  std::string sentence;
};
std::optional<Peak> peak_of(const LineFigure& figure);

}  // namespace tacit::launcher
