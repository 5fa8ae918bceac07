// FrameReader — reads frames from a wire: bodies straight into the place that the inbox gives, news to its owner.
//
// Used under the lane's work lock.
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
    kDry,     // nothing more there now: poll the socket
    kMore,    // the bound was reached: come back without polling
    kPaused,  // the inbox has no room for the message that comes next: come back after the next post
    kClosed,  // the peer has closed its end
  };

  FrameReader(Wire& wire, Inbox& inbox, int world_size) : wire_(wire), inbox_(inbox), world_size_(world_size) {}

  // Throws NetError when the connection is broken, ProtocolError when the peer sends what it must not.
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
