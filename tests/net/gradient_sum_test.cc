// Every way of synchronising gradients gives the same bits as an independent sum, at its stated cost.
#include "net/synchronise/gradient_sum.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>

#include "net/error.h"
#include "net/synchronise/gradient_layout.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_gradients.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

constexpr std::array kPlainWays{SyncWay::kGatherScatter, SyncWay::kPerLayer, SyncWay::kRing, SyncWay::kTwoPhase,
                                SyncWay::kBuckets};

// Sizes of zero, one, primes, larger than a bucket and smaller.
const std::vector<Sizes>& ugly_models() {
  static const std::vector<Sizes> models = {
      {1}, {0}, {0, 0, 3}, {2}, {7, 0, 1, 1009, 2, 0}, {10007, 1, 3}, {5, 6, 7, 8, 9, 10, 11, 12}};
  return models;
}

// The orders in which a rank may call ready().
std::vector<std::size_t> shuffled(std::size_t count, int salt) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return sample_gradient(salt, 1, a, 0) < sample_gradient(salt, 1, b, 0);
  });
  return order;
}

void give_step(GradientSum& sum, const Sizes& sizes, int rank, std::int64_t step,
               const std::vector<std::size_t>& order) {
  for (const std::size_t p : order) sum.ready(p, sample_gradients(rank, step, p, sizes[p]));
}

Gradients means_of(const GradientSum& sum, const Sizes& sizes) {
  Gradients means;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    sum.mean(p, means.emplace_back(static_cast<std::size_t>(sizes[p])));
  }
  return means;
}

Gradients expected_means(const Sizes& sizes, int ranks, std::int64_t step, int fraction_bits) {
  Gradients means;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    means.push_back(mean_of_samples(ranks, step, p, sizes[p], fraction_bits));
  }
  return means;
}

class GradientSumOver : public testing::TestWithParam<MeshKind> {
 protected:
  std::vector<int> parties() const { return GetParam().name == "Memory" ? std::vector{1, 2, 3, 5} : std::vector{2, 3}; }
};

INSTANTIATE_TEST_SUITE_P(Every, GradientSumOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(GradientSumOver, MeshHasTheBitsOfAnIndependentSumAtTheStatedCostInEveryWay) {
  for (const int parties : parties()) {
    run_ranks(GetParam().make(parties, 0), [&](Mesh& mesh) {
      for (const Sizes& sizes : ugly_models()) {
        for (const SyncWay way : kPlainWays) {
          for (const std::int64_t bucket : {8, 40, 4096, 1 << 20}) {
            if (way != SyncWay::kBuckets && bucket != 4096) continue;
            const SyncSettings settings{.way = way, .bucket_bytes = bucket, .fraction_bits = 20};
            const std::int64_t all = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
            if (all / bucket > (mesh.parties() == 2 ? 200 : 20)) continue;  // thousands of rounds
            SCOPED_TRACE(std::string(name(way)) + ", bucket of " + std::to_string(bucket) + ", rank " +
                         std::to_string(mesh.rank()) + " of " + std::to_string(mesh.parties()));
            GradientSum sum(mesh, sizes, settings);
            for (const std::int64_t step : {0, 1}) {
              const Traffic before = mesh.traffic();
              give_step(sum, sizes, mesh.rank(), step, shuffled(sizes.size(), mesh.rank()));
              sum.finish();
              const Traffic moved = mesh.traffic() - before;
              EXPECT_EQ(means_of(sum, sizes), expected_means(sizes, parties, step, 20));
              const Cost stated = gradient_sum_cost(sizes, settings, parties, mesh.rank());
              EXPECT_EQ(moved.total().payload_sent, stated.bytes);
              EXPECT_EQ(moved.total().messages_sent, stated.messages);
              EXPECT_EQ(moved.rounds, stated.rounds);
            }
          }
        }
      }
    });
  }
}

TEST_P(GradientSumOver, MeshEndsEverywhereWhenOnePartyFailsInAStep) {
  for (const SyncWay way : {SyncWay::kRing, SyncWay::kBuckets}) {
    const auto errors = errors_of_ranks(GetParam().make(3, 0), [&](Mesh& mesh) {
      const Sizes sizes{50'000, 50'000, 50'000};
      GradientSum sum(mesh, sizes, {.way = way, .bucket_bytes = 200'000});
      give_step(sum, sizes, mesh.rank(), 0, {0, 1, 2});
      sum.finish();
      if (mesh.rank() == 1) {
        sum.ready(0, sample_gradients(1, 1, 0, sizes[0]));
        throw NetError("the power failed");
      }
      give_step(sum, sizes, mesh.rank(), 1, {0, 1, 2});
      sum.finish();
      sum.ready(0, sample_gradients(1, 1, 0, sizes[0]));
    });
    for (const int rank : {0, 2}) {
      EXPECT_THAT(message_of(errors[static_cast<std::size_t>(rank)]), HasSubstr("the power failed")) << name(way);
      EXPECT_THAT(message_of(errors[static_cast<std::size_t>(rank)]), HasSubstr("rank 1")) << name(way);
    }
  }
}

TEST(GradientSum, OfWholeUnitsHasTheBitsOfTheGradientsThatRoundToThem) {
  for (const int parties : {1, 2, 3}) {
    for (const Sizes& sizes : ugly_models()) {
      run_ranks(mesh_kind("Memory").make(parties, 0), [&](Mesh& mesh) {
        GradientSum sum(mesh, sizes, {.bucket_bytes = 4096, .fraction_bits = 20});
        for (const std::int64_t step : {0, 1}) {
          for (std::size_t p = 0; p < sizes.size(); ++p) {
            std::vector<std::int32_t> units;
            for (const float value : sample_gradients(mesh.rank(), step, p, sizes[p])) {
              units.push_back(static_cast<std::int32_t>(std::llrint(std::ldexp(static_cast<double>(value), 20))));
            }
            sum.ready(p, units);
          }
          sum.finish();
          EXPECT_EQ(means_of(sum, sizes), expected_means(sizes, parties, step, 20));
        }
      });
    }
  }
}

TEST(GradientSum, RefusesUnitsBeyondItsRangeAndTellsOthersNoValue) {
  const auto errors = errors_of_ranks(mesh_kind("Memory").make(2, 0), [](Mesh& mesh) {
    GradientSum sum(mesh, {2}, {.fraction_bits = 22});
    sum.ready(0, std::vector<std::int32_t>{0, mesh.rank() == 1 ? 1'234'567'890 : 1});
    sum.finish();
  });
  const std::string told = message_of(errors[1]);
  EXPECT_THAT(told, HasSubstr("a gradient of parameter 0 is not a number or is larger than 256"));
  EXPECT_THAT(told, testing::Not(HasSubstr("1234567890")));
}

// As many bytes as DistributedDataParallel sends for floats. The model is VGG-11.
TEST(GradientSum, SendsFourBytesForEachGradientOfAModelWithEvenSizes) {
  const Sizes vgg = {10, 5120, 2359296, 512, 2359296, 512, 1179648, 256, 589824, 256, 294912, 128, 73728, 64, 1728};
  const std::int64_t count = std::accumulate(vgg.begin(), vgg.end(), std::int64_t{0});
  for (const int parties : {2, 4}) {
    for (const SyncWay way : {SyncWay::kRing, SyncWay::kTwoPhase, SyncWay::kBuckets}) {
      std::int64_t sent = 0;
      for (int rank = 0; rank < parties; ++rank) sent += gradient_sum_cost(vgg, {.way = way}, parties, rank).bytes;
      EXPECT_EQ(sent, 2 * (parties - 1) * 4 * count) << name(way);
    }
    EXPECT_EQ(gradient_sum_cost(vgg, {.way = SyncWay::kGatherScatter}, parties, 0).bytes, (parties - 1) * 4 * count);
    EXPECT_EQ(gradient_sum_cost(vgg, {.way = SyncWay::kGatherScatter}, parties, 1).bytes, 4 * count);
  }
}

TEST(GradientSum, SendsNothingForAParameterWithoutGradientsAndAWholeWordForAnOddOne) {
  const auto sent = [](const Sizes& sizes, SyncWay way) { return gradient_sum_cost(sizes, {.way = way}, 2, 1); };
  for (const SyncWay way : kPlainWays) EXPECT_EQ(sent({0, 0}, way), Cost()) << name(way);
  EXPECT_EQ(sent({0, 3, 0, 1, 2}, SyncWay::kGatherScatter), (Cost{.rounds = 2, .bytes = 32, .messages = 1}));
  EXPECT_EQ(sent({0, 3, 0, 1, 2}, SyncWay::kPerLayer), (Cost{.rounds = 3, .bytes = 32, .messages = 3}));
  EXPECT_EQ(sent({0, 3, 0, 1, 2}, SyncWay::kBuckets), (Cost{.rounds = 1, .bytes = 32, .messages = 1}));
}

TEST(GradientSum, OfOneProcessWithPartsHasTheBitsOfSeveralRanks) {
  const Sizes sizes{7, 0, 1009, 2};
  for (const int parties : {2, 3}) {
    for (const int parts : {1, 2}) {
      const int contributions = parties * parts;
      std::mutex mutex;
      std::vector<Gradients> found;
      const auto train = [&](Mesh& mesh) {
        const int own = contributions / mesh.parties();
        GradientSum sum(mesh, sizes, {.bucket_bytes = 256, .parts = own});
        Gradients means;
        for (const std::int64_t step : {0, 1, 2}) {
          for (int part = 0; part < own; ++part) {
            give_step(sum, sizes, mesh.rank() * own + part, step, shuffled(sizes.size(), part));
          }
          sum.finish();
          for (Gradient& mean : means_of(sum, sizes)) means.push_back(std::move(mean));
        }
        const std::lock_guard lock(mutex);
        found.push_back(means);
      };
      run_ranks(mesh_kind("Memory").make(1, 0), train);
      run_ranks(mesh_kind("Memory").make(parties, 0), train);
      ASSERT_EQ(std::ssize(found), parties + 1);
      EXPECT_EQ(found.front()[2], mean_of_samples(contributions, 0, 2, sizes[2], 22));
      for (const Gradients& means : found) EXPECT_EQ(means, found.front());
    }
  }
}

void wait_for(const std::function<bool()>& happened, const char* what) {
  const Clock::time_point deadline = Clock::now() + std::chrono::seconds(20);
  while (!happened()) {
    if (Clock::now() > deadline) throw NetError(std::string("the test waited in vain: ") + what);
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// Each rank withholds its last gradient until the sums of the full buckets have left and arrived. The run ends only if
// buckets leave without it.
TEST_P(GradientSumOver, MeshSumsFullBucketsBeforeTheLastGradientIsReady) {
  const Sizes sizes{1000, 2000, 30, 970};
  constexpr std::int64_t kBucket = 4000;
  for (const int parties : {2, 3}) {
    run_ranks(GetParam().make(parties, 0), [&](Mesh& mesh) {
      GradientSum sum(mesh, sizes, {.bucket_bytes = kBucket});
      for (const std::int64_t step : {0, 1}) {
        const std::int64_t before = mesh.traffic().total().payload_received;
        const auto received = [&] { return mesh.traffic().total().payload_received - before; };
        give_step(sum, sizes, mesh.rank(), step, {0});
        wait_for([&] { return received() >= 4000 * (parties - 1); }, "for the first bucket");
        // The last of four buckets holds parameters 2 and 3.
        give_step(sum, sizes, mesh.rank(), step, {2, 1});
        wait_for([&] { return received() >= 3 * 4000 * (parties - 1); }, "for all buckets but the last");
        EXPECT_EQ(received(), 3 * 4000 * (parties - 1));
        give_step(sum, sizes, mesh.rank(), step, {3});
        sum.finish();
        EXPECT_EQ(means_of(sum, sizes), expected_means(sizes, parties, step, 22));
        EXPECT_GT(sum.times().hidden.count(), 0);
        EXPECT_LE(sum.times().hidden, sum.times().communicating);
      }
    });
  }
}

// Buckets that fill in the opposite order at one rank are still added up in the same order: with a bucket's words at one rank
// and another bucket's at the next, the sums would be wrong.
TEST(GradientSum, OfRanksThatFillBucketsInOppositeOrdersIsRight) {
  const Sizes sizes(6, 500);
  run_ranks(mesh_kind("Memory").make(3, 0), [&](Mesh& mesh) {
    GradientSum sum(mesh, sizes, {.bucket_bytes = 2000});
    std::vector<std::size_t> order{0, 1, 2, 3, 4, 5};
    for (std::int64_t step = 0; step < 20; ++step) {
      if (mesh.rank() == 1) std::reverse(order.begin(), order.end());
      if (mesh.rank() == 2) std::rotate(order.begin(), order.begin() + 1, order.end());
      give_step(sum, sizes, mesh.rank(), step, order);
      sum.finish();
      EXPECT_EQ(means_of(sum, sizes), expected_means(sizes, 3, step, 22));
    }
  });
}

// A caller that computes on while its thread adds up: the caller's own messages are on another stream.
TEST(GradientSum, LeavesTheCallersStreamsAlone) {
  const Sizes sizes{20'000, 20'000};
  run_ranks(mesh_kind("Tls").make(3, 0), [&](Mesh& mesh) {
    Group group(mesh);
    GradientSum sum(mesh, sizes, {.bucket_bytes = 20'000});
    for (std::int64_t step = 0; step < 5; ++step) {
      for (std::size_t p = 0; p < 2; ++p) {
        give_step(sum, sizes, mesh.rank(), step, {p});
        std::vector<std::uint64_t> loss(100, static_cast<std::uint64_t>(mesh.rank()));
        all_reduce(group, std::array{Words{loss}}, AllReduce::kDirect);
        EXPECT_EQ(loss.back(), 3U);
      }
      sum.finish();
      EXPECT_EQ(means_of(sum, sizes), expected_means(sizes, 3, step, 22));
    }
  });
}

// The errors of all ranks of one program.
std::vector<std::string> messages_of(int parties, const std::function<void(Mesh&)>& program) {
  std::vector<std::string> messages;
  for (const auto& error : errors_of_ranks(mesh_kind("Memory").make(parties, 0), program)) {
    messages.push_back(message_of(error));
    if (!error) continue;
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      EXPECT_EQ(exit_of(e), Exit::kConfig) << e.what();
    }
  }
  return messages;
}

std::string message_alone(const std::function<void(Mesh&)>& program) { return messages_of(1, program).front(); }

TEST(GradientSum, ThatDiffersBetweenRanksEndsBothSidesWithOneSentence) {
  struct Rank1 {
    Sizes sizes;
    SyncSettings settings;
    std::string sentence;
  };
  const Sizes sizes{3, 5};
  const SyncSettings settings{.bucket_bytes = 800, .names = {"weight", "bias"}};
  const auto with = [&](auto change) {
    SyncSettings changed = settings;
    change(changed);
    return changed;
  };
  const std::vector<Rank1> cases = {
      {{3, 6}, settings, "parameter 1 has 5 gradients at rank 0 and 6 at rank 1"},
      {{3, 5, 0},
       with([](auto& s) { s.names.emplace_back("new"); }),
       "the number of parameters is 2 at rank 0 and 3 at rank 1"},
      {sizes, with([](auto& s) { s.names[0] = "w"; }), "parameter 0 has one name at rank 0 and another at rank 1"},
      {sizes, with([](auto& s) { s.bucket_bytes = 8; }), "the size of a bucket is 800 at rank 0 and 8 at rank 1"},
      {sizes, with([](auto& s) { s.fraction_bits = 3; }),
       "the number of fraction bits is 22 at rank 0 and 3 at rank 1"},
      {sizes, with([](auto& s) { s.parts = 2; }), "the number of parts of a step is 1 at rank 0 and 2 at rank 1"},
      {sizes, with([](auto& s) { s.way = SyncWay::kRing; }), "the way is buckets at rank 0 and ring at rank 1"},
  };
  for (const Rank1& rank1 : cases) {
    const auto messages = messages_of(3, [&](Mesh& mesh) {
      GradientSum(mesh, mesh.rank() == 1 ? rank1.sizes : sizes, mesh.rank() == 1 ? rank1.settings : settings);
    });
    for (const std::string& message : messages) EXPECT_THAT(message, HasSubstr(rank1.sentence));
  }
  // A bucket's size does not matter if there are no buckets.
  EXPECT_EQ(
      messages_of(
          2, [&](Mesh& mesh) { GradientSum(mesh, sizes, {.way = SyncWay::kRing, .bucket_bytes = 8 + mesh.rank()}); }),
      std::vector<std::string>(2));
}

TEST(GradientSum, WithSettingsThatMakeNoSenseIsRefused) {
  const auto refusal = [](Sizes sizes, SyncSettings settings) {
    return message_alone([&](Mesh& mesh) { GradientSum(mesh, sizes, settings); });
  };
  EXPECT_THAT(refusal({1}, {.bucket_bytes = 0}), HasSubstr("buckets of 0 bytes: give at least 8"));
  EXPECT_THAT(refusal({1}, {.bucket_bytes = 7}), HasSubstr("buckets of 7 bytes"));
  EXPECT_THAT(refusal({1}, {.bucket_bytes = -1}), HasSubstr("buckets of -1 bytes"));
  EXPECT_THAT(refusal({}, {}), HasSubstr("gradients of no parameters"));
  EXPECT_THAT(refusal({1, -1}, {.names = {"a", "b"}}), HasSubstr("parameter b has a size of -1"));
  EXPECT_THAT(refusal({1}, {.names = {"a", "b"}}), HasSubstr("2 names for 1 parameters"));
  EXPECT_THAT(refusal({std::int64_t{1} << 62, std::int64_t{1} << 62}, {}), HasSubstr("all parameters together"));
  EXPECT_THAT(refusal({1}, {.fraction_bits = 31}), HasSubstr("31 fraction bits: give 0 to 30"));
  EXPECT_THAT(refusal({1}, {.parts = 0}), HasSubstr("0 parts of a step"));
  EXPECT_THAT(refusal({1}, {.way = SyncWay::kSecureSum}), HasSubstr("a secure sum without masks"));
  for (const SyncWay way : kPlainWays) EXPECT_EQ(parse_sync_way(name(way)), way);
  EXPECT_EQ(parse_sync_way("secure-sum"), SyncWay::kSecureSum);
  EXPECT_THROW(parse_sync_way("Ring"), ConfigError);
}

TEST(GradientSum, RefusesAValueBeyondItsRangeAndNamesTheParameterWithoutTheValue) {
  for (const SyncWay way : {SyncWay::kBuckets, SyncWay::kGatherScatter}) {
    for (const float bad : {129.0F, std::numeric_limits<float>::quiet_NaN()}) {
      const auto errors = errors_of_ranks(mesh_kind("Memory").make(4, 0), [&](Mesh& mesh) {
        const Sizes sizes{100, 100};
        GradientSum sum(mesh, sizes, {.way = way, .bucket_bytes = 400, .names = {"conv", "linear"}});
        give_step(sum, sizes, mesh.rank(), 0, {0});
        Gradient gradient(100, 1.0F);
        if (mesh.rank() == 2) gradient[7] = bad;
        sum.ready(1, gradient);
        sum.finish();
      });
      try {
        ASSERT_NE(errors[2], nullptr);
        std::rethrow_exception(errors[2]);
      } catch (const ConfigError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a gradient of parameter linear is not a number or is larger than 128, the "
                                            "range of 22 fraction bits and 4 contributions"));
        EXPECT_THAT(error.what(), testing::Not(HasSubstr("129")));
        EXPECT_THAT(error.local_detail(), HasSubstr("gradient 7 of parameter linear is"));
      }
      for (const std::size_t rank : {0U, 1U, 3U}) {
        EXPECT_THAT(message_of(errors[rank]), HasSubstr("a gradient of parameter linear")) << name(way);
      }
    }
  }
}

TEST(GradientSum, CalledOutOfOrderSaysSo) {
  const auto message = [](const std::function<void(GradientSum&)>& calls) {
    return message_alone([&](Mesh& mesh) {
      GradientSum sum(mesh, {2, 3}, {.names = {"a", "b"}});
      calls(sum);
    });
  };
  const Gradient two(2), three(3);
  Gradient out(2);
  EXPECT_THAT(message([&](auto& sum) { sum.ready(0, two), sum.ready(0, two); }),
              HasSubstr("ready() for parameter a came 2 times in a step of 1 part(s)"));
  EXPECT_THAT(message([&](auto& sum) { sum.ready(0, three); }), HasSubstr("3 gradients for parameter a: it has 2"));
  EXPECT_THAT(message([&](auto& sum) { sum.ready(2, two); }), HasSubstr("gradients of parameter 2: the sum has 2"));
  EXPECT_THAT(message([&](auto& sum) { sum.ready(0, two), sum.finish(); }),
              HasSubstr("finish() was called before ready() for parameter b"));
  EXPECT_THAT(message([&](auto& sum) { sum.ready(0, two), sum.ready(1, three), sum.finish(), sum.finish(); }),
              HasSubstr("finish() was called before ready() for parameter a"));
  EXPECT_THAT(message([&](auto& sum) { sum.ready(0, two), sum.mean(0, out); }), HasSubstr("before finish()"));
}

// After some buckets of a step, at every rank.
TEST(GradientSum, DestroyedInTheMiddleOfAStepStopsItsThread) {
  for (int full = 0; full <= 3; ++full) {
    run_ranks(mesh_kind("Memory").make(3, 0), [&](Mesh& mesh) {
      const Sizes sizes(4, 1000);
      GradientSum sum(mesh, sizes, {.bucket_bytes = 4000});
      const std::int64_t before = mesh.traffic().total().payload_received;
      for (int p = 0; p < full; ++p) give_step(sum, sizes, mesh.rank(), 0, {static_cast<std::size_t>(p)});
      wait_for([&] { return mesh.traffic().total().payload_received - before >= full * 8000; }, "for full buckets");
    });
  }
}

}  // namespace
}  // namespace tacit::net
