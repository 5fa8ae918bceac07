#include "net/memory/link_model.h"

#include <gtest/gtest.h>

namespace tacit::net {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

const Link kLink{milliseconds(8), 80e6};  // 10 bytes per microsecond
const Clock::time_point kStart = Clock::time_point() + std::chrono::hours(1);

Clock::duration since_start(Clock::time_point time) { return time - kStart; }

TEST(LinkModel, MessagesLeaveOneAfterTheOtherAtTheBandwidth) {
  OutgoingInterface out(kLink);
  Flow a, b;
  const std::int64_t first[] = {10'000, 5'000}, second[] = {20'000, 20'000};
  const auto one = out.departures(kStart, first, a);
  const auto two = out.departures(kStart, second, b);
  EXPECT_EQ(since_start(one[0]), milliseconds(1));
  EXPECT_EQ(since_start(one[1]), microseconds(1500));
  EXPECT_EQ(since_start(two[0]), microseconds(3500));
  EXPECT_EQ(since_start(two[1]), microseconds(5500));
  const std::int64_t later[] = {1'000};
  EXPECT_EQ(since_start(out.departures(kStart + milliseconds(100), later, a)[0]), microseconds(100'100))
      << "an idle interface starts at once";
}

TEST(LinkModel, ShortMessagesPassLongOnesOfOtherFlowsButNotTheirOwn) {
  OutgoingInterface out(kLink);
  Flow bulk, chat;
  const std::int64_t piece = kLink.piece_bytes();
  const std::vector<std::int64_t> large(100, piece);
  const std::int64_t small[] = {10};
  const auto bulk_left = out.departures(kStart, large, bulk).back();
  EXPECT_LT(out.departures(kStart, small, chat)[0], kStart + kLink.time_for(2 * piece));
  EXPECT_GT(out.departures(kStart, small, bulk)[0], bulk_left);
}

TEST(LinkModel, SendersToOneReceiverShareItsBandwidth) {
  IncomingInterface in(kLink);
  // Two senders at full speed: a piece of each arrives every millisecond.
  Clock::time_point last;
  for (int i = 1; i <= 10; ++i) {
    (void)in.admit(kStart + milliseconds(i), 10'000);
    last = in.admit(kStart + milliseconds(i), 10'000);
  }
  EXPECT_EQ(since_start(last), milliseconds(1 + 19));
  EXPECT_EQ(since_start(in.admit(kStart + milliseconds(50), 10'000)), milliseconds(50));
}

TEST(LinkModel, NoBandwidthLimitMeansLatencyAlone) {
  const Link link{milliseconds(8)};
  OutgoingInterface out(link);
  Flow flow;
  const std::int64_t pieces[] = {1 << 20, 1 << 20};
  EXPECT_EQ(out.departures(kStart, pieces, flow).back(), kStart);
  EXPECT_EQ(link.piece_bytes(), 1 << 20);
}

}  // namespace
}  // namespace tacit::net
