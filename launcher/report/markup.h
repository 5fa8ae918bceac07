// Markup — HTML or SVG as it is written. Text and the values of attributes are escaped here, so that nothing which
// comes from a file becomes a tag; what is written is well-formed XML, and HTML too.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tacit::launcher {

class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

  Markup& open(std::string_view tag, Attributes attributes = {});
  Markup& close();  // the innermost that is open
  Markup& empty(std::string_view tag, Attributes attributes = {});
  Markup& text(std::string_view text);
  Markup& element(std::string_view tag, std::string_view text, Attributes attributes = {}) {
    return open(tag, attributes).text(text).close();
  }
  Markup& literal(std::string_view markup);  // of this program's own making: never from a file

  std::string take();  // all that was opened is closed

 private:
  void begin(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string> open_;
};

// For text and attributes alike. What XML does not allow, what is no UTF-8, and what turns the direction of writing
// becomes U+FFFD.
std::string escaped(std::string_view text);

}  // namespace tacit::launcher
