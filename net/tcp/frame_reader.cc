#include "net/tcp/frame_reader.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kBytesAtOnce = 1 << 20;

}  // namespace

FrameReader::Result FrameReader::read() {
  const std::int64_t begin = wire_.bytes_received();
  while (!aborted_ && wire_.bytes_received() - begin < kBytesAtOnce) {
    switch (step()) {
      case Step::kWent:
        break;
      case Step::kDry:
        return Result::kDry;
      case Step::kPaused:
        return Result::kPaused;
      case Step::kClosed:
        return Result::kClosed;
    }
  }
  return Result::kMore;
}

FrameReader::Step FrameReader::step() {
  if (header_got_ < kFrameHeaderBytes) {
    const Step went = read_into(Bytes(header_bytes_).subspan(static_cast<std::size_t>(header_got_)), header_got_);
    if (went != Step::kWent || header_got_ < kFrameHeaderBytes) return went;
    header_ = parse_frame_header(header_bytes_);
    if (goodbye_ && header_.kind == FrameKind::kData) throw ProtocolError("it sent a message after its goodbye");
  }
  if (!in_body_) return begin_body();
  if (header_.kind == FrameKind::kData) {
    std::int64_t n = 0;
    const Step went = read_into(slot_.next(), n);
    slot_.advance(n);
    if (slot_.left() == 0) end_body();
    return went;
  }
  const Step went = read_into(Bytes(report_).subspan(static_cast<std::size_t>(report_got_)), report_got_);
  if (report_got_ == header_.length) end_body();
  return went;
}

FrameReader::Step FrameReader::read_into(Bytes bytes, std::int64_t& got) {
  const std::int64_t n = wire_.read(bytes);
  if (n == Wire::kClosed) return Step::kClosed;
  if (n == 0) return Step::kDry;
  got += n;
  return Step::kWent;
}

FrameReader::Step FrameReader::begin_body() {
  if (header_.kind == FrameKind::kData) {
    if (!inbox_.accept(header_, slot_)) return Step::kPaused;
  } else {
    report_.resize(static_cast<std::size_t>(header_.length));
    report_got_ = 0;
  }
  in_body_ = true;
  if (header_.length == 0) end_body();
  return Step::kWent;
}

void FrameReader::end_body() {
  switch (header_.kind) {
    case FrameKind::kData:
      finished_ |= inbox_.arrived(slot_);
      break;
    case FrameKind::kHeartbeat:
      break;  // a heartbeat has no body
    case FrameKind::kGoodbye:
      goodbye_ = true;
      break;
    case FrameKind::kAbort:
      aborted_ = parse_abort_report(report_, world_size_);
      break;
  }
  header_got_ = 0;
  in_body_ = false;
}

}  // namespace tacit::net
