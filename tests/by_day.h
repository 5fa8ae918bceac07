// of_today — a part of a test's cases, each day another one; all of them with TACIT_LONG=1 in the environment.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace tacit {

// Each `parts`-th case, beginning with one that the day (UTC) chooses. Says on stderr which part runs and how all do.
template <typename Case>
std::vector<Case> of_today(const std::vector<Case>& all, std::size_t parts) {
  const char* asked = std::getenv("TACIT_LONG");
  if (asked != nullptr && !std::string_view(asked).empty() && asked != std::string_view("0")) return all;
  const auto days = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()).time_since_epoch().count();
  const std::size_t first = static_cast<std::size_t>(days) % parts;
  std::fprintf(stderr, "by the day: part %zu of %zu of the cases; TACIT_LONG=1 runs all\n", first + 1, parts);
  std::vector<Case> chosen;
  for (std::size_t i = first; i < all.size(); i += parts) chosen.push_back(all[i]);
  return chosen;
}

}  // namespace tacit
