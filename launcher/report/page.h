// Page — one HTML file that needs nothing else: no script, no font, no picture from elsewhere; its policy forbids a
// browser to load any.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/figure.h"
#include "launcher/report/markup.h"

namespace tacit::launcher {

class Page {
 public:
  explicit Page(const std::string& title);

  Markup& markup() { return markup_; }
  // The contents, links to all sections, follow the heading.
  void heading(const std::string& text, const std::string& under);
  void paragraph(const std::string& text, const std::string& kind = "");
  void begin_section(const std::string& title, const std::string& about = "");
  void end_section() { markup_.close(); }

  struct Fact {
    std::string name, value, more;  // "test rmse", "11.51", "11.53 on plain data"
  };
  void facts(const std::vector<Fact>& facts);

  // Cells that begin with a digit, a sign or "-" stand to the right. `words`: how many columns on the left are words.
  using Row = std::vector<std::string>;
  void table(const Row& header, const std::vector<Row>& rows, std::size_t words = 1);

  // Side by side where there is room; those without points are left out.
  void figures(const std::vector<Figure>& figures);
  // What few want to see: folded away.
  void begin_details(const std::string& summary);
  void end_details() { markup_.close(); }

  std::string take();  // the page

 private:
  std::string contents() const;

  Markup markup_;
  std::vector<std::string> sections_;  // their titles
  int figures_ = 0;
};

}  // namespace tacit::launcher
