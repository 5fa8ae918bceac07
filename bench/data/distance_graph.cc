#include "bench/data/distance_graph.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace tacit::gnn {

namespace {

using Index = std::size_t;

std::int64_t squared(std::int64_t a) { return a * a; }

std::int64_t squared_distance(const Spot& a, const Spot& b) { return squared(a.x - b.x) + squared(a.y - b.y); }

// The best few of (squared distance, place), nearest first.
class Nearest {
 public:
  explicit Nearest(int count) : count_(static_cast<Index>(count)) {}

  bool may_take(std::int64_t distance) const { return best_.size() < count_ || distance <= best_.back().first; }

  void offer(std::int64_t distance, Index place) {
    const std::pair offered(distance, place);
    best_.insert(std::upper_bound(best_.begin(), best_.end(), offered), offered);
    if (best_.size() > count_) best_.pop_back();
  }

  const std::vector<std::pair<std::int64_t, Index>>& best() const { return best_; }

 private:
  Index count_;
  std::vector<std::pair<std::int64_t, Index>> best_;
};

// The connected components of the places.
class Components {
 public:
  explicit Components(Index places) : parent_(places) { std::iota(parent_.begin(), parent_.end(), Index{0}); }

  Index of(Index place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
  }

  void join(Index a, Index b) { parent_[of(a)] = of(b); }

 private:
  std::vector<Index> parent_;
};

using Pairs = std::vector<std::pair<Index, Index>>;

// Places are sorted by x. The neighbours of a place lie in a strip around it, which ends when x alone is too far.
Pairs nearest_pairs(std::span<const Spot> places, int neighbours) {
  std::vector<Index> by_x(places.size());
  std::iota(by_x.begin(), by_x.end(), Index{0});
  std::sort(by_x.begin(), by_x.end(),
            [&](Index a, Index b) { return std::tie(places[a].x, a) < std::tie(places[b].x, b); });
  Pairs pairs;
  for (Index at = 0; at < by_x.size(); ++at) {
    const Spot& here = places[by_x[at]];
    Nearest nearest(neighbours);
    const auto look = [&](Index other) {
      const Spot& there = places[by_x[other]];
      if (!nearest.may_take(squared(there.x - here.x))) return false;
      nearest.offer(squared_distance(here, there), by_x[other]);
      return true;
    };
    Index left = at, right = at + 1;
    bool go_left = left > 0, go_right = right < by_x.size();
    while (go_left || go_right) {  // in turn, so that both ends of the strip come near soon
      if (go_left) go_left = look(--left) && left > 0;
      if (go_right) go_right = look(right++) && right < by_x.size();
    }
    for (const auto& [distance, other] : nearest.best()) pairs.emplace_back(by_x[at], other);
  }
  return pairs;
}

// Adds one pair for every component but the largest, smallest components first.
void join_components(std::span<const Spot> places, Pairs& pairs) {
  Components components(places.size());
  for (const auto& [a, b] : pairs) components.join(a, b);
  for (;;) {
    std::vector<std::vector<Index>> members(places.size());
    for (Index place = 0; place < places.size(); ++place) members[components.of(place)].push_back(place);
    std::erase_if(members, [](const auto& of_one) { return of_one.empty(); });
    if (members.size() <= 1) return;
    std::stable_sort(members.begin(), members.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const Index lone = components.of(members.front().front());
    std::tuple best(std::numeric_limits<std::int64_t>::max(), Index{0}, Index{0});
    for (const Index a : members.front()) {
      for (Index b = 0; b < places.size(); ++b) {
        if (components.of(b) != lone) best = std::min(best, std::tuple(squared_distance(places[a], places[b]), a, b));
      }
    }
    pairs.emplace_back(std::get<1>(best), std::get<2>(best));
    components.join(std::get<1>(best), std::get<2>(best));
  }
}

}  // namespace

Edges distance_graph(std::span<const Spot> places, int neighbours) {
  Pairs pairs = nearest_pairs(places, neighbours);
  join_components(places, pairs);
  const Index half = pairs.size();
  for (Index i = 0; i < half; ++i) pairs.emplace_back(pairs[i].second, pairs[i].first);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Edges edges;
  for (const auto& [from, to] : pairs) {
    edges.from.push_back(static_cast<std::int64_t>(from));
    edges.to.push_back(static_cast<std::int64_t>(to));
  }
  return edges;
}

}  // namespace tacit::gnn
