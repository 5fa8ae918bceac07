#include "gnn/data/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_set>

#include "net/error.h"

namespace tacit::gnn {

namespace {

enum class LinkPart { kTrain, kValidation, kTest };

// The last steps of splitmix64 (Steele, Lea and Flood, 2014): every bit of the number moves about half of the bits.
std::uint64_t mixed(std::uint64_t number) {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

LinkPart part_of_link(const LinkPlan& plan, std::int64_t smaller, std::int64_t larger) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  std::uint64_t hash = mixed(plan.seed + kStep);
  hash = mixed(hash + kStep + static_cast<std::uint64_t>(smaller));
  hash = mixed(hash + kStep + static_cast<std::uint64_t>(larger));
  const double place = std::ldexp(static_cast<double>(hash >> 11), -53);  // from 0 to 1
  if (place < plan.validation) return LinkPart::kValidation;
  return place < plan.validation + plan.test ? LinkPart::kTest : LinkPart::kTrain;
}

// Pairs of nodes, each as one number.
class KnownPairs {
 public:
  explicit KnownPairs(std::int64_t nodes) : nodes_(static_cast<std::uint64_t>(nodes)) {}

  // False if the pair is known already.
  bool add(std::int64_t smaller, std::int64_t larger) { return pairs_.insert(number_of(smaller, larger)).second; }
  bool has(std::int64_t smaller, std::int64_t larger) const { return pairs_.contains(number_of(smaller, larger)); }
  void add(const Edges& pairs) {
    for (std::size_t i = 0; i < pairs.from.size(); ++i) add(pairs.from[i], pairs.to[i]);
  }

 private:
  std::uint64_t number_of(std::int64_t smaller, std::int64_t larger) const {
    return static_cast<std::uint64_t>(smaller) * nodes_ + static_cast<std::uint64_t>(larger);
  }

  std::uint64_t nodes_;
  std::unordered_set<std::uint64_t> pairs_;
};

void add_pair(Edges& pairs, std::int64_t smaller, std::int64_t larger) {
  pairs.from.push_back(smaller);
  pairs.to.push_back(larger);
}

}  // namespace

LinkParts links_of(const GraphData& data, const LinkPlan& plan) {
  LinkParts links;
  if (!data.edges) return links;
  KnownPairs known(data.nodes);
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    const std::int64_t from = data.edges->from[e], to = data.edges->to[e];
    if (from >= to || !known.add(from, to)) continue;
    const LinkPart part = part_of_link(plan, from, to);
    add_pair(part == LinkPart::kTrain        ? links.train
             : part == LinkPart::kValidation ? links.validation
                                             : links.test,
             from, to);
  }
  return links;
}

GraphData with_links_apart(GraphData data, const LinkPlan& plan) {
  if (data.links) return data;
  data.links = links_of(data, plan);
  if (!data.edges) return data;
  Edges messages;
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    const auto [smaller, larger] = std::minmax(data.edges->from[e], data.edges->to[e]);
    if (smaller == larger || part_of_link(plan, smaller, larger) == LinkPart::kTrain) messages.add(*data.edges, e);
  }
  data.edges = std::move(messages);
  return data;
}

void check_links(const GraphData& data, const PartOwnership& edges, std::string_view where) {
  if (!data.edges) return;
  const bool by_owner = edges.kind == PartOwnership::Kind::kByOwner;
  const NodeRange own = by_owner && data.own_rows ? *data.own_rows : NodeRange{0, data.nodes};
  KnownPairs known(data.nodes);
  known.add(*data.edges);
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    const std::int64_t from = data.edges->from[e], to = data.edges->to[e];
    if (from <= to || !own.contains(from) || !own.contains(to) || known.has(to, from)) continue;
    throw ConfigError(
        fmt::format(
            "{}: edge_index: edge {} leads from a larger node number to a smaller one, and there is no edge back; "
            "the job learns links, which have no direction: store each edge in both directions",
            where, e),
        fmt::format("it leads from {} to {}", from, to));
  }
}

void expect_pairs_to_draw(std::int64_t wanted, std::int64_t nodes) {
  const double pairs = static_cast<double>(nodes) * static_cast<double>(nodes - 1) / 2;
  if (static_cast<double>(wanted) <= pairs) return;
  throw ConfigError(
      fmt::format("data.links: links and drawn pairs are {} pairs together, and {} nodes make {:.0f}; train on fewer "
                  "links, or draw fewer pairs for each (data.links.drawn)",
                  wanted, nodes, pairs));
}

LinkParts drawn_pairs(const LinkPlan& plan, std::int64_t nodes, const LinkParts& links, std::int64_t train,
                      std::int64_t validation, std::int64_t test) {
  expect_pairs_to_draw(links.size() + train + validation + test, nodes);
  constexpr std::uint64_t kPairs = 0x9a125;  // separates this stream from the job's other streams
  std::seed_seq key{plan.seed & 0xffffffff, plan.seed >> 32, kPairs};
  std::mt19937_64 random(key);  // gives the same numbers on every machine
  KnownPairs known(nodes);
  for (const Edges* some : {&links.train, &links.validation, &links.test}) known.add(*some);
  const auto draw = [&](std::int64_t count) {
    Edges drawn;
    while (drawn.size() < count) {
      const auto one = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes));
      const auto other = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(nodes));
      const auto [smaller, larger] = std::minmax(one, other);
      if (smaller != larger && known.add(smaller, larger)) add_pair(drawn, smaller, larger);
    }
    return drawn;
  };
  LinkParts drawn;
  drawn.train = draw(train);
  drawn.validation = draw(validation);
  drawn.test = draw(test);
  return drawn;
}

}  // namespace tacit::gnn
