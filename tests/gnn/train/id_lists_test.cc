// Ranks that have lists of other ranks' ids find a stale list before any data are shared.
#include "gnn/train/id_lists.h"

#include <gmock/gmock.h>

#include <thread>

#include "gnn/data/node_ids.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"
#include "tests/gnn/ownership_of.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Lists = std::map<int, std::vector<std::string>>;

// Each owner has two nodes, with ids if it has the list of its own rank.
std::vector<GraphData> parts_with(const std::vector<Lists>& lists) {
  std::vector<GraphData> parts;
  for (std::size_t rank = 0; rank < lists.size(); ++rank) {
    GraphData& part = parts.emplace_back();
    part.nodes = 2 * std::ssize(lists);
    part.own_rows = NodeRange{2 * static_cast<std::int64_t>(rank), 2};
    part.x = Matrix::Ones(2, 1);
    part.edges = Edges{};
    for (const auto& [owner, ids] : lists[rank]) {
      if (owner == static_cast<int>(rank)) {
        part.ids = ids;
      } else {
        part.id_lists[owner] = digest_of_ids(ids);
      }
    }
  }
  return parts;
}

// The refusals of all ranks, the dealer last.
std::vector<std::string> refusals(const std::vector<GraphData>& parts, const Ownership& ownership) {
  const auto meshes = net::memory_mesh(static_cast<int>(parts.size()), 1);
  std::vector<Announcement> announced;
  for (const GraphData& part : parts) announced.push_back(announcement_of(part));
  std::vector<std::string> all(meshes.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < meshes.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        compare_id_lists(*meshes[rank], ownership, announced, rank < parts.size() ? &parts[rank] : nullptr);
      } catch (const ConfigError& error) {
        all[rank] = error.what();
      }
      meshes[rank]->close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return all;
}

// The same in one process that has all parts.
std::string refusal_of_all(const std::vector<GraphData>& parts) {
  try {
    expect_equal_id_lists(parts);
    return "";
  } catch (const ConfigError& error) {
    return error.what();
  }
}

void expect_refusal(const std::vector<Lists>& lists, const testing::Matcher<std::string>& expected) {
  const std::vector<GraphData> parts = parts_with(lists);
  EXPECT_THAT(refusals(parts, ownership_of("rows", "edges", "rows", "rows")), Each(expected));
  EXPECT_THAT(refusal_of_all(parts), expected);
}

TEST(IdLists, ThatAreTheOwnersIdsAreAccepted) {
  expect_refusal({{{0, {"a", "b"}}, {1, {"C ", "d"}}}, {{1, {"c", "d"}}}}, "");
  expect_refusal({{{1, {"c", "d"}}, {2, {"e", "f"}}}, {{1, {"c", "d"}}, {2, {"e", "f"}}}, {{2, {"e", "f"}}}}, "");
  expect_refusal({{}, {}, {}}, "");
}

TEST(IdLists, ThatAreStaleAreRefusedAtEveryRankWithTheFileAndTheRemedy) {
  expect_refusal(
      {{{0, {"a", "b"}}, {1, {"gamma", "delta"}}}, {{1, {"delta", "gamma"}}}},
      AllOf(StartsWith("nodes_of_1.csv at rank 0 is not the list of rank 1's ids"),
            HasSubstr("rank 1 should give rank 0 the column id of its nodes.csv again"), Not(HasSubstr("gamma"))));
  const Lists two = {{2, {"e", "f"}}}, other = {{2, {"e", "g"}}};
  expect_refusal({other, other, two}, StartsWith("nodes_of_2.csv at ranks 0 and 1 is not the list of rank 2's ids"));
  expect_refusal({two, other, two}, StartsWith("nodes_of_2.csv at rank 1 is not the list"));
}

// The owner's own file has no ids.
TEST(IdLists, OfTwoHoldersAreComparedWithEachOther) {
  expect_refusal(
      {{{2, {"e", "f"}}}, {{2, {"f", "e"}}}, {}},
      AllOf(StartsWith("nodes_of_2.csv is not the same list at ranks 0 and 1"), HasSubstr("rank 2 should give")));
  expect_refusal({{{2, {"e", "f"}}}, {{2, {"e", "f"}}}, {}}, "");
  expect_refusal({{{2, {"e", "f"}}}, {}, {}}, "");
}

TEST(IdLists, OfAnOwnerWhoseFileNamesAllNodesAreComparedWithItsOwnPart) {
  std::vector<GraphData> parts = parts_with({{{1, {"c", "d"}}}, {}});
  parts[1].ids = {"a", "b", "c", "d"};
  EXPECT_THAT(refusals(parts, ownership_of("rows", "edges", "rows", "rows")), Each(""));
  parts[1].ids = {"c", "d", "a", "b"};
  EXPECT_THAT(refusals(parts, ownership_of("rows", "edges", "rows", "rows")),
              Each(HasSubstr("nodes_of_1.csv at rank 0")));
}

// A job without a split of nodes or without edges sends nothing.
TEST(IdLists, AreNotComparedWhereNoEdgeCanLeadToAnotherRanksNode) {
  const std::vector<GraphData> stale = parts_with({{{1, {"c", "d"}}}, {{1, {"d", "c"}}}});
  EXPECT_THAT(refusals(stale, ownership_of("columns", "rank 0", "rank 0", "public")), Each(""));
  EXPECT_THAT(refusals(stale, ownership_of("rows", "none", "rows", "rows")), Each(""));
}

}  // namespace
}  // namespace tacit::gnn
