// Page — one HTML file that works offline: page/page.html filled with text, tables and the data of figures.
//
// Text and tables are HTML, readable without scripts. Figures are JSON in the page, which page/page.js draws with
// dygraphs; each figure has its numbers as a table too. The content security policy admits the page's own style and
// scripts by their hashes, and no other resource.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/figure.h"

namespace tacit::launcher {

class Page {
 public:
  explicit Page(const std::string& title) : title_(title) {}

  // `state`: a word on how a run ended, shown as a badge; "": none.
  void heading(const std::string& text, const std::string& under, const std::string& state = "");
  void paragraph(const std::string& text, const std::string& kind = "");
  void begin_section(const std::string& title, const std::string& about = "");  // the contents link to it
  void end_section() { body_ += "</section>\n"; }

  struct Fact {
    std::string name, value, more;  // "test rmse", "11.51", "11.53 on plain data"
  };
  void facts(const std::vector<Fact>& facts, const std::string& kind = "");

  // The first `words` columns are words, and aligned left. A table without rows is left out.
  void table(const TextRow& header, const std::vector<TextRow>& rows, std::size_t words = 1);
  void figures(const std::vector<Figure>& figures);  // figures without points are left out
  void begin_details(const std::string& summary);    // folded away
  void end_details() { body_ += "</details>\n"; }

  std::string take();  // the page

 private:
  void element(const char* tag, const std::string& text, const std::string& kind = "");

  std::string title_, body_, contents_;
  int sections_ = 0;
  Json figures_ = Json::array();
};

}  // namespace tacit::launcher
