#include "gnn/train/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gnn/data/node_ids.h"
#include "mpc/sets/equality.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

bool has_rows(const Announcement& held) {
  return held.x.rows > 0 || held.y.rows > 0 || held.edges >= 0 || held.train_rows >= 0 || held.val_rows >= 0 ||
         held.test_rows >= 0;
}

bool owns_some_rows(const Announcement& held) { return held.own_rows != NodeRange{0, held.nodes}; }

// An entry for each party: true if its file names all nodes. Only parties with all names are compared.
std::vector<bool> naming_all(std::span<const Announcement> announced) {
  std::vector<bool> naming;
  for (const Announcement& held : announced) naming.push_back(held.ids >= 0 && held.ids == held.nodes / held.snapshots);
  return naming;
}

RowOrder row_order_of(std::span<const Announcement> announced) {
  RowOrder order;
  if (announced.size() < 2) return order;
  const std::vector<bool> naming = naming_all(announced);
  for (std::size_t rank = 0; rank < announced.size(); ++rank) {
    const bool believed = has_rows(announced[rank]) && !owns_some_rows(announced[rank]);
    if (naming[rank]) order.compared.push_back(static_cast<int>(rank));
    if (!naming[rank] && believed) order.on_trust.push_back(static_cast<int>(rank));
  }
  if (order.compared.size() != 1) return order;
  if (!order.on_trust.empty()) order.on_trust.push_back(order.compared[0]);
  std::sort(order.on_trust.begin(), order.on_trust.end());
  order.compared.clear();
  return order;
}

// Throws ConfigError if a rank has found another rank with other names of its rows. `found` has the
// other rank, or -1, for each rank.
void expect_no_other(std::span<const std::int64_t> found) {
  std::vector<int> ranks;
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    if (found[rank] < 0 || found[rank] >= std::ssize(found)) continue;
    ranks.push_back(static_cast<int>(rank));
    ranks.push_back(static_cast<int>(found[rank]));
  }
  if (ranks.empty()) return;
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  throw ConfigError(fmt::format(
      "the ids of {} are not the same list: their rows are other nodes, or the same nodes in another order. "
      "Run `tacit data align JOB` at every rank, which puts all parts into one order",
      ranks_in_words(ranks)));
}

}  // namespace

std::string ranks_in_words(const std::vector<int>& ranks) {
  std::string words = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (i > 0) words += i + 1 == ranks.size() ? " and " : ", ";
    words += std::to_string(ranks[i]);
  }
  return words;
}

std::string RowOrder::note() const {
  if (on_trust.empty()) return "";
  return fmt::format("the order of rows is taken on trust at {}: no ids in {}, or no other ids to compare them with",
                     ranks_in_words(on_trust), on_trust.size() == 1 ? "its file" : "their files");
}

RowOrder compare_row_order(net::Mesh& mesh, std::span<const Announcement> announced, const GraphData* own) {
  RowOrder order = row_order_of(announced);
  if (order.compared.empty()) return order;
  std::int64_t other = -1;  // a rank with ids that differ from this rank's
  if (own != nullptr) {
    const std::vector<bool> naming = naming_all(announced);
    const mpc::Digest digest = own->ids ? digest_of_ids(*own->ids) : mpc::Digest{};
    const std::vector<bool> equal = mpc::compare_with_peers(mesh, digest, naming);
    const auto unequal = std::find(equal.begin(), equal.end(), false);
    if (unequal != equal.end()) other = unequal - equal.begin();
  }
  std::vector<std::int64_t> found;
  for (const auto& numbers : net::tell_numbers(mesh, std::span(&other, 1))) found.push_back(numbers[0]);
  expect_no_other(std::span<const std::int64_t>(found).first(announced.size()));
  return order;
}

void expect_equal_order(std::span<const GraphData> parts) {
  std::optional<std::pair<std::int64_t, mpc::Digest>> first;
  std::vector<std::int64_t> found(parts.size(), -1);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    if (!parts[rank].ids || std::ssize(*parts[rank].ids) != parts[rank].graph_nodes()) continue;
    const mpc::Digest digest = digest_of_ids(*parts[rank].ids);
    if (!first) first.emplace(static_cast<std::int64_t>(rank), digest);
    if (digest != first->second) found[rank] = first->first;
  }
  expect_no_other(found);
}

}  // namespace tacit::gnn
