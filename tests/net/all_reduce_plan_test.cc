#include "net/collectives/all_reduce_plan.h"

#include <gtest/gtest.h>

#include <mutex>

#include "net/collectives/all_reduce_model.h"
#include "net/collectives/calibrate.h"
#include "net/error.h"
#include "net/memory/emulated_mesh.h"
#include "net/memory/memory_mesh.h"
#include "tests/net/meshes.h"

namespace tacit::net {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(AllReducePlan, ChoosesByTheRangeThatTheSizeIsIn) {
  const AllReducePlan plan({{0, AllReduce::kStar}, {100, AllReduce::kDirect}, {5000, AllReduce::kRing}});
  EXPECT_EQ(plan.choose(0), AllReduce::kStar);
  EXPECT_EQ(plan.choose(99), AllReduce::kStar);
  EXPECT_EQ(plan.choose(100), AllReduce::kDirect);
  EXPECT_EQ(plan.choose(std::int64_t{1} << 50), AllReduce::kRing);
  std::vector<std::uint64_t> words(1000);
  const Words tensors[] = {{words, 38}, {words, 1}};  // 4750 + 125 bytes
  EXPECT_EQ(plan.choose(tensors), AllReduce::kDirect);
  EXPECT_EQ(plan.text(), "star, from 100 B direct, from 5 KiB ring");
}

TEST(AllReducePlan, UnmeasuredIsDirectForTwoAndTwoPhaseForMuchAmongMore) {
  EXPECT_EQ(AllReducePlan::unmeasured(2).choose(64 << 20), AllReduce::kDirect);
  for (const int parties : {3, 4, 8}) {
    EXPECT_EQ(AllReducePlan::unmeasured(parties).choose(1024), AllReduce::kDirect);
    EXPECT_EQ(AllReducePlan::unmeasured(parties).choose(64 << 20), AllReduce::kTwoPhase);
  }
}

TEST(AllReducePlan, ParsesWhatItEncodesAndNothingElse) {
  const AllReducePlan plan({{0, AllReduce::kDirect}, {4096, AllReduce::kStar}, {1 << 20, AllReduce::kTwoPhase}});
  const std::vector<std::byte> good = plan.encode();
  EXPECT_EQ(std::ssize(good), AllReducePlan::kEncodedBytes);
  EXPECT_EQ(AllReducePlan::parse(good), plan);

  EXPECT_THROW((void)AllReducePlan::parse(ConstBytes(good).first(good.size() - 1)), ProtocolError);
  // The count, the beginnings and the algorithms take 8 bytes each; every field has invalid values.
  for (const std::size_t field : {0u, 1u, 2u, 3u, 4u, 6u, 7u, 100u}) {
    for (const std::size_t byte : {0u, 7u}) {
      std::vector<std::byte> bad = good;
      bad[field * 8 + byte] ^= std::byte{0xFF};
      if (field == 3 && byte == 0) continue;  // another beginning, in order
      EXPECT_THROW((void)AllReducePlan::parse(bad), ProtocolError) << field << " " << byte;
    }
  }
  EXPECT_THROW((void)AllReducePlan::parse(std::vector<std::byte>(good.size())), ProtocolError) << "no ranges";
}

TEST(AllReducePlan, RangesMustBeginAtZeroAndAscend) {
  EXPECT_THROW(AllReducePlan({}), BrokenInvariant);
  EXPECT_THROW(AllReducePlan({{1, AllReduce::kDirect}}), BrokenInvariant);
  EXPECT_THROW(AllReducePlan({{0, AllReduce::kDirect}, {9, AllReduce::kStar}, {8, AllReduce::kRing}}), BrokenInvariant);
}

TEST(AllReduceModel, DrawsLinesBetweenMeasurementsAndBeyond) {
  AllReduceModel model;
  EXPECT_FALSE(model.predict(AllReduce::kStar, 10).has_value());
  model.add(AllReduce::kStar, 1000, microseconds(10));
  EXPECT_EQ(model.predict(AllReduce::kStar, 1), microseconds(10));
  EXPECT_EQ(model.predict(AllReduce::kStar, 4000), microseconds(40)) << "in proportion";
  model.add(AllReduce::kStar, 2000, microseconds(30));
  EXPECT_EQ(model.predict(AllReduce::kStar, 1500), microseconds(20));
  EXPECT_EQ(model.predict(AllReduce::kStar, 4000), microseconds(70));
  model.add(AllReduce::kStar, 3000, microseconds(20));
  EXPECT_EQ(model.predict(AllReduce::kStar, 2500), microseconds(25));
  EXPECT_EQ(model.predict(AllReduce::kStar, 5000), microseconds(30)) << "from the smallest through the largest";
  model.add(AllReduce::kStar, 4000, microseconds(9));
  EXPECT_EQ(model.predict(AllReduce::kStar, 1 << 30), microseconds(9)) << "more bytes are never faster";
  model.add(AllReduce::kRing, 1000, microseconds(9));
  EXPECT_EQ(model.predict_best(1000), microseconds(9));
}

TEST(AllReduceModel, PlanTakesTheFastestAndFewerRoundsWhereItHardlyMatters) {
  AllReduceModel model;
  const auto line = [&](AllReduce algorithm, std::int64_t start_us, std::int64_t us_per_mib) {
    model.add(algorithm, 1024, microseconds(start_us));
    model.add(algorithm, 1 << 20, microseconds(start_us + us_per_mib));
  };
  line(AllReduce::kDirect, 10, 1000);
  line(AllReduce::kTwoPhase, 20, 500);
  line(AllReduce::kRing, 60, 495);
  line(AllReduce::kStar, 8, 3000);
  const AllReducePlan plan = model.plan();
  EXPECT_EQ(plan.choose(512), AllReduce::kStar);
  EXPECT_EQ(plan.choose(8 << 10), AllReduce::kDirect);
  EXPECT_EQ(plan.choose(64 << 10), AllReduce::kTwoPhase);
  EXPECT_EQ(plan.choose(64 << 20), AllReduce::kTwoPhase) << "the ring is only 1 % faster";
}

TEST(Calibration, EveryPartyGetsThePlanOfRankZero) {
  for (const MeshKind& kind : every_mesh()) {
    for (const int parties : {1, 2, 3}) {
      SCOPED_TRACE(kind.name);
      std::mutex mutex;
      std::vector<AllReducePlan> plans;
      run_ranks(kind.make(parties, 1), [&](Mesh& mesh) {
        if (!mesh.world().is_party()) return;
        Group group(mesh);
        const Calibration calibration = calibrate_all_reduce(group, {.budget = milliseconds(20), .rounds = 1});
        const std::lock_guard lock(mutex);
        plans.push_back(calibration.plan);
        EXPECT_EQ(calibration.latency.count() > 0, parties > 1);
      });
      for (const AllReducePlan& plan : plans) EXPECT_EQ(plan, plans[0]);
    }
  }
}

// The calibration of the link as rank 0 measures it.
Calibration calibrate_over(const Link& link) {
  Meshes meshes = memory_mesh(4);
  for (auto& mesh : meshes) mesh = emulate_link(std::move(mesh), link);
  Calibration found{AllReducePlan::unmeasured(4)};
  run_ranks(std::move(meshes), [&](Mesh& mesh) {
    Group group(mesh);
    Calibration mine = calibrate_all_reduce(group, {.rounds = 60});
    if (mesh.rank() == 0) found = std::move(mine);
  });
  return found;
}

TEST(Calibration, FindsOutThatAWideLinkWantsFewRoundsForLittleAndFewBytesForMuch) {
  // Half a round trip of 10 ms carries 50 kB: direct breaks even with two-phase at 50 kB * 4 / (3 * 2) = 33 kB.
  const Link link{milliseconds(20), 40e6};
  const auto right = [](const Calibration& c) {
    return c.plan.choose(1024) == AllReduce::kDirect && c.plan.choose(8 << 10) == AllReduce::kDirect &&
           c.plan.choose(128 << 10) == AllReduce::kTwoPhase && c.latency >= milliseconds(10) &&
           c.bytes_per_second <= 5e6 * 1.1;
  };
  // The test measures time, which a busy machine may spoil: one try in twenty must be right.
  Calibration calibration = calibrate_over(link);
  for (int more = 19; more > 0 && !right(calibration); --more) calibration = calibrate_over(link);
  EXPECT_TRUE(right(calibration)) << calibration.text();
}

}  // namespace
}  // namespace tacit::net
