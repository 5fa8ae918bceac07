// TcpChannel — messages to and from one peer over its lane.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "net/channel.h"
#include "net/tcp/inbox.h"
#include "net/tcp/lane.h"
#include "net/tcp/tcp_info.h"
#include "net/traffic.h"

namespace tacit::net {

enum class Direction { kSend, kReceive };

// The services that a channel needs from its mesh.
class ChannelHost {
 public:
  virtual ~ChannelHost() = default;  // outlives its channels

  // Returns when `done` is true. Throws the mesh's failure, or NetError when the wait exceeds its
  // limit.
  virtual void wait(const std::atomic<bool>& done, int peer, Lane& hint, Direction direction, std::int64_t bytes) = 0;
  virtual void require_working() const = 0;  // throws the mesh's failure, if it has failed
  virtual void revisit(Lane& lane) = 0;      // the lane has work that no poll announces
  virtual void abandoned(int peer) = 0;      // a transfer was given up half-way
  virtual void channel_failed(int peer, const std::exception& error) = 0;
};

class TcpChannel final : public Channel {
 public:
  TcpChannel(int peer, int world_size, std::unique_ptr<Wire> wire, ChannelHost& host, Lane::Events events);

  int peer() const override { return peer_; }
  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override;
  Transfer receive(Stream stream, std::span<const Bytes> pieces) override;
  void post(Stream stream, ConstBytes message) override;
  Secret export_key(std::string_view label, std::int64_t size) const override;
  using Channel::receive;
  using Channel::send;

  Lane& lane() { return lane_; }
  const Lane& lane() const { return lane_; }
  std::int64_t unclaimed() const { return inbox_.unclaimed(); }
  bool goodbye() const { return lane_.goodbye(); }  // the peer has finished
  PeerTraffic traffic() const;

 private:
  class Sending;
  class Receiving;

  void number(Outgoing& message);
  void withdraw(const Outgoing& message);
  void withdraw(Incoming& message);

  const int peer_;
  ChannelHost& host_;
  Inbox inbox_;
  mutable Lane lane_;  // export_key takes its lock

  std::mutex mutex_;
  std::map<Stream, std::uint64_t> sent_by_stream_;
  std::atomic<std::int64_t> payload_sent_ = 0;
  std::atomic<std::int64_t> messages_sent_ = 0;
};

}  // namespace tacit::net
