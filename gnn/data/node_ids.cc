#include "gnn/data/node_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "net/error.h"
#include "net/printable.h"
#include "net/utf8.h"

namespace tacit::gnn {

namespace {

bool is_space(char32_t code) { return code == ' ' || code == '\t' || code == 0xa0 || code == 0x3000; }
bool is_control(char32_t code) { return (code < ' ' && code != '\t') || (code >= 0x7f && code < 0xa0); }
bool is_mark(char32_t code) { return (code >= 0x300 && code <= 0x36f) || (code >= 0x1100 && code <= 0x11ff); }

// The reason why `id` is invalid; "" for a valid id.
std::string_view wrong_in(std::string_view id) {
  if (id.size() > kMostIdBytes) return "it is longer than 256 bytes";
  bool empty = true;
  while (!id.empty()) {
    const net::Utf8Character next = net::first_character(id);
    if (next.bytes == 0) return "it is not UTF-8";
    if (is_control(next.code)) return "it has a control character";
    if (is_mark(next.code)) {
      return "it has a combining mark; write it in the composed form, unicodedata.normalize('NFC', id)";
    }
    empty = empty && is_space(next.code);
    id.remove_prefix(next.bytes);
  }
  return empty ? "it is empty" : "";
}

}  // namespace

bool is_id(std::string_view id) { return wrong_in(id).empty(); }

std::string normalised_id(std::string_view id) {
  std::string normalised;
  bool space = false;  // a space precedes the next character
  while (!id.empty()) {
    const net::Utf8Character next = net::first_character(id);
    TACIT_CHECK(next.bytes > 0);
    if (is_space(next.code)) {
      space = !normalised.empty();
    } else {
      if (space) normalised.push_back(' ');
      space = false;
      if (next.code >= 'A' && next.code <= 'Z') {
        normalised.push_back(static_cast<char>(next.code - 'A' + 'a'));
      } else {
        normalised.append(id.substr(0, next.bytes));
      }
    }
    id.remove_prefix(next.bytes);
  }
  return normalised;
}

std::vector<std::string> normalised_ids(std::span<const std::string> ids) {
  std::vector<std::string> all;
  all.reserve(ids.size());
  for (const std::string& id : ids) all.push_back(normalised_id(id));
  return all;
}

void check_ids(std::span<const std::string> ids, std::string_view where) {
  for (std::size_t row = 0; row < ids.size(); ++row) {
    const std::string_view what = wrong_in(ids[row]);
    if (what.empty()) continue;
    throw ConfigError(fmt::format("{}: ids: row {}: {}", where, row, what),
                      fmt::format("the id is \"{}\"", net::printable(ids[row], 80)));
  }
  const std::vector<std::string> normalised = normalised_ids(ids);
  std::vector<std::size_t> order(ids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return normalised[a] != normalised[b] ? normalised[a] < normalised[b] : a < b;
  });
  const auto twice = std::adjacent_find(order.begin(), order.end(),
                                        [&](std::size_t a, std::size_t b) { return normalised[a] == normalised[b]; });
  if (twice == order.end()) return;
  throw ConfigError(fmt::format("{}: ids: rows {} and {} have the same id, apart from spaces and case; every node has "
                                "one of its own: mend the file, or leave one of the rows out",
                                where, *twice, *std::next(twice)),
                    fmt::format("the id is \"{}\"", net::printable(ids[*twice], 80)));
}

mpc::Digest digest_of_ids(std::span<const std::string> ids) {
  std::string all;
  for (const std::string& id : ids) {
    all += normalised_id(id);
    all += '\n';  // separates ids, which have no line end
  }
  return mpc::digest_of(std::as_bytes(std::span(all)));
}

}  // namespace tacit::gnn
