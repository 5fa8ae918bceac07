// Parties with files that name their nodes detect differing names before any data are shared.
#include "gnn/train/row_order.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "net/error.h"
#include "net/memory/memory_mesh.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Ids = std::vector<std::string>;

GraphData part_with(const std::optional<Ids>& ids) {
  GraphData part;
  part.nodes = 3;
  part.x = Matrix::Ones(3, 1);
  part.ids = ids;
  return part;
}

struct Outcome {
  RowOrder order;
  std::string refusal;
};

// The outcomes of all ranks, the dealer last.
std::vector<Outcome> outcomes(const std::vector<std::optional<Ids>>& ids) {
  const auto meshes = net::memory_mesh(static_cast<int>(ids.size()), 1);
  std::vector<GraphData> parts;
  std::vector<Announcement> announced;
  for (const auto& of_rank : ids) announced.push_back(announcement_of(parts.emplace_back(part_with(of_rank))));
  std::vector<Outcome> all(meshes.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < meshes.size(); ++rank) {
    threads.emplace_back([&, rank] {
      try {
        all[rank].order = compare_row_order(*meshes[rank], announced, rank < parts.size() ? &parts[rank] : nullptr);
      } catch (const ConfigError& error) {
        all[rank].refusal = error.what();
      }
      meshes[rank]->close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return all;
}

class RowOrderOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Parties, RowOrderOf, testing::Values(2, 3, 5), testing::PrintToStringParamName());

TEST_P(RowOrderOf, EqualIdsIsAccepted) {
  std::vector<std::optional<Ids>> ids(static_cast<std::size_t>(GetParam()), Ids{"a", "b", "c"});
  ids[1] = Ids{"A ", "b", "C"};
  for (const Outcome& one : outcomes(ids)) {
    EXPECT_EQ(one.refusal, "");
    EXPECT_EQ(std::ssize(one.order.compared), GetParam());
    EXPECT_EQ(one.order.note(), "");
  }
}

TEST_P(RowOrderOf, IdsInAnotherOrderIsRefusedAtEveryRankWithTheRanksAndTheRemedy) {
  std::vector<std::optional<Ids>> ids(static_cast<std::size_t>(GetParam()), Ids{"alpha", "beta", "gamma"});
  ids.back() = Ids{"beta", "alpha", "gamma"};
  for (const Outcome& one : outcomes(ids)) {
    EXPECT_THAT(one.refusal,
                AllOf(HasSubstr(fmt::format("{} and {}", GetParam() == 2 ? 0 : GetParam() - 2, GetParam() - 1)),
                      HasSubstr("`tacit data align JOB`"), Not(HasSubstr("alpha"))));
  }
}

TEST(RowOrder, OfAPartyWithoutIdsIsTakenOnTrust) {
  const Ids same{"a", "b", "c"};
  for (const Outcome& one : outcomes({same, std::nullopt, same})) {
    EXPECT_THAT(one.order.compared, ElementsAre(0, 2));
    EXPECT_THAT(one.order.note(), HasSubstr("taken on trust at rank 1: no ids in its file"));
  }
  for (const Outcome& one : outcomes({std::nullopt, same})) {
    EXPECT_THAT(one.order.compared, IsEmpty());
    EXPECT_THAT(one.order.note(), HasSubstr("at ranks 0 and 1"));
  }
}

TEST(RowOrder, OfOneProcessThatHasAllPartsIsComparedToo) {
  const std::vector<GraphData> parts = {part_with(Ids{"a", "b", "c"}), part_with(Ids{"b", "a", "c"})};
  EXPECT_THROW(expect_equal_order(parts), ConfigError);
}

}  // namespace
}  // namespace tacit::gnn
