#include "net/tcp/send_queue.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tacit::net {
namespace {

void describe(Outgoing& message, Stream stream, std::uint64_t number, std::int64_t size) {
  message.stream = stream;
  message.number = number;
  message.size = size;
}

TEST(SendQueue, CutsAMessageIntoFrames) {
  Outgoing message;
  describe(message, 4, 9, kFrameBytes + 3);
  SendQueue queue;
  queue.submit(message);
  const auto first = queue.pop(), second = queue.pop();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->header, (FrameHeader{FrameKind::kData, 4, kFrameBytes, 9, 0, message.size}));
  EXPECT_FALSE(first->last);
  EXPECT_EQ(second->header, (FrameHeader{FrameKind::kData, 4, 3, 9, kFrameBytes, message.size}));
  EXPECT_TRUE(second->last);
  EXPECT_FALSE(queue.pop());
}

TEST(SendQueue, CarriesEveryByteOnce) {
  for (const std::int64_t size :
       {std::int64_t{0}, std::int64_t{1}, kFrameBytes, kFrameBytes + 1, 10 * kFrameBytes + 77}) {
    Outgoing message;
    describe(message, 0, 0, size);
    SendQueue queue;
    queue.submit(message);
    std::int64_t bytes = 0;
    bool last = false;
    while (const auto frame = queue.pop()) {
      EXPECT_FALSE(last);
      EXPECT_EQ(frame->header.offset, bytes);
      bytes += frame->header.length;
      last = frame->last;
    }
    EXPECT_TRUE(last) << size << " bytes";
    EXPECT_EQ(bytes, size);
  }
}

TEST(SendQueue, GivesAMessageThatNobodyWaitsForAwayWithItsLastFrame) {
  auto message = std::make_unique<Outgoing>();
  describe(*message, 0, 0, kFrameBytes + 1);
  const Outgoing* posted = message.get();
  SendQueue queue;
  queue.submit(std::move(message));
  EXPECT_EQ(queue.pop()->kept, nullptr);
  EXPECT_EQ(queue.pop()->kept.get(), posted);
}

TEST(SendQueue, StreamsTakeTurnsSoThatAShortMessagePassesALongOne) {
  Outgoing background, foreground;
  describe(background, 1, 0, 100 * kFrameBytes);
  describe(foreground, 0, 0, 10);
  SendQueue queue;
  queue.submit(background);
  queue.pop();
  queue.submit(foreground);
  EXPECT_TRUE(queue.pop()->message == &foreground || queue.pop()->message == &foreground);
}

TEST(SendQueue, MessagesOfOneStreamKeepTheirOrder) {
  std::vector<Outgoing> messages(3);
  SendQueue queue;
  for (std::uint64_t i = 0; i < 3; ++i) {
    describe(messages[i], 0, i, 2 * kFrameBytes);
    queue.submit(messages[i]);
  }
  for (std::uint64_t i = 0; i < 6; ++i) EXPECT_EQ(queue.pop()->header.number, i / 2);
}

TEST(SendQueue, ControlGoesFirstButAGoodbyeLast) {
  Outgoing message;
  describe(message, 0, 0, 10);
  SendQueue queue;
  queue.submit(message);
  queue.control(FrameKind::kGoodbye, {});
  EXPECT_EQ(queue.pop()->header.kind, FrameKind::kData);
  queue.control(FrameKind::kAbort, {});
  EXPECT_EQ(queue.pop()->header.kind, FrameKind::kAbort);
  EXPECT_EQ(queue.pop()->header.kind, FrameKind::kGoodbye);
  EXPECT_TRUE(queue.empty());
}

TEST(SendQueue, WithdrawnMessageDoesNotLeave) {
  Outgoing gone, stays;
  describe(gone, 0, 0, 5 * kFrameBytes);
  describe(stays, 1, 0, 1);
  SendQueue queue;
  queue.submit(gone);
  queue.submit(stays);
  queue.withdraw(gone);
  EXPECT_EQ(queue.pop()->message, &stays);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace tacit::net
