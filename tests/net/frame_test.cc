#include "net/tcp/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tacit::net {
namespace {

FrameHeader data(std::int64_t offset, std::int64_t size) {
  return {FrameKind::kData, 3, std::min(kFrameBytes, size - offset), 42, offset, size};
}

TEST(FrameHeader, ReadsWhatItWrites) {
  for (const FrameHeader& h : {data(0, 0), data(0, 1), data(0, kFrameBytes), data(kFrameBytes, kFrameBytes + 7),
                               data(7 * kFrameBytes, kMaxMessageBytes)}) {
    EXPECT_EQ(parse_frame_header(encode(h)), h) << h.offset << " of " << h.size;
  }
  EXPECT_EQ(parse_frame_header(encode(FrameHeader{.kind = FrameKind::kHeartbeat})).kind, FrameKind::kHeartbeat);
  EXPECT_EQ(parse_frame_header(encode(FrameHeader{.kind = FrameKind::kAbort, .length = 2048})).length, 2048);
}

void refuse(FrameHeader h, const char* why) { EXPECT_THROW(parse_frame_header(encode(h)), ProtocolError) << why; }

TEST(FrameHeader, RefusesEverythingElse) {
  refuse(data(0, kMaxMessageBytes + 1), "too large");
  refuse(data(0, -1), "negative size");
  refuse(data(-kFrameBytes, 10), "negative offset");
  refuse(data(kFrameBytes, kFrameBytes), "behind the message");
  refuse(data(1, 10), "between frames");
  FrameHeader longer = data(0, 100);
  longer.length = 101;
  refuse(longer, "longer than its message");
  FrameHeader shorter = data(0, 100);
  shorter.length = 99;
  refuse(shorter, "shorter than it must be");
  refuse({.kind = FrameKind::kHeartbeat, .length = 1}, "heartbeat with a body");
  refuse({.kind = FrameKind::kGoodbye, .stream = 1}, "control on a stream");
  refuse({.kind = FrameKind::kAbort, .length = kMaxReportBytes + 1}, "report too long");
  refuse({.kind = static_cast<FrameKind>(0)}, "kind 0");
  refuse({.kind = static_cast<FrameKind>(5)}, "kind 5");
  FrameHeaderBytes reserved = encode(data(0, 1));
  reserved[1] = std::byte{1};
  EXPECT_THROW(parse_frame_header(reserved), ProtocolError);
}

TEST(AbortReport, ArrivesReadableWhateverItHolds) {
  const AbortReport sent{Exit::kProtocol, 2, "rank 2 said \x1b[31m\n" + std::string(5000, 'x')};
  const AbortReport got = parse_abort_report(encode(sent), 3);
  EXPECT_EQ(got.exit, Exit::kProtocol);
  EXPECT_EQ(got.culprit, 2);
  EXPECT_THAT(got.reason, testing::StartsWith("rank 2 said \\x1b[31m\\x0axxx"));
  EXPECT_LT(got.reason.size(), 2048u);
}

TEST(AbortReport, RefusesRanksThatDoNotExist) {
  EXPECT_THROW(parse_abort_report(encode(AbortReport{Exit::kNet, 3, ""}), 3), ProtocolError);
  EXPECT_THROW(parse_abort_report(encode(AbortReport{Exit::kNet, -2, ""}), 3), ProtocolError);
  EXPECT_THROW(parse_abort_report({}, 3), ProtocolError);
}

}  // namespace
}  // namespace tacit::net
