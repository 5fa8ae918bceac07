// Base transfers give the receiver the key that it chose, and refuse bytes that are no point.
#include "mpc/ot/base_ot.h"

#include <gtest/gtest.h>

#include "net/error.h"

namespace tacit::mpc {
namespace {

constexpr BaseOtName kBaseName{{}, 0, 1};

net::Secret alternating_choices(std::int64_t count) {
  net::Secret choices(count);
  for (std::int64_t i = 0; i < count; ++i) choices.bytes()[static_cast<std::size_t>(i)] = std::byte(i % 3 == 1);
  return choices;
}

TEST(BaseOt, GivesTheChosenKeyAlone) {
  Workers workers(2);
  const net::Secret choices = alternating_choices(20);
  const BaseOtSender sender(kBaseName);
  const BaseOtReceiver receiver(kBaseName, sender.point(), choices.bytes(), workers);
  const SecretBlocks both = sender.keys(receiver.points(), workers);
  ASSERT_EQ(both.size(), 40);
  for (std::int64_t i = 0; i < 20; ++i) {
    const int chosen = std::to_integer<int>(choices.bytes()[static_cast<std::size_t>(i)]);
    EXPECT_EQ(receiver.keys()[i], both[2 * i + chosen]);
    EXPECT_NE(receiver.keys()[i], both[2 * i + 1 - chosen]);
    for (std::int64_t k = 0; k < i; ++k) EXPECT_NE(receiver.keys()[i], receiver.keys()[k]);
  }
}

// A message of another session, pair or direction gives other keys.
TEST(BaseOt, BindsKeysToSessionPairAndDirection) {
  Workers workers;
  const net::Secret choices = alternating_choices(3);
  for (const BaseOtName& other : {BaseOtName{{std::byte{1}}, 0, 1}, BaseOtName{{}, 2, 1}, BaseOtName{{}, 1, 0}}) {
    const BaseOtSender sender(kBaseName);
    const BaseOtReceiver receiver(other, sender.point(), choices.bytes(), workers);
    const SecretBlocks both = sender.keys(receiver.points(), workers);
    for (std::int64_t i = 0; i < 6; ++i) EXPECT_NE(receiver.keys()[i / 2], both[i]);
  }
}

// The same point sent twice, as by a peer that repeats its randomness, gives keys that differ.
TEST(BaseOt, BindsKeysToTheirNumber) {
  Workers workers;
  const BaseOtSender sender(kBaseName);
  const net::Secret choices = alternating_choices(1);
  const BaseOtReceiver receiver(kBaseName, sender.point(), choices.bytes(), workers);
  const std::vector<Point> twice(2, receiver.points()[0]);
  const SecretBlocks keys = sender.keys(twice, workers);
  EXPECT_NE(keys[0], keys[2]);
  EXPECT_NE(keys[1], keys[3]);
}

TEST(BaseOt, RefusesBytesThatAreNoPoint) {
  Workers workers(2);
  const net::Secret choices = alternating_choices(4);
  Point identity{}, not_canonical, negative;
  not_canonical.fill(std::byte{0xff});
  negative.fill(std::byte{0});
  negative[0] = std::byte{1};
  for (const Point& bad : {identity, not_canonical, negative}) {
    EXPECT_THROW(BaseOtReceiver(kBaseName, bad, choices.bytes(), workers), ProtocolError);
    const BaseOtSender sender(kBaseName);
    const BaseOtReceiver receiver(kBaseName, sender.point(), choices.bytes(), workers);
    std::vector<Point> points(receiver.points().begin(), receiver.points().end());
    points[3] = bad;
    try {
      sender.keys(points, workers);
      FAIL() << "no error";
    } catch (const ProtocolError& error) {
      EXPECT_STREQ(error.what(), "rank 1 sent bytes that are not a point of ristretto255 for a base transfer");
      EXPECT_EQ(error.culprit(), 1);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
