// The parties agree on the newest checkpoint that all parties hold, and the dealer learns its epoch
// and layout.
#include "gnn/checkpoint/resume.h"

#include <gmock/gmock.h>

#include <mutex>

#include "tests/gnn/checkpoint/sample_store.h"
#include "tests/net/meshes.h"

namespace tacit::gnn {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using Held = std::vector<std::vector<CheckpointId>>;  // by party, newest first

ResumePoint point(const CheckpointId& id) {
  ResumePoint point{id, {}};
  point.layout.epochs = id.epoch;
  point.layout.tensors = {{"weight", {3, 2}, {64, 13}, 16}};
  point.layout.parameters = 1;
  return point;
}

struct Agreed {
  std::vector<std::optional<ResumePoint>> points;  // by rank, the dealer last
  std::vector<std::string> errors, notes;
};

constexpr std::int64_t kEvery = 10;

Agreed agreed(const Held& held, IfNone if_none = IfNone::kRefuse, std::int64_t saved_at_1 = 0) {
  Agreed agreed;
  agreed.points.resize(held.size() + 1);
  agreed.notes.resize(held.size() + 1);
  const auto errors =
      net::errors_of_ranks(net::mesh_kind("Memory").make(static_cast<int>(held.size()), 1), [&](net::Mesh& mesh) {
        std::vector<ResumePoint> own;
        if (mesh.world().is_party()) {
          for (const CheckpointId& id : held[static_cast<std::size_t>(mesh.rank())]) own.push_back(point(id));
        }
        agreed.points[static_cast<std::size_t>(mesh.rank())] = agree_on_checkpoint(
            mesh, own, if_none, kEvery,
            [&](const std::string& text) { agreed.notes[static_cast<std::size_t>(mesh.rank())] = text; },
            mesh.rank() == 1 ? saved_at_1 : 0);
      });
  for (const auto& error : errors) agreed.errors.push_back(net::message_of(error));
  return agreed;
}

const CheckpointId a10{nonce_of(1), 10}, a20{nonce_of(1), 20}, b10{nonce_of(2), 10}, b15{nonce_of(2), 15};

void expect_all_at(const Agreed& agreed, const CheckpointId& id) {
  EXPECT_THAT(agreed.errors, Each(""));
  for (std::size_t rank = 0; rank + 1 < agreed.points.size(); ++rank) {
    ASSERT_TRUE(agreed.points[rank]);
    EXPECT_EQ(agreed.points[rank]->id, id);
  }
  const auto& dealer = agreed.points.back();
  ASSERT_TRUE(dealer);
  EXPECT_EQ(dealer->id, (CheckpointId{{}, id.epoch}));  // no nonce
  ASSERT_EQ(dealer->layout.tensors.size(), 1U);
  EXPECT_EQ(dealer->layout.tensors[0].shape, (Shape{3, 2}));
}

TEST(Resume, IsFromTheNewestThatAllHold) {
  expect_all_at(agreed({{a20, a10}, {a20, a10}}), a20);
  expect_all_at(agreed({{a20, a10}, {a10}}), a10);
  expect_all_at(agreed({{b15, a20, a10}, {a20, a10}, {b15, a10}}), a10);
}

TEST(Resume, TellsEpochsOfDifferentSessionsApart) {
  expect_all_at(agreed({{b10, a10}, {a10}}), a10);
  expect_all_at(agreed({{b15, a20}, {b15, a20}}), b15);  // newer, despite its earlier epoch
}

TEST(Resume, FromNothingIsRefusedAtEveryRank) {
  const Agreed none = agreed({{a20}, {}});
  EXPECT_THAT(none.errors, Each(HasSubstr("nothing to resume from")));
  EXPECT_THAT(none.errors[0], AllOf(HasSubstr("rank 1 has no checkpoint"), HasSubstr("train afresh")));
  EXPECT_THAT(agreed({{a20}, {b10}}).errors[0], HasSubstr("no checkpoint is common to all parties"));
}

TEST(Resume, FromNothingIsAFreshStartWhereThatIsAsked) {
  for (const Held& held : {Held{{}, {}}, Held{{a10}, {}}, Held{{a10}, {b10}, {}}}) {
    const Agreed none = agreed(held, IfNone::kStartAfresh);
    EXPECT_THAT(none.errors, Each(""));
    for (const auto& point : none.points) EXPECT_FALSE(point);
    EXPECT_THAT(none.notes, Each(HasSubstr(held[0].empty() ? "" : "begins anew"))) << "every rank says so";
  }
}

// After the first checkpoint of a run, all parties have had one, so a missing checkpoint was lost.
TEST(Resume, NeverLosesALaterCheckpointThatSomePartyHolds) {
  const Agreed lost = agreed({{a20, a10}, {}}, IfNone::kStartAfresh);
  EXPECT_THAT(lost.errors, Each(AllOf(HasSubstr("a checkpoint would be lost"), HasSubstr("--afresh"))));
  EXPECT_THAT(lost.errors[1], AllOf(HasSubstr("rank 1 has no checkpoint of this job that it can use"),
                                    HasSubstr("the newest is of epoch 20")));
  EXPECT_THAT(agreed({{b10}, {b15}, {}}, IfNone::kStartAfresh).errors, Each(HasSubstr("would be lost")));
}

// For example, all checkpoints are damaged at all parties: the accounts show that there were some.
TEST(Resume, NeverBeginsAnewWhereAPartyHasKeptACheckpointAndCanUseNone) {
  for (const std::int64_t epoch : {kEvery, 5 * kEvery}) {
    const Agreed lost = agreed({{}, {}}, IfNone::kStartAfresh, epoch);
    EXPECT_THAT(lost.errors, Each(AllOf(HasSubstr("a checkpoint would be lost"), HasSubstr("--afresh"))));
    EXPECT_THAT(lost.errors[0], HasSubstr("rank 1 kept a checkpoint of epoch " + std::to_string(epoch)));
  }
  EXPECT_THAT(agreed({{a10}, {b10}}, IfNone::kStartAfresh, kEvery).errors, Each("")) << "it holds the one that it kept";
}

TEST(Resume, AnnouncesTheNewestWhereThereAreVeryMany) {
  std::vector<CheckpointId> many;
  for (std::int64_t epoch = 500; epoch > 0; --epoch) many.push_back({nonce_of(1), epoch});
  expect_all_at(agreed({many, {many.begin() + 10, many.end()}}), many[10]);
}

}  // namespace
}  // namespace tacit::gnn
