#include "launcher/report/utf8.h"

#include <array>

namespace tacit::launcher {

namespace {

// How many bytes a character of this first byte has; 0: none begins so.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};  // by length: shorter ones are for less
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

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t kept = 0, characters = 0, before_last = 0;
  while (kept < text.size() && characters < most) {
    before_last = kept;
    kept += first_character(text.substr(kept)).bytes;
    ++characters;
  }
  return kept == text.size() ? std::string(text) : std::string(text.substr(0, before_last)) + "…";
}

}  // namespace tacit::launcher
