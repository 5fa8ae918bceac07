// chosen — the works of a benchmark that --only names: by a work's whole name, or by words in names.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "net/error.h"

namespace tacit::bench {

// All works without words. A word that is a work's name chooses this work alone; another word chooses every work with the
// word in its name. A word that chooses no work is a ConfigError, which lists the names. `Work` has a `name`.
template <typename Work>
std::vector<Work> chosen(std::vector<Work> works, const std::vector<std::string>& only) {
  if (only.empty()) return works;
  std::vector<bool> wanted(works.size());
  for (const std::string& word : only) {
    const bool whole = std::any_of(works.begin(), works.end(), [&](const Work& work) { return work.name == word; });
    bool any = false;
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (whole ? works[i].name != word : works[i].name.find(word) == std::string::npos) continue;
      wanted[i] = any = true;
    }
    if (any) continue;
    std::string names;
    for (const Work& work : works) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", work.name);
    throw ConfigError(fmt::format("--only: no work has \"{}\" in its name; expected words of {}", word, names));
  }
  std::vector<Work> found;
  for (std::size_t i = 0; i < works.size(); ++i) {
    if (wanted[i]) found.push_back(std::move(works[i]));
  }
  return found;
}

}  // namespace tacit::bench
