#include "gnn/train/id_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "gnn/data/node_ids.h"
#include "gnn/train/row_order.h"
#include "mpc/sets/equality.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

using Numbers = std::vector<std::int64_t>;

// True if a file with these announced numbers names the nodes of its rank, of which there are some.
bool names_own(const Announcement& held) {
  const std::int64_t own = held.own_rows.count / held.snapshots;
  return own > 0 && (held.ids == own || held.ids == held.nodes / held.snapshots);
}

// The digest of the ids of the part's own nodes, or of its list of another rank's ids. No value if the part has none.
std::optional<mpc::Digest> digest_at(const GraphData& part, int rank, int owner) {
  if (rank != owner) {
    const auto list = part.id_lists.find(owner);
    return list == part.id_lists.end() ? std::nullopt : std::optional(list->second);
  }
  if (!names_own(announcement_of(part))) return std::nullopt;
  const NodeRange rows = part.own_rows.value_or(NodeRange{0, part.nodes});
  std::span<const std::string> ids = *part.ids;
  const auto count = static_cast<std::size_t>(rows.count / part.snapshots);
  if (ids.size() > count) ids = ids.subspan(static_cast<std::size_t>(rows.first / part.snapshots), count);
  return digest_of_ids(ids);
}

// `found[rank]` is a rank with another list of `owner`'s ids than this rank has; or -1. A holder's list is compared with the
// owner's ids first.
void expect_no_other(int owner, const Numbers& found) {
  std::vector<int> stale, different;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    if (found[rank] < 0 || found[rank] >= std::ssize(found) || static_cast<int>(rank) == owner) continue;
    (found[rank] == owner ? stale : different).push_back(static_cast<int>(rank));
  }
  constexpr const char* kWhy = "it is older, or in another order, and edges would end at wrong nodes";
  if (!stale.empty()) {
    throw ConfigError(fmt::format(
        "nodes_of_{0}.csv at {1} is not the list of rank {0}'s ids: {2}; rank {0} should give {1} the column "
        "id of its nodes.csv again, in the order of its rows",
        owner, ranks_in_words(stale), kWhy));
  }
  if (different.empty()) return;
  throw ConfigError(fmt::format(
      "nodes_of_{0}.csv is not the same list at {1}: at one of them {2}; rank {0} should give all of them the "
      "list of its ids again, in the order of its rows",
      owner, ranks_in_words(different), kWhy));
}

// Of the ranks that differ from this one, the owner, or the first.
std::int64_t other_of(const std::vector<bool>& equal, int owner) {
  if (!equal[static_cast<std::size_t>(owner)]) return owner;
  const auto unequal = std::find(equal.begin(), equal.end(), false);
  return unequal == equal.end() ? -1 : unequal - equal.begin();
}

}  // namespace

void compare_id_lists(net::Mesh& mesh, const Ownership& ownership, std::span<const Announcement> announced,
                      const GraphData* own) {
  if (!splits_nodes(ownership) || ownership.edges.kind == PartOwnership::Kind::kNone) return;
  const int parties = mesh.parties();
  Numbers mine(static_cast<std::size_t>(parties));
  if (own != nullptr) {
    for (const auto& [owner, list] : own->id_lists) {
      if (owner >= 0 && owner < parties) mine[static_cast<std::size_t>(owner)] = 1;
    }
  }
  const std::vector<Numbers> holding = net::tell_numbers(mesh, mine);
  Numbers found(static_cast<std::size_t>(parties), -1);
  bool compared = false;
  for (int owner = 0; owner < parties; ++owner) {
    std::vector<bool> has;
    for (int rank = 0; rank < parties; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      has.push_back(rank == owner ? names_own(announced[at]) : holding[at][static_cast<std::size_t>(owner)] == 1);
    }
    if (std::count(has.begin(), has.end(), true) < 2) continue;
    compared = true;
    if (own == nullptr) continue;
    const mpc::Digest digest = digest_at(*own, mesh.rank(), owner).value_or(mpc::Digest{});
    found[static_cast<std::size_t>(owner)] = other_of(mpc::compare_with_peers(mesh, digest, has), owner);
  }
  if (!compared) return;
  const std::vector<Numbers> all = net::tell_numbers(mesh, found);
  for (int owner = 0; owner < parties; ++owner) {
    Numbers of_owner;
    for (int rank = 0; rank < parties; ++rank) {
      of_owner.push_back(all[static_cast<std::size_t>(rank)][static_cast<std::size_t>(owner)]);
    }
    expect_no_other(owner, of_owner);
  }
}

void expect_equal_id_lists(std::span<const GraphData> parts) {
  const auto parties = static_cast<int>(parts.size());
  for (int owner = 0; owner < parties; ++owner) {
    Numbers found;
    for (int rank = 0; rank < parties; ++rank) {
      const auto own = digest_at(parts[static_cast<std::size_t>(rank)], rank, owner);
      std::vector<bool> equal(parts.size(), true);
      for (int peer = 0; own && peer < parties; ++peer) {
        const auto other = digest_at(parts[static_cast<std::size_t>(peer)], peer, owner);
        equal[static_cast<std::size_t>(peer)] = !other || *other == *own;
      }
      found.push_back(other_of(equal, owner));
    }
    expect_no_other(owner, found);
  }
}

}  // namespace tacit::gnn
