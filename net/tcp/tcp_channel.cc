#include "net/tcp/tcp_channel.h"

#include <algorithm>

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
    channel_.host_.wait(message.done, channel_.peer_, *channel_.lanes_.front(), Direction::kSend, message.size);
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
    channel_.host_.wait(message.done, channel_.peer_, *channel_.lanes_.front(), Direction::kReceive, message.size);
  }
  Clock::time_point finished_at() const override { return message.finished_at; }

  Incoming message;

 private:
  TcpChannel& channel_;
};

TcpChannel::TcpChannel(int peer, int world_size, std::vector<std::unique_ptr<Wire>> wires, ChannelHost& host,
                       const std::function<Lane::Events(int peer)>& events)
    : peer_(peer), host_(host), inbox_(static_cast<int>(wires.size())) {
  const auto lanes = static_cast<int>(wires.size());
  TACIT_CHECK(lanes >= 1 && lanes <= kMaxLanes);
  for (int i = 0; i < lanes; ++i) {
    auto& wire = wires[static_cast<std::size_t>(i)];
    lanes_.push_back(std::make_unique<Lane>(i, lanes, world_size, std::move(wire), inbox_, events(peer)));
  }
}

Transfer TcpChannel::send(Stream stream, std::span<const ConstBytes> pieces) {
  host_.require_working();
  auto sending = std::make_unique<Sending>(*this);
  Outgoing& message = sending->message;
  message.stream = stream;
  message.size = total_bytes(pieces);
  message.pieces.assign(pieces.begin(), pieces.end());
  number(message);
  const int used = message.lanes_left.load();
  for (int i = 0; i < used; ++i) lanes_[static_cast<std::size_t>(i)]->submit(message);
  return Transfer(std::move(sending));
}

void TcpChannel::post(Stream stream, ConstBytes bytes) {
  host_.require_working();
  auto message = std::make_shared<Outgoing>();
  message->stream = stream;
  message->copy.assign(bytes.begin(), bytes.end());
  message->pieces = {ConstBytes(message->copy)};
  message->size = std::ssize(bytes);
  number(*message);
  const int used = message->lanes_left.load();
  for (int i = 0; i < used; ++i) lanes_[static_cast<std::size_t>(i)]->submit(message);
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
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i]->resume_reading()) host_.revisit(static_cast<int>(i), *lanes_[i]);
  }
  return Transfer(std::move(receiving));
}

void TcpChannel::number(Outgoing& message) {
  {
    const std::lock_guard lock(mutex_);
    message.number = sent_by_stream_[message.stream]++;
  }
  message.lanes_left.store(SendQueue::lanes_used(message.size, static_cast<int>(lanes_.size())));
  payload_sent_.fetch_add(message.size, std::memory_order_relaxed);
  messages_sent_.fetch_add(1, std::memory_order_relaxed);
}

void TcpChannel::withdraw(const Outgoing& message) {
  for (const auto& lane : lanes_) lane->withdraw(message);
  if (!message.done.load()) host_.abandoned(peer_);
}

void TcpChannel::withdraw(Incoming& message) {
  for (const auto& lane : lanes_) lane->stop_reading();
  inbox_.withdraw(message);
  if (!message.done.load()) host_.abandoned(peer_);
}

Secret TcpChannel::export_key(std::string_view label, std::int64_t size) const {
  return lanes_.front()->export_key(label, size);
}

bool TcpChannel::goodbye() const {
  return std::all_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->goodbye(); });
}

PeerTraffic TcpChannel::traffic() const {
  PeerTraffic t;
  t.payload_sent = payload_sent_.load(std::memory_order_relaxed);
  t.payload_received = inbox_.payload_bytes();
  t.messages_sent = messages_sent_.load(std::memory_order_relaxed);
  t.messages_received = inbox_.messages();
  for (const auto& lane : lanes_) {
    const TcpInfo info = tcp_info(lane->socket());
    t.wire_sent += lane->bytes_sent();
    t.wire_received += lane->bytes_received();
    t.packets_sent += info.packets_sent;
    t.packets_received += info.packets_received;
    t.retransmissions += info.retransmissions;
    t.rtt = std::max(t.rtt, info.rtt);
  }
  return t;
}

}  // namespace tacit::net
