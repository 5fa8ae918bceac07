#include "gnn/data/ownership.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "net/error.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

struct PartOfJob {
  GraphPart part;
  std::string_view name;
  PartOwnership Ownership::*owned;
  std::string_view allowed;
};

constexpr std::array<PartOfJob, 4> kParts = {{
    {GraphPart::kFeatures, "features", &Ownership::features,
     "public, rank R, columns, columns 3,5 (one number a rank), rows or rows 100,200"},
    {GraphPart::kEdges, "edges", &Ownership::edges,
     "none, public, rank R, any, edges or edges 100,200 (nodes of each rank)"},
    {GraphPart::kLabels, "labels", &Ownership::labels,
     "none, public, rank R, columns, columns 1,2 (one number a rank), rows or rows 100,200"},
    {GraphPart::kMasks, "masks", &Ownership::masks, "none, public, rank R, rows or rows 100,200 (one number a rank)"},
}};

const PartOfJob& job_of(GraphPart part) {
  const auto found = std::find_if(kParts.begin(), kParts.end(), [&](const PartOfJob& of) { return of.part == part; });
  TACIT_CHECK(found != kParts.end());
  return *found;
}

bool is_by_node(Kind kind) { return kind == Kind::kByRows || kind == Kind::kByOwner; }

bool is_allowed(Kind kind, GraphPart part) {
  switch (kind) {
    case Kind::kNone:
      return part != GraphPart::kFeatures;
    case Kind::kPublic:
    case Kind::kWhole:
      return true;
    case Kind::kByColumns:
      return part == GraphPart::kFeatures || part == GraphPart::kLabels;
    case Kind::kByRows:
      return part != GraphPart::kEdges;
    case Kind::kByOwner:
    case Kind::kAnywhere:
      return part == GraphPart::kEdges;
  }
  return false;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// Parses numbers that are separated by commas.
std::optional<std::vector<std::int64_t>> numbers(std::string_view text) {
  std::vector<std::int64_t> all;
  for (;;) {
    const std::size_t comma = text.find(',');
    const auto one = number<std::int64_t>(text.substr(0, comma));
    if (!one) return std::nullopt;
    all.push_back(*one);
    if (comma == std::string_view::npos) return all;
    text.remove_prefix(comma + 1);
  }
}

std::optional<PartOwnership> parse(std::string_view text) {
  if (text == "none") return PartOwnership{Kind::kNone, 0, {}};
  if (text == "public") return PartOwnership{Kind::kPublic, 0, {}};
  if (text == "any") return PartOwnership{Kind::kAnywhere, 0, {}};
  const std::size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  const bool alone = space == std::string_view::npos;
  const std::string_view rest = alone ? std::string_view() : text.substr(space + 1);
  if (word == "rank") {
    const auto rank = number<int>(rest);
    if (!rank) return std::nullopt;
    return PartOwnership{Kind::kWhole, *rank, {}};
  }
  PartOwnership split;
  if (word == "columns") split.kind = Kind::kByColumns;
  if (word == "rows") split.kind = Kind::kByRows;
  if (word == "edges") split.kind = Kind::kByOwner;
  if (split.kind == Kind::kNone) return std::nullopt;
  if (alone) return split;
  const auto sizes = numbers(rest);
  if (!sizes) return std::nullopt;
  split.sizes = *sizes;
  return split;
}

// The first part that states the number of nodes of each rank. check() requires equal numbers in
// all parts.
const PartOwnership* stated_split(const Ownership& ownership) {
  for (const PartOfJob& part : kParts) {
    const PartOwnership& owned = ownership.*part.owned;
    if (is_by_node(owned.kind) && !owned.sizes.empty()) return &owned;
  }
  return nullptr;
}

// An example for an error: numbers for this many ranks with a smaller sum, such as "1,1,0".
std::string example_of(std::int64_t total, int parties) {
  constexpr int kMostShown = 8;
  std::vector<int> shares(static_cast<std::size_t>(std::min(parties, kMostShown)));
  std::fill_n(shares.begin(), std::min<std::int64_t>(total, std::ssize(shares)), 1);
  return fmt::format("{}{}", fmt::join(shares, ","), parties > kMostShown ? ",..." : "");
}

// Splits `total` by the given sizes or evenly. `who` begins the error.
std::vector<std::int64_t> split(const std::vector<std::int64_t>& sizes, std::string_view who, std::string_view what,
                                std::int64_t total, int parties) {
  if (!sizes.empty()) {
    std::int64_t left = total;
    bool too_many = false;
    for (const std::int64_t size : sizes) {
      too_many = too_many || size > left;
      if (!too_many) left -= size;
    }
    if (too_many || left > 0) {
      throw ConfigError(fmt::format("{}: {} {} for the ranks are {} than the {} there are: make the numbers add up",
                                    who, fmt::join(sizes, " + "), what, too_many ? "more" : "fewer", total));
    }
    return sizes;
  }
  if (total < parties) {
    throw ConfigError(
        fmt::format("{}: {} {} for {} ranks: give the number of each rank, 0 for who holds none, as \"{} {}\"", who,
                    total, what, parties, what == "columns" ? what : "rows", example_of(total, parties)));
  }
  std::vector<std::int64_t> even(static_cast<std::size_t>(parties), total / parties);
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(total % parties); ++rank) ++even[rank];
  return even;
}

}  // namespace

std::string_view name_of(GraphPart part) { return job_of(part).name; }

std::string_view subject_name(bool graphs, bool pairs) { return pairs ? "pair" : graphs ? "graph" : "node"; }

PartOwnership parse_ownership(std::string_view text, GraphPart part) {
  const auto parsed = parse(text);
  if (!parsed || !is_allowed(parsed->kind, part)) {
    throw ConfigError(
        fmt::format("{}: '{}' does not say who holds them; allowed are {}", name_of(part), text, job_of(part).allowed));
  }
  return *parsed;
}

std::string to_text(const PartOwnership& ownership) {
  const auto with_sizes = [&](std::string_view word) {
    return ownership.sizes.empty() ? std::string(word) : fmt::format("{} {}", word, fmt::join(ownership.sizes, ","));
  };
  switch (ownership.kind) {
    case Kind::kNone:
      return "none";
    case Kind::kPublic:
      return "public";
    case Kind::kWhole:
      return fmt::format("rank {}", ownership.rank);
    case Kind::kByColumns:
      return with_sizes("columns");
    case Kind::kByRows:
      return with_sizes("rows");
    case Kind::kByOwner:
      return with_sizes("edges");
    case Kind::kAnywhere:
      return "any";
  }
  constexpr bool kKindIsKnown = false;
  TACIT_CHECK(kKindIsKnown);
}

void check(const Ownership& ownership, int parties) {
  TACIT_CHECK(parties > 0);
  const PartOwnership* stated = stated_split(ownership);
  for (const PartOfJob& part : kParts) {
    const PartOwnership& owned = ownership.*part.owned;
    const auto refuse = [&](const std::string& why) {
      throw ConfigError(fmt::format("{}: '{}': {}", part.name, to_text(owned), why));
    };
    if (!is_allowed(owned.kind, part.part))
      refuse(fmt::format("this value is not allowed here; allowed are {}", part.allowed));
    if (owned.kind == Kind::kWhole && (owned.rank < 0 || owned.rank >= parties)) {
      refuse(parties == 1 ? std::string("there is no such rank: the only party is rank 0")
                          : fmt::format("there is no such rank: ranks are 0 ... {}", parties - 1));
    }
    if (owned.sizes.empty()) continue;
    if (std::ssize(owned.sizes) != parties) {
      refuse(fmt::format("{} numbers for {} ranks: give one for each", owned.sizes.size(), parties));
    }
    const auto [least, most] = std::minmax_element(owned.sizes.begin(), owned.sizes.end());
    if (*least < 0 || *most > kMostOfAnySize) refuse(fmt::format("numbers are 0 ... {}", kMostOfAnySize));
    if (is_by_node(owned.kind) && owned.sizes != stated->sizes) {
      refuse(
          fmt::format("but others are '{}': a node has one owner, so the numbers must be the same", to_text(*stated)));
    }
  }
}

bool splits_nodes(const Ownership& ownership) {
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](const PartOfJob& part) { return is_by_node((ownership.*part.owned).kind); });
}

bool states_nodes(const Ownership& ownership) { return stated_split(ownership) != nullptr; }

std::vector<std::int64_t> node_split(const Ownership& ownership, std::int64_t nodes, int parties) {
  check(ownership, parties);
  const PartOwnership* stated = stated_split(ownership);
  const std::int64_t snapshots = ownership.snapshots;
  std::vector<std::int64_t> sizes = stated ? split(stated->sizes, to_text(*stated), "nodes", nodes / snapshots, parties)
                                           : split({}, "nodes", "nodes", nodes / snapshots, parties);
  for (std::int64_t& size : sizes) size *= snapshots;
  return sizes;
}

std::vector<std::int64_t> column_split(const PartOwnership& ownership, GraphPart part, std::int64_t columns,
                                       int parties) {
  return split(ownership.sizes, name_of(part), "columns", columns, parties);
}

}  // namespace tacit::gnn
