#include "gnn/clean/table_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tacit::gnn {

namespace {

constexpr std::size_t kDigits = 16;  // of a word

// Multiplies to 128 bits and folds the halves, as wyhash does (Wang Yi).
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

constexpr std::uint64_t kFirst = 0xa0761d6478bd642fU, kSecond = 0xe7037ed1a0b428dbU, kThird = 0x8ebc6af09c88c6e3U;

std::optional<std::uint64_t> word_of(std::string_view text) {
  std::uint64_t word = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return word;
}

}  // namespace

void TablePrint::add(std::string_view line) {
  std::uint64_t hash = mixed(line.size() ^ kFirst, kSecond);
  while (!line.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min<std::size_t>(line.size(), sizeof(word));
    std::memcpy(&word, line.data(), bytes);
    hash = mixed(word ^ hash ^ kThird, hash + kSecond);
    line.remove_prefix(bytes);
  }
  low += mixed(hash ^ kFirst, kThird);
  high += mixed(hash ^ kSecond, kFirst);
}

void TablePrint::add(const TablePrint& other) {
  low += other.low;
  high += other.high;
}

std::string TablePrint::text() const { return fmt::format("{:016x}{:016x}", high, low); }

std::optional<TablePrint> TablePrint::parse(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  if (text.size() != 2 * kDigits || text.find_first_not_of(kHex) != std::string_view::npos) return std::nullopt;
  const auto high = word_of(text.substr(0, kDigits)), low = word_of(text.substr(kDigits));
  return TablePrint{*low, *high};
}

}  // namespace tacit::gnn
