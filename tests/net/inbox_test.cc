#include "net/tcp/inbox.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>

namespace tacit::net {
namespace {

// Drives an inbox as a lane does for one frame: accept the frame, fill its slot, report its
// arrival.
class InboxOf : public testing::Test {
 protected:
  // False when the inbox has no room.
  bool frame(Stream stream, std::uint64_t number, std::int64_t offset, std::int64_t size) {
    const FrameHeader header{FrameKind::kData, stream, std::min(kFrameBytes, size - offset), number, offset, size};
    Inbox::Slot slot;
    if (!inbox_.accept(header, slot)) return false;
    for (std::int64_t at = offset; slot.left() > 0;) {
      const Bytes next = slot.next();
      for (std::byte& byte : next) byte = expected(at++);
      slot.advance(std::ssize(next));
    }
    inbox_.arrived(slot);
    return true;
  }

  Incoming& receive(Stream stream, std::int64_t size) {
    Posted& p = posted_.emplace_back();
    p.memory.resize(static_cast<std::size_t>(size));
    p.incoming.stream = stream;
    p.incoming.size = size;
    p.incoming.pieces = {Bytes(p.memory).first(p.memory.size() / 3), Bytes(p.memory).subspan(p.memory.size() / 3)};
    inbox_.post(p.incoming);
    return p.incoming;
  }

  bool correct(const Incoming& incoming) const {
    for (const Posted& p : posted_) {
      if (&p.incoming != &incoming) continue;
      for (std::size_t i = 0; i < p.memory.size(); ++i) {
        if (p.memory[i] != expected(static_cast<std::int64_t>(i))) return false;
      }
      return incoming.done.load();
    }
    return false;
  }

  static std::byte expected(std::int64_t at) { return static_cast<std::byte>(at * 7 + at / 1000); }

  struct Posted {
    Incoming incoming;
    std::vector<std::byte> memory;
  };
  std::deque<Posted> posted_;
  Inbox inbox_;
};

TEST_F(InboxOf, MessageGoesStraightToItsReceive) {
  const Incoming& r = receive(0, 1000);
  EXPECT_FALSE(r.done.load());
  EXPECT_TRUE(frame(0, 0, 0, 1000));
  EXPECT_TRUE(correct(r));
  EXPECT_EQ(inbox_.payload_bytes(), 1000);
  EXPECT_EQ(inbox_.messages(), 1);
}

TEST_F(InboxOf, EarlyMessageWaitsAndCountsWhenAskedFor) {
  EXPECT_TRUE(frame(0, 0, 0, 300'000));
  EXPECT_TRUE(frame(0, 0, kFrameBytes, 300'000));
  EXPECT_EQ(inbox_.unclaimed(), 1);
  EXPECT_EQ(inbox_.payload_bytes(), 0);
  EXPECT_TRUE(correct(receive(0, 300'000)));
  EXPECT_EQ(inbox_.payload_bytes(), 300'000);
  EXPECT_EQ(inbox_.unclaimed(), 0);
}

TEST_F(InboxOf, ReceiveMayComeInTheMiddleOfItsMessage) {
  EXPECT_TRUE(frame(0, 0, 0, 300'000));
  const Incoming& r = receive(0, 300'000);
  EXPECT_FALSE(r.done.load());
  EXPECT_TRUE(frame(0, 0, kFrameBytes, 300'000));
  EXPECT_TRUE(correct(r));
}

TEST_F(InboxOf, EmptyMessagesArriveToo) {
  const Incoming& first = receive(0, 0);
  EXPECT_TRUE(frame(0, 0, 0, 0));
  EXPECT_TRUE(first.done.load());
  EXPECT_TRUE(frame(0, 1, 0, 0));
  EXPECT_TRUE(receive(0, 0).done.load());
}

TEST_F(InboxOf, EarlyMemoryIsBoundedAndComesBack) {
  std::uint64_t taken = 0;
  while (frame(0, taken, 0, kFrameBytes)) ++taken;
  EXPECT_LE(static_cast<std::int64_t>(taken) * kFrameBytes, kMaxEarlyBytes);
  EXPECT_GT(static_cast<std::int64_t>(taken + 2) * kFrameBytes, kMaxEarlyBytes);
  EXPECT_TRUE(correct(receive(0, kFrameBytes)));
  EXPECT_TRUE(frame(0, taken, 0, kFrameBytes));
}

TEST_F(InboxOf, FloodOfEmptyMessagesIsBounded) {
  std::uint64_t taken = 0;
  while (taken < 10'000'000 && frame(0, taken, 0, 0)) ++taken;
  EXPECT_LT(taken, 200'000u);
}

TEST_F(InboxOf, MessageThatIsTooLargeForTheMemoryIsReadOnceItIsAskedFor) {
  EXPECT_FALSE(frame(0, 0, 0, kMaxEarlyBytes + 1));
  const Incoming& r = receive(0, kMaxEarlyBytes + 1);
  for (std::int64_t at = 0; at < kMaxEarlyBytes + 1; at += kFrameBytes)
    ASSERT_TRUE(frame(0, 0, at, kMaxEarlyBytes + 1));
  EXPECT_TRUE(correct(r));
}

TEST_F(InboxOf, AnotherSizeThanPostedIsRefused) {
  receive(0, 10);
  EXPECT_THROW(frame(0, 0, 0, 11), ProtocolError);
  EXPECT_TRUE(frame(1, 0, 0, 5));
  EXPECT_THROW(receive(1, 6), ProtocolError);
}

TEST_F(InboxOf, RepeatedAndMissingPartsAreRefused) {
  receive(0, 300'000);
  EXPECT_THROW(frame(0, 0, kFrameBytes, 300'000), ProtocolError) << "begins in the middle";
  EXPECT_TRUE(frame(0, 0, 0, 300'000));
  EXPECT_THROW(frame(0, 0, 0, 300'000), ProtocolError) << "the same frame again";
  EXPECT_TRUE(frame(0, 0, kFrameBytes, 300'000));
  EXPECT_THROW(frame(0, 0, 0, 300'000), ProtocolError) << "a finished message again";
  EXPECT_THROW(frame(0, 2, 0, 10), ProtocolError) << "message 1 left out";
  EXPECT_THROW(frame(0, 0, kFrameBytes, 300'000), ProtocolError) << "a part of a finished message";
}

TEST_F(InboxOf, WithdrawnReceiveIsNotTouched) {
  Incoming& r = receive(0, 100);
  inbox_.withdraw(r);
  EXPECT_TRUE(frame(0, 0, 0, 100));
  EXPECT_FALSE(r.done.load());
  EXPECT_EQ(r.pieces.back().front(), std::byte{0});
}

TEST_F(InboxOf, FramesOfAMessageComeInOrder) {
  constexpr std::int64_t kSize = 3 * kFrameBytes + 5;
  const Incoming& r = receive(0, kSize);
  EXPECT_THROW(frame(0, 0, kFrameBytes, kSize), ProtocolError);
  EXPECT_TRUE(frame(0, 0, 0, kSize));
  EXPECT_THROW(frame(0, 0, 2 * kFrameBytes, kSize), ProtocolError);
  for (const std::int64_t f : {1, 2, 3}) EXPECT_TRUE(frame(0, 0, f * kFrameBytes, kSize));
  EXPECT_TRUE(correct(r));
}

}  // namespace
}  // namespace tacit::net
