#include "gnn/data/similar_name.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace tacit::gnn {

namespace {

constexpr std::size_t kMostEdits = 2;
constexpr std::size_t kLongEnough = 6;  // shortest name that is recognised with two edits

// Levenshtein's distance: the number of insertions, deletions and substitutions.
std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, exchanged});
    }
  }
  return row.back();
}

}  // namespace

std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string_view similar_name(std::string_view name, std::span<const std::string_view> known) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return "";
  const std::string lowered = lower_case(name);
  for (const std::string_view candidate : known) {
    if (lowered == candidate) return candidate;
    if (candidate.size() < kLongEnough || lowered.size() > candidate.size() + kMostEdits) continue;
    if (edits_between(lowered, candidate) <= kMostEdits) return candidate;
  }
  return "";
}

}  // namespace tacit::gnn
