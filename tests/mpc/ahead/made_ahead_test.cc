// Correlations wait in the order of the program: bounded, by name, and without a thread that waits for ever.
#include "mpc/ahead/made_ahead.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "net/error.h"

namespace tacit::mpc {
namespace {

MadeShares words(std::int64_t count) {
  std::vector<RingTensor> tensors;
  tensors.push_back(RingTensor::zeros({1, count}, 64));
  return tensors;
}

std::int64_t size_of(const MadeShares& shares) { return std::get<std::vector<RingTensor>>(shares).front().size(); }

TEST(MadeAhead, GivesAllInOrder) {
  MadeAhead ahead(100);  // room for one of the correlations below
  std::thread maker([&] {
    for (std::int64_t i = 0; i < 50; ++i) ahead.put({i}, words(10 + i));
  });
  for (std::int64_t i = 0; i < 50; ++i) EXPECT_EQ(size_of(ahead.take({i})), 10 + i);
  maker.join();
}

TEST(MadeAhead, AMakerWaitsForRoom) {
  constexpr std::int64_t kRoom = 3;
  MadeAhead ahead(kRoom * 8 * 10);
  std::atomic<std::int64_t> put = 0;
  std::thread maker([&] {
    for (std::int64_t i = 0; i < 20; ++i, ++put) ahead.put({i}, words(10));
  });
  for (std::int64_t i = 0; i < 20; ++i) {
    ahead.take({i});
    EXPECT_LE(put, i + 1 + kRoom);
  }
  maker.join();
}

TEST(MadeAhead, APartyThatAsksForAnotherNameFindsABug) {
  MadeAhead ahead(100);
  ahead.put({1, 2, 3}, words(1));
  EXPECT_THROW(ahead.take({1, 2, 4}), BrokenInvariant);
}

TEST(MadeAhead, DecisionsReachTheMakerInOrder) {
  MadeAhead ahead(100);
  std::vector<bool> told;
  std::thread maker([&] {
    for (int i = 0; i < 4; ++i) told.push_back(ahead.decision());
  });
  for (const bool outcome : {true, false, false, true}) ahead.decided(outcome);
  maker.join();
  EXPECT_EQ(told, std::vector<bool>({true, false, false, true}));
}

TEST(MadeAhead, TheEndOfThePartyEndsAMakerThatWaits) {
  for (const bool decides : {false, true}) {
    MadeAhead ahead(8);
    ahead.put({1}, words(1));
    bool ended = false;
    std::thread maker([&] {
      try {
        decides ? static_cast<void>(ahead.decision()) : ahead.put({2}, words(1));
      } catch (const MadeAhead::Ended&) {
        ended = true;
      }
    });
    ahead.end();
    maker.join();
    EXPECT_TRUE(ended);
  }
}

TEST(MadeAhead, AnErrorOfTheMakerReachesThePartyAfterWhatWasMade) {
  MadeAhead ahead(100);
  ahead.put({1}, words(1));
  ahead.fail(std::make_exception_ptr(ConfigError("too little memory")));
  EXPECT_TRUE(ahead.has_failed());
  EXPECT_EQ(size_of(ahead.take({1})), 1);
  EXPECT_THROW(ahead.take({2}), ConfigError);
}

}  // namespace
}  // namespace tacit::mpc
