#include "net/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "net/utf8.h"

namespace tacit::net {

namespace {

constexpr std::string_view kCut = "...";

struct Codes {
  char32_t first, last;
};

template <std::size_t kCount>
bool is_in(char32_t code, const std::array<Codes, kCount>& ascending) {
  const auto after = std::upper_bound(ascending.begin(), ascending.end(), code,
                                      [](char32_t one, const Codes& codes) { return one < codes.first; });
  return after != ascending.begin() && code <= std::prev(after)->last;
}

// Controls, spaces that look like a plain one, characters without a form of their own, marks of direction, private use, and
// codes that are no characters.
constexpr std::array kHidden = {
    Codes{0x0, 0x1f},        Codes{0x7f, 0xa0},       Codes{0xad, 0xad},       Codes{0x34f, 0x34f},
    Codes{0x61c, 0x61c},     Codes{0x115f, 0x1160},   Codes{0x1680, 0x1680},   Codes{0x17b4, 0x17b5},
    Codes{0x180b, 0x180f},   Codes{0x2000, 0x200f},   Codes{0x2028, 0x202f},   Codes{0x205f, 0x206f},
    Codes{0x2800, 0x2800},   Codes{0x3164, 0x3164},   Codes{0xe000, 0xf8ff},   Codes{0xfdd0, 0xfdef},
    Codes{0xfe00, 0xfe0f},   Codes{0xfeff, 0xfeff},   Codes{0xffa0, 0xffa0},   Codes{0xfff0, 0xfffb},
    Codes{0x1bca0, 0x1bca3}, Codes{0x1d173, 0x1d17a}, Codes{0xe0000, 0xe0fff}, Codes{0xf0000, 0x10ffff}};

// Accents that stand over or under the character before them.
constexpr std::array kAccents = {Codes{0x300, 0x36f},   Codes{0x483, 0x489},   Codes{0x1ab0, 0x1aff},
                                 Codes{0x1dc0, 0x1dff}, Codes{0x20d0, 0x20ff}, Codes{0xfe20, 0xfe2f}};

constexpr std::array kWide = {Codes{0x1100, 0x115f},   Codes{0x2e80, 0x303e},   Codes{0x3041, 0xa4cf},
                              Codes{0xac00, 0xd7a3},   Codes{0xf900, 0xfaff},   Codes{0xfe30, 0xfe6f},
                              Codes{0xff00, 0xff60},   Codes{0xffe0, 0xffe6},   Codes{0x1f300, 0x1f64f},
                              Codes{0x1f680, 0x1f6ff}, Codes{0x1f900, 0x1f9ff}, Codes{0x20000, 0x3fffd}};

constexpr int kMostAccents = 2;  // on one character; more of them would run into the lines above and below

bool is_shown(char32_t code) { return !is_in(code, kHidden) && (code & 0xfffe) != 0xfffe; }

}  // namespace

std::string printable(std::string_view text, std::int64_t most) {
  const auto limit = static_cast<std::size_t>(most);
  std::string safe;
  std::size_t cut_at = 0;      // the position of a possible cut, never inside an escape or a character
  int accents = kMostAccents;  // on the character before; no text begins with an accent
  while (!text.empty()) {
    if (safe.size() + kCut.size() <= limit) cut_at = safe.size();
    const Utf8Character next = first_character(text);
    accents = next.bytes > 0 && is_in(next.code, kAccents) ? accents + 1 : 0;
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(next.bytes, 1));
    if (next.bytes > 0 && is_shown(next.code) && accents <= kMostAccents) {
      safe += bytes;
    } else {
      for (const char c : bytes) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    if (safe.size() > limit) return safe.substr(0, cut_at).append(kCut.substr(0, limit - cut_at));
    text.remove_prefix(bytes.size());
  }
  return safe;
}

std::int64_t columns_of(std::string_view text) {
  std::int64_t columns = 0;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    columns += next.bytes == 0 || !is_in(next.code, kAccents) ? 1 : 0;
    columns += next.bytes > 0 && is_in(next.code, kWide) ? 1 : 0;
    text.remove_prefix(std::max<std::size_t>(next.bytes, 1));
  }
  return columns;
}

}  // namespace tacit::net
