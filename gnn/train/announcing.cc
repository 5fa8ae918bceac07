#include "gnn/train/announcing.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/data/public_digest.h"
#include "net/collectives/collectives.h"
#include "net/collectives/tell_all.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// The first rank with public parts that differ from rank 0's, or -1. Only the parties exchange digests.
std::int64_t first_other(net::Mesh& mesh, const Ownership& ownership, const GraphData& own) {
  std::vector<mpc::Digest> digests(static_cast<std::size_t>(mesh.parties()), public_digest(own, ownership));
  std::vector<net::Bytes> bytes;
  for (mpc::Digest& digest : digests) bytes.emplace_back(digest);
  net::Group group(mesh);
  net::all_gather(group, bytes);
  for (int rank = 1; rank < mesh.parties(); ++rank) {
    if (digests[static_cast<std::size_t>(rank)] != digests[0]) return rank;
  }
  return -1;
}

}  // namespace

std::vector<Announcement> told_announcements(net::Mesh& mesh, const GraphData* own) {
  const Announcement mine = own == nullptr ? Announcement{} : announcement_of(*own);
  std::vector<Announcement> announced;
  for (const std::vector<std::int64_t>& numbers : net::tell_numbers(mesh, numbers_of(mine))) {
    AnnouncedNumbers held;
    std::copy(numbers.begin(), numbers.end(), held.begin());
    announced.push_back(announcement_of_numbers(held));
  }
  announced.resize(static_cast<std::size_t>(mesh.parties()));
  return announced;
}

void compare_what_is_public(net::Mesh& mesh, const Ownership& ownership, const GraphData* own) {
  const std::int64_t found = own != nullptr ? first_other(mesh, ownership, *own) : -1;
  // All parties send the same number.
  const std::int64_t other = net::tell_numbers(mesh, std::span(&found, 1))[0][0];
  if (other == -1) return;
  const int rank = other >= 0 && other < mesh.parties() ? static_cast<int>(other) : 0;
  throw ConfigError(fmt::format(
      "the public data of rank {} and rank 0 differ (graph, masks, features or labels): compare the files", rank));
}

void expect_number_of_nodes(std::int64_t number, const Holding& holding, int rank) {
  if (number >= 0 && number <= holding.nodes) return;
  throw ProtocolError(fmt::format("rank {} announced a number of nodes that the graph does not have", rank), rank);
}

void expect_number_of_subjects(std::int64_t number, const Holding& holding, int rank) {
  if (number >= 0 && number <= holding.subjects()) return;
  throw ProtocolError(fmt::format("rank {} announced a number of nodes or graphs that the data do not have", rank),
                      rank);
}

void expect_number_of_links(std::int64_t number, int rank) {
  if (number >= 0 && number <= kMostPairs) return;
  throw ProtocolError(fmt::format("rank {} announced a number of links that no data have", rank), rank);
}

void expect_number_of_pairs(std::int64_t number) {
  if (number <= kMostPairs) return;
  throw ConfigError(
      fmt::format("data.links: links and drawn pairs are {} pairs together, and at most {} can be learned; train "
                  "on fewer links, or draw fewer pairs for each (data.links.drawn)",
                  number, kMostPairs));
}

void expect_pairs(const Holding& holding) {
  if (holding.pairs.value_or(0) > 0) return;
  throw ConfigError(
      "the job reveals predictions of pairs of nodes, and the data name no pairs: give every rank the same, as pairs "
      "in an "
      ".npz file or as pairs.csv in a folder, or set reveal.predictions and reveal.probabilities to \"nobody\"");
}

}  // namespace tacit::gnn
