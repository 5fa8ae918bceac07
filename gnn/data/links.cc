#include "gnn/data/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
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

LinkPart drawn_part(const LinkPlan& plan, std::int64_t smaller, std::int64_t larger) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  std::uint64_t hash = mixed(plan.seed + kStep);
  hash = mixed(hash + kStep + static_cast<std::uint64_t>(smaller));
  hash = mixed(hash + kStep + static_cast<std::uint64_t>(larger));
  const double place = std::ldexp(static_cast<double>(hash >> 11), -53);  // from 0 to 1
  if (place < plan.validation) return LinkPart::kValidation;
  return place < plan.validation + plan.test ? LinkPart::kTest : LinkPart::kTrain;
}

LinkPart part_of(const LinkPlan& plan, const Edges& edges, std::size_t e) {
  if (plan.from_files) return static_cast<LinkPart>(edges.parts[e]);
  const auto [smaller, larger] = std::minmax(edges.from[e], edges.to[e]);
  return drawn_part(plan, smaller, larger);
}

constexpr const char* kNoParts =
    "it is missing, and the job says data.links.split = \"files\": give the part of each edge, as edge_part in an .npz "
    "file or as a column part of edges.csv";

void expect_parts(const Edges& edges, const LinkPlan& plan) {
  if (!plan.from_files || edges.parts.size() == edges.from.size()) return;
  throw ConfigError(std::string("edge_part: ") + kNoParts);
}

void check_stated_parts(const Edges& edges, std::string_view where) {
  if (edges.size() == 0) return;
  const auto wrong = [&](const std::string& what, const std::string& detail = "") {
    throw ConfigError(fmt::format("{}: edge_part: {}", where, what), detail);
  };
  if (edges.parts.size() != edges.from.size()) wrong(kNoParts);
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> known;  // an edge of each link
  for (std::size_t e = 0; e < edges.from.size(); ++e) {
    if (edges.parts[e] < 0 || edges.parts[e] > static_cast<std::int64_t>(LinkPart::kTest)) {
      wrong(fmt::format("the part of edge {} is not one of train, validation and test (0, 1 and 2 in an .npz file)", e),
            fmt::format("it is {}", edges.parts[e]));
    }
    const auto ends = std::minmax(edges.from[e], edges.to[e]);
    const auto [first, is_new] = known.try_emplace({ends.first, ends.second}, e);
    if (is_new || edges.parts[first->second] == edges.parts[e]) continue;
    wrong(fmt::format("the edges {} and {} join the same nodes and have different parts; give them one part",
                      first->second, e),
          fmt::format("they join {} and {}", ends.first, ends.second));
  }
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
  expect_parts(*data.edges, plan);
  KnownPairs known(data.nodes);
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    const std::int64_t from = data.edges->from[e], to = data.edges->to[e];
    if (from >= to || !known.add(from, to)) continue;
    const LinkPart part = part_of(plan, *data.edges, e);
    add_pair(part == LinkPart::kTrain        ? links.train
             : part == LinkPart::kValidation ? links.validation
                                             : links.test,
             from, to);
  }
  return links;
}

GraphData with_links_apart(GraphData data, const LinkPlan& plan) {
  if (data.links) return data;
  data.links = links_of(data, plan);  // expects parts, if files state them
  if (!data.edges) return data;
  Edges messages;
  for (std::size_t e = 0; e < data.edges->from.size(); ++e) {
    const bool loop = data.edges->from[e] == data.edges->to[e];
    if (loop || part_of(plan, *data.edges, e) == LinkPart::kTrain) messages.add(*data.edges, e);
  }
  data.edges = std::move(messages);
  return data;
}

void check_links(const GraphData& data, const LinkPlan& plan, const PartOwnership& edges, std::string_view where) {
  if (!data.edges) return;
  if (plan.from_files) check_stated_parts(*data.edges, where);
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
