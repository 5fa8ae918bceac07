#include "bench/tables/layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

std::string Layout::text() const { return fmt::format("{}x{}", parties, threads); }

Layout parse_layout(std::string_view text) {
  const std::size_t cross = text.find('x');
  const auto parties = net::parse_decimal(text.substr(0, cross), 1, kMostPartiesOfLayout);
  const auto threads = cross == std::string_view::npos
                           ? std::nullopt
                           : net::parse_decimal(text.substr(cross + 1), 1, kMostThreadsOfLayout);
  if (parties && threads) {
    const Layout layout{static_cast<int>(*parties), static_cast<int>(*threads)};
    if (layout.text() == text) return layout;
  }
  throw ConfigError(fmt::format(
      "\"{}\" is no layout: expected the number of parties, 1 to {}, and of the threads of each, 1 to {}, as 2x4",
      net::printable(text, 80), kMostPartiesOfLayout, kMostThreadsOfLayout));
}

std::vector<Layout> parse_layouts(std::string_view text) {
  std::vector<Layout> layouts;
  while (true) {
    const std::size_t comma = text.find(',');
    const Layout layout = parse_layout(text.substr(0, comma));
    if (std::find(layouts.begin(), layouts.end(), layout) != layouts.end()) {
      throw ConfigError(fmt::format("the layout {} is listed twice; name each layout once", layout.text()));
    }
    layouts.push_back(layout);
    if (comma == std::string_view::npos) return layouts;
    text.remove_prefix(comma + 1);
  }
}

std::string text_of(const std::vector<Layout>& layouts) {
  std::string all;
  for (const Layout& layout : layouts) all += (all.empty() ? "" : ",") + layout.text();
  return all;
}

}  // namespace tacit::launcher
