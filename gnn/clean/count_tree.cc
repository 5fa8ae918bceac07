#include "gnn/clean/count_tree.h"

#include <algorithm>
#include <cmath>

#include "net/error.h"

namespace tacit::gnn {

namespace {

constexpr std::size_t kMembers = 8;

// The members of a group, as indices of the level below.
struct Members {
  std::size_t begin, end;
};

Members members_of(std::size_t group, std::size_t below) {
  return {group * kMembers, std::min((group + 1) * kMembers, below)};
}

struct Estimate {
  double count = 0, variance = 1;
};

}  // namespace

bool has_count_tree(const CleaningColumn& column, std::size_t bins) {
  return column.repair == CleaningColumn::Repair::kMedian && column.codes.empty() && bins > kMembers;
}

std::vector<std::size_t> levels_of_tree(std::size_t bins) {
  std::vector<std::size_t> levels{bins};
  while (levels.back() > kMembers) levels.push_back((levels.back() + kMembers - 1) / kMembers);
  return levels;
}

std::vector<std::int64_t> counts_of_groups(std::span<const std::int64_t> bins) {
  std::vector<std::int64_t> groups, below(bins.begin(), bins.end());
  while (below.size() > kMembers) {
    std::vector<std::int64_t> level((below.size() + kMembers - 1) / kMembers);
    for (std::size_t i = 0; i < below.size(); ++i) level[i / kMembers] += below[i];
    groups.insert(groups.end(), level.begin(), level.end());
    below = std::move(level);
  }
  return groups;
}

// Upward, each group joins its own count with the sum of its members, each by its accuracy. Downward, each group's members share
// what they lack of the group's count, by their variances.
std::vector<double> fitted_bins(std::size_t bins, std::span<const double> counts) {
  const std::vector<std::size_t> levels = levels_of_tree(bins);
  std::vector<std::vector<Estimate>> up;
  std::size_t next = 0;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<Estimate> found(levels[level]);
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i].count = counts[next++];
      if (level == 0) continue;
      Estimate sum{0, 0};
      const auto [begin, end] = members_of(i, levels[level - 1]);
      for (std::size_t k = begin; k < end; ++k) {
        sum.count += up.back()[k].count;
        sum.variance += up.back()[k].variance;
      }
      const double own = sum.variance / (sum.variance + 1);  // weight of the group's own count
      found[i] = {own * found[i].count + (1 - own) * sum.count, own};
    }
    up.push_back(std::move(found));
  }
  TACIT_CHECK(next == counts.size());
  for (std::size_t level = levels.size() - 1; level > 0; --level) {
    std::vector<Estimate>& members = up[level - 1];
    for (std::size_t i = 0; i < levels[level]; ++i) {
      const auto [begin, end] = members_of(i, members.size());
      double lacks = up[level][i].count, variance = 0;
      for (std::size_t k = begin; k < end; ++k) {
        lacks -= members[k].count;
        variance += members[k].variance;
      }
      for (std::size_t k = begin; k < end; ++k) members[k].count += lacks * members[k].variance / variance;
    }
  }
  std::vector<double> fitted;
  for (const Estimate& bin : up.front()) fitted.push_back(bin.count);
  return fitted;
}

// With M the matrix that makes all counts of the bins, the fitted bins are (M'M)^-1 M' counts, and their covariance is (M'M)^-1. For a
// sum with the factors c, fitted_bins(c in the bins, 0 in the groups) is therefore (M'M)^-1 c.
double noise_of_half(std::size_t bins, std::size_t last) {
  std::vector<double> factors(bins, 0.5);
  std::fill(factors.begin() + static_cast<std::ptrdiff_t>(last) + 1, factors.end(), -0.5);
  std::vector<double> counts = factors;
  for (const std::size_t level : levels_of_tree(bins)) counts.resize(counts.size() + (level == bins ? 0 : level));
  const std::vector<double> solved = fitted_bins(bins, counts);
  double variance = 0;
  for (std::size_t bin = 0; bin < bins; ++bin) variance += factors[bin] * solved[bin];
  return std::sqrt(variance);
}

}  // namespace tacit::gnn
