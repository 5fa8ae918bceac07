#include "net/tcp/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "net/printable.h"

namespace tacit::net {

namespace {

static_assert(std::endian::native == std::endian::little, "fields travel in the order in which memory holds them");

// Byte offsets of the fields. The byte at kZeroAt is 0.
constexpr std::size_t kKindAt = 0, kZeroAt = 1, kStreamAt = 2, kLengthAt = 4, kNumberAt = 8, kOffsetAt = 16,
                      kSizeAt = 24;

template <typename T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <typename T>
T get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void require(bool holds, const char* what) {
  if (!holds) throw ProtocolError(std::string("a frame arrived ") + what);
}

}  // namespace

FrameHeaderBytes encode(const FrameHeader& h) {
  FrameHeaderBytes bytes{};
  put(&bytes[kKindAt], h.kind);
  put(&bytes[kStreamAt], h.stream);
  put(&bytes[kLengthAt], static_cast<std::uint32_t>(h.length));
  put(&bytes[kNumberAt], h.number);
  put(&bytes[kOffsetAt], h.offset);
  put(&bytes[kSizeAt], h.size);
  return bytes;
}

FrameHeader parse_frame_header(const FrameHeaderBytes& bytes) {
  FrameHeader h;
  const auto kind = get<std::uint8_t>(&bytes[kKindAt]);
  require(kind >= 1 && kind <= 4, "of an unknown kind");
  require(bytes[kZeroAt] == std::byte{0}, "with a reserved byte that is not zero");
  h.kind = static_cast<FrameKind>(kind);
  h.stream = get<Stream>(&bytes[kStreamAt]);
  h.length = get<std::uint32_t>(&bytes[kLengthAt]);
  h.number = get<std::uint64_t>(&bytes[kNumberAt]);
  h.offset = get<std::int64_t>(&bytes[kOffsetAt]);
  h.size = get<std::int64_t>(&bytes[kSizeAt]);
  if (h.kind == FrameKind::kData) {
    require(h.size >= 0 && h.size <= kMaxMessageBytes, "of a message that is too large");
    require(h.offset >= 0 && h.offset % kFrameBytes == 0 && h.offset <= h.size, "at an offset that no frame has");
    require(h.offset < h.size || h.size == 0, "that lies behind its message");
    require(h.length == std::min(kFrameBytes, h.size - h.offset), "with a length that does not fit its message");
    return h;
  }
  require(h.stream == 0 && h.number == 0 && h.offset == 0 && h.size == 0, "of control with fields of data");
  require(h.length <= (h.kind == FrameKind::kAbort ? kMaxReportBytes : 0), "of control that is too long");
  return h;
}

std::vector<std::byte> encode(const AbortReport& report) {
  constexpr std::size_t kTextAt = 5;
  const std::size_t text = std::min(report.reason.size(), static_cast<std::size_t>(kMaxReportBytes) - kTextAt);
  std::vector<std::byte> bytes(kTextAt + text);
  put(&bytes[0], static_cast<std::uint8_t>(report.exit));
  put(&bytes[1], static_cast<std::int32_t>(report.culprit));
  if (text > 0) std::memcpy(&bytes[kTextAt], report.reason.data(), text);
  return bytes;
}

AbortReport parse_abort_report(ConstBytes bytes, int world_size) {
  constexpr std::size_t kTextAt = 5;
  if (bytes.size() < kTextAt || std::ssize(bytes) > kMaxReportBytes)
    throw ProtocolError("an abort report has a wrong length");
  AbortReport report;
  report.exit = Exit::kNet;  // also for a bug at the peer, and for an unknown exit code
  for (const Exit exit : {Exit::kConfig, Exit::kProtocol}) {
    if (get<std::uint8_t>(&bytes[0]) == static_cast<std::uint8_t>(exit)) report.exit = exit;
  }
  report.culprit = get<std::int32_t>(&bytes[1]);
  if (report.culprit < -1 || report.culprit >= world_size)
    throw ProtocolError("an abort report names a rank that does not exist");
  const ConstBytes text = bytes.subspan(kTextAt);
  report.reason = printable({reinterpret_cast<const char*>(text.data()), text.size()}, kMaxReportBytes - kTextAt);
  return report;
}

}  // namespace tacit::net
