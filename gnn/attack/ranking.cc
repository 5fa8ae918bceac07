#include "gnn/attack/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "net/error.h"

namespace tacit::gnn {

Ranking ranking_of(std::vector<double> members, std::vector<double> others) {
  if (members.empty() || others.empty()) {
    throw ConfigError(
        "an attack needs records that were trained on, and others: masks for training, and for validation or tests");
  }
  std::sort(members.begin(), members.end(), std::greater<>());
  std::sort(others.begin(), others.end(), std::greater<>());
  const auto m = static_cast<double>(members.size()), n = static_cast<double>(others.size());
  Ranking ranking;
  ranking.area = 0;
  ranking.error = std::sqrt((m + n + 1) / (12 * m * n));
  // From the highest score downwards: one step of the curve for all records with equal scores.
  std::size_t i = 0, j = 0;
  while (i < members.size() || j < others.size()) {
    const double score =
        std::max(i < members.size() ? members[i] : others[j], j < others.size() ? others[j] : members[i]);
    const std::size_t from_i = i, from_j = j;
    while (i < members.size() && members[i] == score) ++i;
    while (j < others.size() && others[j] == score) ++j;
    const double found = static_cast<double>(i) / m, before = static_cast<double>(from_i) / m;
    const double alarms = static_cast<double>(j) / n, alarms_before = static_cast<double>(from_j) / n;
    ranking.area += (alarms - alarms_before) * (found + before) / 2;
    ranking.advantage = std::max(ranking.advantage, found - alarms);
    if (alarms <= 0.01) ranking.at_percent = found;
    if (alarms <= 0.001) ranking.at_thousandth = found;
  }
  return ranking;
}

double most_found(double epsilon, double delta, double false_alarms) {
  const double up = std::exp(epsilon) * false_alarms + delta;
  const double down = 1 - std::exp(-epsilon) * (1 - delta - false_alarms);
  return std::clamp(std::min(up, down), 0.0, 1.0);
}

double largest_area(double epsilon, double delta) {
  if (!std::isfinite(epsilon)) return 1;
  // Two straight lines, which meet at f = (1 - delta) / (1 + e^epsilon); then 1 from f = 1 - delta on.
  const double meet = (1 - delta) / (1 + std::exp(epsilon)), end = 1 - delta;
  const double at_meet = most_found(epsilon, delta, meet);
  return meet * (delta + at_meet) / 2 + (end - meet) * (at_meet + 1) / 2 + delta;
}

}  // namespace tacit::gnn
