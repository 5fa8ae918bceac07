// Figure — what is to be drawn, as numbers: the page draws it, files hold it as SVG, and --json tells it.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/json.h"
#include "launcher/report/quantity.h"

namespace tacit::launcher {

struct Point {
  double x = 0, y = 0;
};

struct Series {
  enum class Stroke { kSolid, kDashed, kDotted };
  std::string name;
  std::vector<Point> points;  // by rising x
  int colour = 0;             // of kColours; kPlain: what runs on shares are measured by
  Stroke stroke = Stroke::kSolid;
};

// Lines over epochs, or over something else.
struct LineFigure {
  enum class Scale { kFromZero, kFitting, kLogarithmic };  // the last where all is above zero and spans a decade
  std::string name;                                        // of its file and in JSON: "loss"
  std::string title;                                       // "Training loss"
  Quantity quantity = Quantity::kNumber;
  Scale scale = Scale::kFitting;
  std::vector<Series> series;
  std::string across = "epoch";  // what x counts
  bool logarithmic_across = false;
};

// A bar for each name, of segments one after the other.
struct BarFigure {
  struct Bar {
    std::string name;
    std::vector<double> values;  // as many as kinds
  };
  std::string name, title;
  Quantity quantity = Quantity::kNumber;
  std::vector<std::string> kinds;
  std::vector<Bar> bars;
  bool logarithmic = false;  // of one kind, all above zero
};

using Figure = std::variant<LineFigure, BarFigure>;

inline constexpr int kColours = 8;
inline constexpr int kPlain = -1;

const std::string& name_of(const Figure& figure);
bool is_empty(const Figure& figure);  // there is nothing to draw
Json json_of(const Figure& figure);

// Lines that are the same point by point become one: three ranks that send the same are drawn as "ranks 0, 1, 2".
// `name` makes the common name of those that had these.
std::vector<Series> merged(std::vector<Series> series, std::string (*name)(const std::vector<std::string>& names));

}  // namespace tacit::launcher
