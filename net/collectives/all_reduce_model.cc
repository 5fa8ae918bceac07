#include "net/collectives/all_reduce_model.h"

#include <algorithm>

#include "net/error.h"

namespace tacit::net {

namespace {

using std::chrono::nanoseconds;

// In the order of preference among nearly equal times: fewest rounds first.
constexpr std::array kInOrderOfPreference{AllReduce::kDirect, AllReduce::kTwoPhase, AllReduce::kStar, AllReduce::kRing};
constexpr double kNearlyEqual = 1.02;

// A size and its time.
using Point = std::pair<const std::int64_t, std::int64_t>;

nanoseconds on_line(const Point& left, const Point& right, std::int64_t bytes) {
  const double slope = static_cast<double>(right.second - left.second) / static_cast<double>(right.first - left.first);
  return nanoseconds(right.second + static_cast<std::int64_t>(slope * static_cast<double>(bytes - right.first)));
}

constexpr std::int64_t kSmallest = 1024;
constexpr std::int64_t kLargest = std::int64_t{1} << 34;

}  // namespace

void AllReduceModel::add(AllReduce algorithm, std::int64_t bytes, nanoseconds time) {
  times_[static_cast<std::size_t>(algorithm)][bytes] = time.count();
}

std::optional<nanoseconds> AllReduceModel::predict(AllReduce algorithm, std::int64_t bytes) const {
  const Times& measured = times(algorithm);
  if (measured.empty()) return std::nullopt;
  const auto at_least = measured.lower_bound(bytes);
  // Latency dominates below the smallest size.
  if (at_least == measured.begin()) return nanoseconds(at_least->second);
  if (at_least != measured.end()) return on_line(*std::prev(at_least), *at_least, bytes);
  const auto& largest = *std::prev(measured.end());
  const Times::value_type smallest = measured.size() > 1 ? *measured.begin() : Times::value_type{0, 0};
  return std::max(on_line(smallest, largest, bytes), nanoseconds(largest.second));
}

nanoseconds AllReduceModel::predict_best(std::int64_t bytes) const {
  nanoseconds best = nanoseconds::max();
  for (const AllReduce algorithm : kAllReduceAlgorithms) {
    best = std::min(best, predict(algorithm, bytes).value_or(nanoseconds::max()));
  }
  TACIT_CHECK(best != nanoseconds::max());
  return best;
}

AllReduce AllReduceModel::choose(std::int64_t bytes) const {
  const double enough = static_cast<double>(predict_best(bytes).count()) * kNearlyEqual;
  return *std::find_if(kInOrderOfPreference.begin(), kInOrderOfPreference.end(), [&](AllReduce algorithm) {
    const auto time = predict(algorithm, bytes);
    return time && static_cast<double>(time->count()) <= enough;
  });
}

AllReducePlan AllReduceModel::plan() const {
  std::vector<AllReducePlan::Range> ranges = {{0, choose(0)}};
  const auto consider = [&](std::int64_t bytes) {
    const AllReduce algorithm = choose(bytes);
    if (algorithm != ranges.back().algorithm) ranges.push_back({bytes, algorithm});
  };
  for (std::int64_t bytes = kSmallest; bytes <= kLargest; bytes *= 2) {
    consider(bytes);
    consider(bytes + bytes / 2);
  }
  return AllReducePlan(std::move(ranges));
}

}  // namespace tacit::net
