// The frame format of a connection: a header of 32 bytes, then `length` bytes of one message.
//
// A message of more than kFrameBytes is cut into frames of exactly that size (the last may be shorter). Everything here
// is read from an authenticated peer, and still nothing is believed without a check.
#pragma once

#include <array>
#include <string>

#include "net/channel.h"
#include "net/error.h"

namespace tacit::net {

inline constexpr std::int64_t kFrameHeaderBytes = 32;
inline constexpr std::int64_t kFrameBytes = 256 * 1024;
inline constexpr std::int64_t kMaxReportBytes = 2048;

enum class FrameKind : std::uint8_t { kData = 1, kHeartbeat = 2, kGoodbye = 3, kAbort = 4 };

struct FrameHeader {
  FrameKind kind = FrameKind::kData;
  Stream stream = 0;
  std::int64_t length = 0;   // bytes that follow the header
  std::uint64_t number = 0;  // index of the message in its stream
  std::int64_t offset = 0;   // offset of the frame's bytes in the message
  std::int64_t size = 0;     // bytes of the whole message

  bool operator==(const FrameHeader&) const = default;
};

using FrameHeaderBytes = std::array<std::byte, kFrameHeaderBytes>;

FrameHeaderBytes encode(const FrameHeader& header);

// Throws ProtocolError unless every field has a value that encode() accepts.
FrameHeader parse_frame_header(const FrameHeaderBytes& bytes);

// The reason that a rank sends when it gives up: the body of a kAbort frame.
struct AbortReport {
  Exit exit = Exit::kNet;
  int culprit = -1;
  std::string reason;
};

std::vector<std::byte> encode(const AbortReport& report);  // truncates the reason to the limit
// Replaces unprintable characters in the reason.
AbortReport parse_abort_report(ConstBytes bytes, int world_size);

}  // namespace tacit::net
