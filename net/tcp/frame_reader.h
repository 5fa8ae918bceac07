// FrameReader reads frames from a wire, writes message bodies directly into the memory that the
// inbox provides, and reports goodbyes and aborts to the lane.
//
// Requires the lane's work lock.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "net/tcp/inbox.h"
#include "net/tcp/wire.h"

namespace tacit::net {

class FrameReader {
 public:
  enum class Result {
    kDry,     // no more bytes at present: poll the socket
    kMore,    // the bound was reached: call again without polling
    kPaused,  // the inbox has no room for the next message: call again after the next post
    kClosed,  // the peer has closed its direction
  };

  FrameReader(Wire& wire, Inbox& inbox, int world_size) : wire_(wire), inbox_(inbox), world_size_(world_size) {}

  // Throws NetError if the connection is broken, and ProtocolError if the peer violates the frame
  // format.
  Result read();

  bool take_finished() { return std::exchange(finished_, false); }
  bool goodbye() const { return goodbye_; }
  const std::optional<AbortReport>& aborted() const { return aborted_; }
  bool between_frames() const { return header_got_ == 0; }

 private:
  enum class Step { kWent, kDry, kPaused, kClosed };

  Step step();
  Step read_into(Bytes bytes, std::int64_t& got);
  Step begin_body();
  void end_body();

  Wire& wire_;
  Inbox& inbox_;
  const int world_size_;

  FrameHeaderBytes header_bytes_{};
  std::int64_t header_got_ = 0;
  FrameHeader header_;
  bool in_body_ = false;
  Inbox::Slot slot_;
  std::vector<std::byte> report_;
  std::int64_t report_got_ = 0;

  bool finished_ = false;
  bool goodbye_ = false;
  std::optional<AbortReport> aborted_;
};

}  // namespace tacit::net
