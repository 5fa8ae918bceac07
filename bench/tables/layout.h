// Layout — how a training in the mode "aggregate" is divided among parties, each a process, and their threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tacit::launcher {

inline constexpr int kMostPartiesOfLayout = 64, kMostThreadsOfLayout = 64;

// "2x4": two parties with four threads each. A party's threads add in the clear; the parties open one sum in each step.
struct Layout {
  int parties = 1, threads = 1;

  int workers() const { return parties * threads; }
  std::string text() const;
  bool operator==(const Layout&) const = default;
};

// Reads "2x4" as text() writes it, and nothing else. Throws ConfigError.
Layout parse_layout(std::string_view text);
// Reads "1x1,2x4", each layout once. Throws ConfigError.
std::vector<Layout> parse_layouts(std::string_view text);
std::string text_of(const std::vector<Layout>& layouts);

}  // namespace tacit::launcher
