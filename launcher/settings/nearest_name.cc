#include "launcher/settings/nearest_name.h"

#include "gnn/data/similar_name.h"

namespace tacit::launcher {

namespace {

constexpr std::size_t kShortest = 3;
constexpr std::size_t kLongest = 200;  // in characters; the time grows with the length

bool is_one_slip(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  const bool swapped = a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
  return swapped || (a.size() <= 1 && b.size() <= 1);
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
  if (name.size() > kLongest) return "";
  if (const std::string_view similar = gnn::similar_name(name, known); !similar.empty()) return similar;
  for (const std::string_view one : known) {
    if (one.size() >= kShortest && one != name && is_one_slip(name, one)) return one;
  }
  return "";
}

}  // namespace tacit::launcher
