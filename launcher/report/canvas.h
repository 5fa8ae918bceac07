// Canvas — one SVG picture: shapes, and texts whose places are remembered, so that a test can say that none lies on
// another.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/markup.h"

namespace tacit::launcher {

// How wide a text is at most, in a sans-serif font of this size: the wider ones of those that browsers choose.
double text_width(std::string_view text, double size);

// The width of a drawing in a page and the margins around its content, in pixels.
constexpr double kDrawingWidth = 480, kDrawingLeft = 2, kDrawingRight = 16, kDrawingTop = 26;

class Canvas {
 public:
  struct Box {
    double left = 0, top = 0, right = 0, bottom = 0;
    std::string text;
  };
  enum class Anchor { kStart, kMiddle, kEnd };

  // What those hear who do not see it: a title, and what it shows in a sentence. `id` is unlike any other on the page.
  Canvas(double width, double height, const std::string& id, const std::string& title, const std::string& description);

  static constexpr double kTextSize = 12;

  void text(double x, double baseline, std::string_view text, Anchor anchor = Anchor::kStart,
            const std::string& kind = "label");
  void line(double x1, double y1, double x2, double y2, const std::string& kind);
  void rectangle(double x, double y, double width, double height, const std::string& kind);
  void dot(double x, double y, const std::string& kind);
  void path(const std::string& data, const std::string& kind);

  std::string take();  // the <svg> element
  const std::vector<Box>& texts() const { return texts_; }
  double width() const { return width_; }
  double height() const { return height_; }

 private:
  double width_, height_;
  Markup markup_;
  std::vector<Box> texts_;
};

// The style of what canvases draw, for a page; light or dark as the reader's system is.
std::string figure_style(const std::string& root);
// A picture that is a file of its own.
std::string standalone(const std::string& svg);

}  // namespace tacit::launcher
