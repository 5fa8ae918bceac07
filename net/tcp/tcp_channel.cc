#include "net/tcp/tcp_channel.h"

#include "net/error.h"

namespace tacit::net {

namespace {

template <typename Piece>
std::int64_t total_bytes(std::span<const Piece> pieces) {
  TACIT_CHECK(std::ssize(pieces) <= kMaxPieces);
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) sum += std::ssize(piece);
  TACIT_CHECK(sum <= kMaxMessageBytes);
  return sum;
}

}  // namespace

class TcpChannel::Sending final : public Transfer::State {
 public:
  explicit Sending(TcpChannel& channel) : channel_(channel) {}
  ~Sending() override {
    if (!message.done.load()) channel_.withdraw(message);
  }
  bool done() const override { return message.done.load(); }
  void wait() override {
    if (message.done.load()) return;
    channel_.host_.wait(message.done, channel_.peer_, channel_.lane_, Direction::kSend, message.size);
  }
  Clock::time_point finished_at() const override { return message.finished_at; }

  Outgoing message;

 private:
  TcpChannel& channel_;
};

class TcpChannel::Receiving final : public Transfer::State {
 public:
  explicit Receiving(TcpChannel& channel) : channel_(channel) {}
  ~Receiving() override {
    if (!message.done.load()) channel_.withdraw(message);
  }
  bool done() const override { return message.done.load(); }
  void wait() override {
    if (message.done.load()) return;
    channel_.host_.wait(message.done, channel_.peer_, channel_.lane_, Direction::kReceive, message.size);
  }
  Clock::time_point finished_at() const override { return message.finished_at; }

  Incoming message;

 private:
  TcpChannel& channel_;
};

TcpChannel::TcpChannel(int peer, int world_size, std::unique_ptr<Wire> wire, ChannelHost& host, Lane::Events events)
    : peer_(peer), host_(host), lane_(world_size, std::move(wire), inbox_, std::move(events)) {}

Transfer TcpChannel::send(Stream stream, std::span<const ConstBytes> pieces) {
  host_.require_working();
  auto sending = std::make_unique<Sending>(*this);
  Outgoing& message = sending->message;
  message.stream = stream;
  message.size = total_bytes(pieces);
  message.pieces.assign(pieces.begin(), pieces.end());
  number(message);
  lane_.submit(message);
  return Transfer(std::move(sending));
}

void TcpChannel::post(Stream stream, ConstBytes bytes) {
  host_.require_working();
  auto message = std::make_unique<Outgoing>();
  message->stream = stream;
  message->copy.assign(bytes.begin(), bytes.end());
  message->pieces = {ConstBytes(message->copy)};
  message->size = std::ssize(bytes);
  number(*message);
  lane_.submit(std::move(message));
}

Transfer TcpChannel::receive(Stream stream, std::span<const Bytes> pieces) {
  host_.require_working();
  auto receiving = std::make_unique<Receiving>(*this);
  Incoming& message = receiving->message;
  message.stream = stream;
  message.size = total_bytes(pieces);
  message.pieces.assign(pieces.begin(), pieces.end());
  try {
    inbox_.post(message);
  } catch (const ProtocolError& error) {
    host_.channel_failed(peer_, error);
    host_.require_working();
  }
  if (lane_.resume_reading()) host_.revisit(lane_);
  return Transfer(std::move(receiving));
}

void TcpChannel::number(Outgoing& message) {
  {
    const std::lock_guard lock(mutex_);
    message.number = sent_by_stream_[message.stream]++;
  }
  payload_sent_.fetch_add(message.size, std::memory_order_relaxed);
  messages_sent_.fetch_add(1, std::memory_order_relaxed);
}

void TcpChannel::withdraw(const Outgoing& message) {
  lane_.withdraw(message);
  if (!message.done.load()) host_.abandoned(peer_);
}

void TcpChannel::withdraw(Incoming& message) {
  lane_.stop_reading();
  inbox_.withdraw(message);
  if (!message.done.load()) host_.abandoned(peer_);
}

Secret TcpChannel::export_key(std::string_view label, std::int64_t size) const { return lane_.export_key(label, size); }

PeerTraffic TcpChannel::traffic() const {
  PeerTraffic t;
  t.payload_sent = payload_sent_.load(std::memory_order_relaxed);
  t.payload_received = inbox_.payload_bytes();
  t.messages_sent = messages_sent_.load(std::memory_order_relaxed);
  t.messages_received = inbox_.messages();
  const TcpInfo info = tcp_info(lane_.socket());
  t.wire_sent = lane_.bytes_sent();
  t.wire_received = lane_.bytes_received();
  t.packets_sent = info.packets_sent;
  t.packets_received = info.packets_received;
  t.retransmissions = info.retransmissions;
  t.rtt = info.rtt;
  return t;
}

}  // namespace tacit::net
