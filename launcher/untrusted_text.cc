#include "launcher/untrusted_text.h"

#include <array>

namespace tacit::launcher {

namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// The length of a character by its first byte; 0: no character begins with this byte.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

Character first_character(std::string_view text) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // by length
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(first);
  if (length == 0 || length > text.size()) return {};
  if (length == 1) return {first, 1, true};
  char32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return {};
    code = code << 6 | (next & 0x3f);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[length] || surrogate || code > 0x10ffff) return {};
  return {code, length, true};
}

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
    kept += first_character(text.substr(kept)).bytes;
    ++characters;
  }
  return kept == text.size() ? std::string(text) : std::string(text.substr(0, before_last)) + "…";
}

std::string displayable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character next = first_character(text);
    shown += next.valid && is_displayed(next.code) ? text.substr(0, next.bytes) : "\xef\xbf\xbd";
    text.remove_prefix(next.bytes);
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
