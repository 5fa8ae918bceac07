// Legend — what the lines or segments of a figure are, in rows above it.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/canvas.h"

namespace tacit::launcher {

struct LegendEntry {
  std::string name;
  std::string kind;   // of the shape, as Canvas draws it
  bool line = false;  // or a square
};

class Legend {
 public:
  Legend(std::vector<LegendEntry> entries, double width);

  double height() const { return static_cast<double>(rows_) * kRow; }
  void draw(Canvas& canvas, double left, double top) const;

 private:
  static constexpr double kRow = 18;
  struct Placed {
    LegendEntry entry;
    double x = 0;
    int row = 0;
  };
  std::vector<Placed> placed_;
  int rows_ = 0;
};

}  // namespace tacit::launcher
