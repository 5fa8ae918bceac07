#include "tests/launcher/report/well_formed.h"

#if defined(__GNUC__) && !defined(__clang__)  // GCC 12 sees uninitialised values in its own <regex> under sanitizers
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <regex>
#include <vector>

namespace tacit::launcher {

namespace {

std::string near(const std::string& xml, std::size_t at) { return " near \"" + xml.substr(at, 60) + "\""; }

bool is_text(const std::string& text) {
  static const std::regex reference("&(?!(amp|lt|gt|quot|#39);)");
  return text.find('>') == std::string::npos && !std::regex_search(text, reference);
}

}  // namespace

std::string what_is_wrong_with(const std::string& xml) {
  static const std::regex tag("<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:\\s+[a-zA-Z][a-zA-Z0-9:-]*=\"[^\"<>]*\")*)\\s*(/?)>",
                              std::regex::optimize);
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < xml.size()) {
    if (!open.empty() && (open.back() == "style" || open.back() == "script")) {  // ends with its own tag alone
      at = xml.find("</" + open.back(), at);
      if (at == std::string::npos) break;
    }
    const std::size_t next = xml.find('<', at);
    const std::string text = xml.substr(at, next == std::string::npos ? next : next - at);
    if (!is_text(text)) return "a character that is not escaped" + near(xml, at);
    if (next == std::string::npos) break;
    if (xml.compare(next, 2, "<?") == 0 || xml.compare(next, 2, "<!") == 0) {
      if (!open.empty()) return "a declaration within an element" + near(xml, next);
      at = xml.find('>', next) + 1;
      continue;
    }
    std::smatch match;
    const std::string here = xml.substr(next, xml.find('>', next) + 1 - next);
    if (!std::regex_match(here, match, tag)) return "no tag" + near(xml, next);
    if (!is_text(match[3])) return "an attribute that is not escaped" + near(xml, next);
    if (match[1] == "/") {
      if (open.empty() || open.back() != match[2]) return "an end without a beginning" + near(xml, next);
      open.pop_back();
    } else if (match[4] != "/") {
      open.push_back(match[2]);
    }
    at = next + here.size();
  }
  return open.empty() ? "" : "no end of " + open.back();
}

}  // namespace tacit::launcher
