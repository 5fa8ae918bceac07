#include "net/printable.h"

#include <fmt/format.h>

namespace tacit::net {

namespace {

constexpr std::string_view kCut = "...";

}  // namespace

std::string printable(std::string_view text, std::int64_t most) {
  const auto limit = static_cast<std::size_t>(most);
  std::string safe;
  std::size_t cut_at = 0;  // the position of a possible cut, never inside an escape
  for (const char c : text) {
    if (safe.size() + kCut.size() <= limit) cut_at = safe.size();
    if (c >= ' ' && c <= '~') {
      safe += c;
    } else {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    if (safe.size() > limit) return safe.substr(0, cut_at).append(kCut.substr(0, limit - cut_at));
  }
  return safe;
}

}  // namespace tacit::net
