// Asynchronous gradients: each is applied once at every rank, whole, in order, and never too late.
#include "net/synchronise/late_gradients.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "net/error.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_gradients.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

const Sizes& late_sizes() {
  static const Sizes sizes{1009, 0, 1, 20'011};  // more than a mesh between threads keeps for a sender
  return sizes;
}

std::vector<std::span<const float>> spans_of(const Gradients& gradients) {
  return {gradients.begin(), gradients.end()};
}

Gradients gradients_of(int rank, std::int64_t step) {
  Gradients gradients;
  for (std::size_t p = 0; p < late_sizes().size(); ++p) {
    gradients.push_back(sample_gradients(rank, step, p, late_sizes()[p]));
  }
  return gradients;
}

// The gradients that one rank applied, and how late.
class Applied {
 public:
  explicit Applied(std::int64_t first_step = 0) : first_step_(first_step) {}

  LateGradients::Apply apply() {
    return [this](const ArrivedGradient& arrived) {
      EXPECT_EQ(arrived.step, steps_[arrived.from]++) << "from rank " << arrived.from;
      latest_ = std::max(latest_, arrived.lateness);
      ASSERT_EQ(arrived.gradients.size(), late_sizes().size());
      const Gradients sent = gradients_of(arrived.from, first_step_ + arrived.step);
      for (std::size_t p = 0; p < sent.size(); ++p) {
        EXPECT_TRUE(std::ranges::equal(arrived.gradients[p], sent[p])) << "parameter " << p;
      }
    };
  }
  std::int64_t from(int rank) { return steps_[rank]; }
  std::int64_t latest() const { return latest_; }

 private:
  std::int64_t first_step_;
  std::map<int, std::int64_t> steps_;  // by rank
  std::int64_t latest_ = 0;
};

struct Plan {
  int parties = 3;
  int staleness = 2;
  std::vector<std::int64_t> steps;  // by rank
};

// A phase of training with random delays, so that each rank is ahead at times.
void train_late(Mesh& mesh, LateGradients& late, const Plan& plan, int phase) {
  constexpr std::int64_t kPhase = 1000;
  std::mt19937 random(static_cast<unsigned>(mesh.rank() * 7 + phase));
  const std::int64_t steps = plan.steps[static_cast<std::size_t>(mesh.rank())], first = phase * kPhase;
  Applied applied(first);
  late.begin(steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 4 == 0 ? random() % 3000 : 0));
    late.send(spans_of(gradients_of(mesh.rank(), first + step)));
    late.receive(applied.apply());
    for (int peer = 0; peer < mesh.parties(); ++peer) {
      if (peer == mesh.rank()) continue;
      const std::int64_t last = plan.steps[static_cast<std::size_t>(peer)];
      EXPECT_GE(applied.from(peer), std::min(last, step - plan.staleness + 1))
          << "rank " << peer << " in step " << step;
      if (step + 1 < steps) {  // a peer that has all gradients of this rank may run to its end
        EXPECT_LE(applied.from(peer), step + plan.staleness + 2) << "a peer cannot be so far ahead";
      }
    }
  }
  late.drain(applied.apply());
  for (int peer = 0; peer < mesh.parties(); ++peer) {
    if (peer != mesh.rank()) {
      EXPECT_EQ(applied.from(peer), plan.steps[static_cast<std::size_t>(peer)]);
    }
  }
  EXPECT_LE(applied.latest(), plan.staleness);
  EXPECT_LE(applied.latest(), late.oldest());
}

class LateGradientsOver : public testing::TestWithParam<MeshKind> {};

INSTANTIATE_TEST_SUITE_P(Every, LateGradientsOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(LateGradientsOver, MeshAreAppliedOnceAndNeverTooLateUnderRandomDelays) {
  const bool memory = GetParam().name == "Memory";
  std::vector<Plan> plans = {{2, 0, {12, 12}}, {3, 2, {12, 12, 12}}, {3, 1, {9, 0, 14}}};
  if (memory) plans.insert(plans.end(), {{1, 3, {5}}, {5, 0, {8, 8, 8, 8, 8}}, {5, 4, {8, 1, 20, 8, 9}}});
  for (const Plan& plan : plans) {
    SCOPED_TRACE(std::to_string(plan.parties) + " parties, staleness " + std::to_string(plan.staleness));
    run_ranks(GetParam().make(plan.parties, 0), [&](Mesh& mesh) {
      LateGradients late(mesh, late_sizes(), {.staleness = plan.staleness});
      for (const int phase : {0, 1}) {
        const Traffic before = mesh.traffic();
        train_late(mesh, late, plan, phase);
        const PeerTraffic moved = (mesh.traffic() - before).total();
        const std::int64_t peers = mesh.parties() - 1;
        const std::int64_t steps = plan.steps[static_cast<std::size_t>(mesh.rank())];
        EXPECT_EQ(moved.payload_sent, peers * (8 + steps * 4 * (1009 + 1 + 20'011)));
        EXPECT_EQ(moved.messages_sent, peers * (1 + steps));
      }
    });
  }
}

// Rank 1 waits in its step until rank 0 is as far ahead as the bound permits. Only the bound holds rank 0.
TEST(LateGradients, LetARankRunAheadByTheStalenessAndNoFurther) {
  constexpr int kSteps = 20;
  for (const int staleness : {0, 1, 3}) {
    std::atomic<int> done_by_0 = 0;  // calls of receive() that have returned
    run_ranks(mesh_kind("Memory").make(2, 0), [&](Mesh& mesh) {
      LateGradients late(mesh, {10}, {.staleness = staleness});
      const auto nothing = [](const ArrivedGradient&) {};
      late.begin(kSteps);
      const Gradient gradient(10, 1.0F);
      const std::array<std::span<const float>, 1> gradients{gradient};
      for (int step = 0; step < kSteps; ++step) {
        if (mesh.rank() == 1) {
          // Rank 1 has sent `step` gradients, so rank 0 may return from the receive() of step `step` - 1 + staleness.
          const int may = std::min(step + staleness, kSteps);
          while (done_by_0 < may) std::this_thread::yield();
          std::this_thread::sleep_for(std::chrono::milliseconds(2));
          EXPECT_EQ(done_by_0, may);
        }
        late.send(gradients);
        late.receive(nothing);
        if (mesh.rank() == 0) ++done_by_0;
      }
      late.drain(nothing);
      EXPECT_LE(late.oldest(), staleness);
      if (mesh.rank() == 0) {
        EXPECT_EQ(late.oldest(), staleness);
      }
    });
  }
}

TEST_P(LateGradientsOver, MeshEndsEverywhereWhenAPeerDies) {
  for (const int staleness : {0, 3}) {
    const auto errors = errors_of_ranks(GetParam().make(3, 0), [&](Mesh& mesh) {
      LateGradients late(mesh, late_sizes(), {.staleness = staleness});
      Applied applied;
      late.begin(50);
      for (int step = 0; step < 50; ++step) {
        if (mesh.rank() == 1 && step == 5) throw NetError("the power failed");
        late.send(spans_of(gradients_of(mesh.rank(), step)));
        late.receive(applied.apply());
      }
      late.drain(applied.apply());
    });
    for (const std::size_t rank : {0U, 2U}) {
      EXPECT_THAT(message_of(errors[rank]), HasSubstr("the power failed"));
      EXPECT_THAT(message_of(errors[rank]), HasSubstr("rank 1"));
    }
  }
}

// Every rank's error contains `reason`. A rank may repeat the error of another rank, which gave up before this rank had
// compared all settings.
void expect_refused(int parties, const std::function<void(Mesh&)>& program, const std::string& reason) {
  for (const auto& error : errors_of_ranks(mesh_kind("Memory").make(parties, 0), program)) {
    EXPECT_THAT(message_of(error), HasSubstr(reason));
  }
}

TEST(LateGradients, WithBadSettingsOrDifferentOnesAreRefused) {
  const auto with = [](const Sizes& sizes, const LateSettings& settings) {
    return [=](Mesh& mesh) { LateGradients(mesh, sizes, settings); };
  };
  expect_refused(2, with({1}, {.staleness = -1}), "a staleness of -1 steps: give 0");
  expect_refused(2, with({}, {}), "gradients of no parameters");
  expect_refused(
      3, [](Mesh& mesh) { LateGradients(mesh, {1}, {.staleness = mesh.rank() / 2}); },
      "the staleness is 0 at rank 0 and 1 at rank 2");
  expect_refused(
      3,
      [](Mesh& mesh) {
        LateGradients(mesh, {4, 1 + mesh.rank() / 2}, {});
      },
      "parameter 1 has 1 gradients at rank 0 and 2 at rank 2");
}

TEST(LateGradients, CalledOutOfOrderSaySo) {
  const Gradient two(2), three(3);
  const std::array<std::span<const float>, 1> good{two}, wrong{three};
  const std::array<std::span<const float>, 2> many{two, two};
  const auto nothing = [](const ArrivedGradient&) {};
  const auto message = [&](const std::function<void(LateGradients&)>& calls) {
    const auto errors = errors_of_ranks(mesh_kind("Memory").make(1, 0), [&](Mesh& mesh) {
      LateGradients late(mesh, {2}, {.names = {"a"}});
      calls(late);
    });
    return message_of(errors[0]);
  };
  EXPECT_THAT(message([&](auto& late) { late.send(good); }), HasSubstr("send() was called before begin()"));
  EXPECT_THAT(message([&](auto& late) { late.begin(-1); }), HasSubstr("-1 steps"));
  EXPECT_THAT(message([&](auto& late) { late.begin(1), late.begin(1); }), HasSubstr("call drain()"));
  EXPECT_THAT(message([&](auto& late) { late.begin(1), late.receive(nothing); }), HasSubstr("before send()"));
  EXPECT_THAT(message([&](auto& late) { late.begin(2), late.send(good), late.send(good); }), HasSubstr("twice"));
  EXPECT_THAT(message([&](auto& late) { late.begin(0), late.send(good); }), HasSubstr("begin() announced 0 step(s)"));
  EXPECT_THAT(message([&](auto& late) { late.begin(1), late.drain(nothing); }), HasSubstr("drain() after 0 of 1"));
  EXPECT_THAT(message([&](auto& late) { late.begin(1), late.send(wrong); }),
              HasSubstr("3 gradients for parameter a: it has 2"));
  EXPECT_THAT(message([&](auto& late) { late.begin(1), late.send(many); }), HasSubstr("2 parameters: there are 1"));
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    const Gradient sick{1, bad};
    const std::array<std::span<const float>, 1> gradients{sick};
    EXPECT_THAT(message([&](auto& late) { late.begin(1), late.send(gradients); }),
                HasSubstr("a gradient of parameter a is infinite or not a number"));
  }
}

}  // namespace
}  // namespace tacit::net
