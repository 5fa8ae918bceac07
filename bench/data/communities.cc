#include "bench/data/communities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/data/random_source.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Nodes = std::vector<std::int64_t>;

constexpr std::int64_t kMostNodes = std::int64_t{1} << 31;  // two node numbers fit into one word
constexpr std::int64_t kMostFeatures = 10'000'000;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The nodes of each class, and the class of each node.
class Classes {
 public:
  Classes(const CommunitiesOptions& options, RandomSource& random)
      : of_(index(options.nodes)), members_(index(options.classes)) {
    for (std::int64_t node = 0; node < options.nodes; ++node) of_[index(node)] = node % options.classes;
    random.shuffle(of_);
    for (std::int64_t node = 0; node < options.nodes; ++node) members_[index(of_[index(node)])].push_back(node);
  }

  std::int64_t of(std::int64_t node) const { return of_[index(node)]; }
  const Nodes& members(std::int64_t of_class) const { return members_[index(of_class)]; }
  const Nodes& all() const { return of_; }

  double pairs_inside() const {
    double pairs = 0;
    for (const Nodes& nodes : members_) {
      const auto size = static_cast<double>(nodes.size());
      pairs += size * (size - 1) / 2;
    }
    return pairs;
  }

 private:
  Nodes of_;
  std::vector<Nodes> members_;
};

struct EdgeCounts {
  std::int64_t inside = 0, between = 0;  // undirected
};

EdgeCounts count_edges(const CommunitiesOptions& options) {
  const double all = static_cast<double>(options.nodes) * options.average_degree / 2;
  const double inside = std::floor(all * options.homophily + 0.5);
  return {static_cast<std::int64_t>(inside), static_cast<std::int64_t>(std::floor(all + 0.5) - inside)};
}

void check(const CommunitiesOptions& options) {
  const auto refuse = [](std::string_view what, auto given) {
    throw ConfigError(fmt::format("communities: {}, not {}", what, given));
  };
  if (options.nodes < 2 || options.nodes > kMostNodes) refuse("nodes must be 2 ... 2^31", options.nodes);
  if (options.classes < 1 || options.classes > options.nodes / 2) {
    refuse("classes must be at least 1 and have two nodes each", options.classes);
  }
  if (options.features < options.classes || options.features > kMostFeatures) {
    refuse("features must be at least as many as classes, and at most 10000000", options.features);
  }
  if (options.words < 0 || options.words > options.features / 2) {
    refuse("words must be at most half the features", options.words);
  }
  if (!(options.topic >= 0 && options.topic <= 0.9)) refuse("topic must be 0 ... 0.9", options.topic);
  if (!(options.homophily >= 0 && options.homophily <= 1)) refuse("homophily must be 0 ... 1", options.homophily);
  if (!(options.average_degree >= 0 && options.average_degree < static_cast<double>(options.nodes))) {
    refuse("average_degree must be at least 0 and below the number of nodes", options.average_degree);
  }
  if (options.train_per_class < 0 || options.train_per_class > options.nodes / options.classes) {
    refuse("train_per_class must be at least 0 and no more than a class has", options.train_per_class);
  }
  const std::int64_t left = options.nodes - options.train_per_class * options.classes;
  if (options.val < 0 || options.test < 0 || options.val > left || options.test > left - options.val) {
    refuse(fmt::format("val and test must share the {} nodes that are not for training", left),
           fmt::format("{} and {}", options.val, options.test));
  }
}

// Refuses graphs that link more than half of the pairs: most drawn pairs would be edges already.
void check_density(const CommunitiesOptions& options, const Classes& classes, const EdgeCounts& edges) {
  const auto nodes = static_cast<double>(options.nodes);
  const double inside = classes.pairs_inside(), between = nodes * (nodes - 1) / 2 - inside;
  if (2 * static_cast<double>(edges.inside) > inside || 2 * static_cast<double>(edges.between) > between) {
    throw ConfigError(
        fmt::format("communities: average_degree {} with homophily {} links more than half of the pairs inside a "
                    "class, or of those "
                    "between classes: take a lower degree, more nodes or another homophily",
                    options.average_degree, options.homophily));
  }
}

// A pair of different nodes as one word: (smaller, larger).
std::uint64_t pair_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint64_t>(std::max(a, b));
}

// `count` different words from draw(), ascending.
template <typename Draw>
std::vector<std::uint64_t> draw_different(std::int64_t count, Draw draw) {
  std::vector<std::uint64_t> drawn;
  while (std::ssize(drawn) < count) {
    while (std::ssize(drawn) < count) drawn.push_back(draw());
    std::sort(drawn.begin(), drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  }
  return drawn;
}

std::uint64_t draw_inside(const CommunitiesOptions& options, const Classes& classes, RandomSource& random) {
  for (;;) {
    const std::int64_t a = random.below(options.nodes);
    const Nodes& others = classes.members(classes.of(a));
    const std::int64_t b = others[index(random.below(std::ssize(others)))];
    if (a != b) return pair_of(a, b);
  }
}

std::uint64_t draw_between(const CommunitiesOptions& options, const Classes& classes, RandomSource& random) {
  for (;;) {
    const std::int64_t a = random.below(options.nodes), b = random.below(options.nodes);
    if (classes.of(a) != classes.of(b)) return pair_of(a, b);
  }
}

Edges both_ways(std::vector<std::uint64_t> pairs) {
  const std::size_t half = pairs.size();
  pairs.resize(2 * half);
  std::transform(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(half),
                 pairs.begin() + static_cast<std::ptrdiff_t>(half),
                 [](std::uint64_t pair) { return pair << 32 | pair >> 32; });
  std::sort(pairs.begin(), pairs.end());
  Edges edges;
  edges.from.reserve(pairs.size());
  edges.to.reserve(pairs.size());
  for (const std::uint64_t pair : pairs) {
    edges.from.push_back(static_cast<std::int64_t>(pair >> 32));
    edges.to.push_back(static_cast<std::int64_t>(pair & 0xffffffff));
  }
  return edges;
}

Edges make_edges(const CommunitiesOptions& options, const Classes& classes, RandomSource& random) {
  const EdgeCounts count = count_edges(options);
  check_density(options, classes, count);
  auto pairs = draw_different(count.inside, [&] { return draw_inside(options, classes, random); });
  const auto between = draw_different(count.between, [&] { return draw_between(options, classes, random); });
  pairs.insert(pairs.end(), between.begin(), between.end());
  return both_ways(std::move(pairs));
}

SparseFeatures make_features(const CommunitiesOptions& options, const Classes& classes, RandomSource& random) {
  Nodes vocabulary(index(options.features));  // a class's own words lie anywhere among the columns
  std::iota(vocabulary.begin(), vocabulary.end(), 0);
  random.shuffle(vocabulary);
  const std::int64_t own = options.features / options.classes;
  SparseFeatures x;
  x.shape = {options.nodes, options.features};
  x.row_begin.reserve(index(options.nodes) + 1);
  x.cols.reserve(index(options.nodes * options.words));
  x.row_begin.push_back(0);
  for (std::int64_t node = 0; node < options.nodes; ++node) {
    const std::int64_t own_begin = classes.of(node) * own;
    const auto words = draw_different(options.words, [&] {
      const std::int64_t any =
          random.chance(options.topic) ? own_begin + random.below(own) : random.below(options.features);
      return static_cast<std::uint64_t>(vocabulary[index(any)]);
    });
    x.cols.insert(x.cols.end(), words.begin(), words.end());
    x.row_begin.push_back(std::ssize(x.cols));
  }
  x.values.assign(x.cols.size(), 1.0);
  return x;
}

// The split of Planetoid's citation graphs: an equal number of training nodes from each class, then validation and test
// nodes of any class.
void make_masks(const CommunitiesOptions& options, const Classes& classes, RandomSource& random, GraphData& data) {
  Nodes order(index(options.nodes));
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  data.train_mask = data.val_mask = data.test_mask = NodeMask(index(options.nodes));
  Nodes to_train(index(options.classes), options.train_per_class);
  std::int64_t val = options.val, test = options.test;
  for (const std::int64_t node : order) {
    std::int64_t& wanted = to_train[index(classes.of(node))];
    if (wanted > 0) {
      --wanted;
      (*data.train_mask)[index(node)] = true;
    } else if (val > 0) {
      --val;
      (*data.val_mask)[index(node)] = true;
    } else if (test > 0) {
      --test;
      (*data.test_mask)[index(node)] = true;
    }
  }
}

}  // namespace

GraphData make_communities(const CommunitiesOptions& options) {
  check(options);
  RandomSource random(options.seed);
  const Classes classes(options, random);
  GraphData data;
  data.nodes = options.nodes;
  data.edges = make_edges(options, classes, random);
  data.sparse_x = make_features(options, classes, random);
  data.classes = classes.all();
  make_masks(options, classes, random, data);
  return data;
}

}  // namespace tacit::gnn
