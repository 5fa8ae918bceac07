#include "launcher/untrusted_text.h"

#include <algorithm>

#include "net/utf8.h"

namespace tacit::launcher {

namespace {

// Another text than UTF-8 has characters of one byte.
std::size_t bytes_of(const net::Utf8Character& character) { return std::max<std::size_t>(character.bytes, 1); }

bool is_displayed(char32_t c) {
  if (c == '\t' || c == '\n') return true;
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return false;
  if ((c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e)) return false;
  return !(c >= 0x2066 && c <= 0x2069) && c != 0xfffe && c != 0xffff;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t kept = 0, characters = 0, before_last = 0;
  while (kept < text.size() && characters < most) {
    before_last = kept;
    kept += bytes_of(net::first_character(text.substr(kept)));
    ++characters;
  }
  return kept == text.size() ? std::string(text) : std::string(text.substr(0, before_last)) + "…";
}

std::string displayable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const net::Utf8Character next = net::first_character(text);
    shown += next.bytes > 0 && is_displayed(next.code) ? text.substr(0, next.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(bytes_of(next));
  }
  return shown;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : displayable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string script_json(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  }
  return text;
}

}  // namespace tacit::launcher
