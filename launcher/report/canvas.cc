#include "launcher/report/canvas.h"

#include <fmt/format.h>

#include "launcher/report/utf8.h"

namespace tacit::launcher {

namespace {

// Widths of DejaVu Sans, the widest that is usual, in parts of the font's size.
double width_of(char32_t c) {
  if (c >= '0' && c <= '9') return 0.64;
  if (c == 'i' || c == 'l' || c == 'j' || c == '.' || c == ',' || c == ' ' || c == ':' || c == '|') return 0.34;
  if (c == 'f' || c == 'r' || c == 't' || c == '(' || c == ')' || c == '-' || c == '/' || c == '\'') return 0.43;
  if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%' || c == '@') return 1.0;
  if (c >= 'A' && c <= 'Z') return 0.75;
  if (c == 0x202f) return 0.34;
  return c < 0x2000 ? 0.65 : 1.05;
}

std::string number(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

// Told apart by people who see colours differently (after Okabe and Ito), each at least 3:1 against the page.
constexpr const char* kLight =
    "--text:#1c1e21;--quiet:#5c6370;--grid:#e4e6ea;--frame:#9aa0aa;--page:#ffffff;--c0:#0072b2;--c1:#d55e00;"
    "--c2:#00875f;--c3:#b8578f;--c4:#a87400;--c5:#3b8fc4;--c6:#7a5c2e;--c7:#6b6f76;";
constexpr const char* kDark =
    "--text:#e6e7ea;--quiet:#a2a8b4;--grid:#2c3038;--frame:#6a707c;--page:#15171b;--c0:#4ba6e0;--c1:#ff8a4c;"
    "--c2:#2fc29a;--c3:#e58fc0;--c4:#f0b432;--c5:#8fd0f7;--c6:#cbb07a;--c7:#b4b8c0;";

}  // namespace

double text_width(std::string_view text, double size) {
  double width = 0;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    width += width_of(next.code);
    text.remove_prefix(next.bytes);
  }
  return width * size;
}

Canvas::Canvas(double width, double height, const std::string& id, const std::string& title,
               const std::string& description)
    : width_(width), height_(height) {
  markup_.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                       {"class", "figure"},
                       {"viewBox", fmt::format("0 0 {} {}", number(width), number(height))},
                       {"role", "img"},
                       {"aria-labelledby", fmt::format("{}-title {}-description", id, id)}});
  markup_.element("title", title, {{"id", id + "-title"}});
  markup_.element("desc", description, {{"id", id + "-description"}});
}

void Canvas::text(double x, double baseline, std::string_view text, Anchor anchor, const std::string& kind) {
  const double bold = kind == "title" ? 1.1 : 1.0, width = bold * text_width(text, kTextSize);
  const double left = anchor == Anchor::kStart ? x : anchor == Anchor::kEnd ? x - width : x - width / 2;
  texts_.push_back({left, baseline - 0.95 * kTextSize, left + width, baseline + 0.25 * kTextSize, std::string(text)});
  const char* anchors[] = {"start", "middle", "end"};
  markup_.element(
      "text", text,
      {{"x", number(x)}, {"y", number(baseline)}, {"class", kind}, {"text-anchor", anchors[static_cast<int>(anchor)]}});
}

void Canvas::line(double x1, double y1, double x2, double y2, const std::string& kind) {
  markup_.empty("line",
                {{"x1", number(x1)}, {"y1", number(y1)}, {"x2", number(x2)}, {"y2", number(y2)}, {"class", kind}});
}

void Canvas::rectangle(double x, double y, double width, double height, const std::string& kind) {
  markup_.empty(
      "rect",
      {{"x", number(x)}, {"y", number(y)}, {"width", number(width)}, {"height", number(height)}, {"class", kind}});
}

void Canvas::dot(double x, double y, const std::string& kind) {
  markup_.empty("circle", {{"cx", number(x)}, {"cy", number(y)}, {"r", "2.5"}, {"class", kind}});
}

void Canvas::path(const std::string& data, const std::string& kind) {
  markup_.empty("path", {{"d", data}, {"class", kind}});
}

std::string Canvas::take() { return markup_.close().take(); }

std::string figure_style(const std::string& root) {
  std::string style = fmt::format("{}{{color-scheme:light dark;{}}}\n@media (prefers-color-scheme:dark){{{}{{{}}}}}\n",
                                  root, kLight, root, kDark);
  style +=
      ".figure{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;"
      "font-variant-numeric:tabular-nums}\n"
      ".figure text{fill:var(--text)}.figure text.tick,.figure text.unit,.figure text.peak{fill:var(--quiet)}\n"
      ".figure text.title{font-weight:600}\n"
      ".grid{stroke:var(--grid)}.frame{stroke:var(--frame)}\n"
      ".curve{fill:none;stroke-width:1.75;stroke-linejoin:round;stroke-linecap:round}\n"
      ".broad{stroke-width:4;opacity:.45}.dashed{stroke-dasharray:5 4}.dotted{stroke-dasharray:.1 4}\n"
      ".band{stroke:none;opacity:.22}.band.plain{stroke:none;opacity:.12}\n"
      ".plain{stroke:var(--text);fill:var(--text)}.curve.plain{fill:none;stroke-width:1.25}\n";
  for (int colour = 0; colour < 8; ++colour) {
    style += fmt::format(".s{0}{{stroke:var(--c{0})}}.f{0}{{fill:var(--c{0})}}", colour);
  }
  return style + "\n";
}

std::string standalone(const std::string& svg) {
  const std::size_t inside = svg.find('>') + 1;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg.substr(0, inside) + "<style>" + figure_style(".figure") +
         ".figure{background:var(--page)}</style>" + svg.substr(inside) + "\n";
}

}  // namespace tacit::launcher
