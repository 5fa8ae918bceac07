#include "net/memory/emulated_mesh.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <thread>

#include "net/error.h"

namespace tacit::net {

namespace {

// The time at which a piece arrives, sent in front of the piece.
using Stamp = std::array<std::byte, sizeof(std::int64_t)>;

Stamp stamp_of(Clock::time_point time) {
  const std::int64_t nanoseconds = std::chrono::nanoseconds(time.time_since_epoch()).count();
  Stamp stamp;
  std::memcpy(stamp.data(), &nanoseconds, stamp.size());
  return stamp;
}

Clock::time_point time_of(const Stamp& stamp) {
  std::int64_t nanoseconds;
  std::memcpy(&nanoseconds, stamp.data(), stamp.size());
  return Clock::time_point(std::chrono::nanoseconds(nanoseconds));
}

// std::this_thread::sleep_until alone returns late by some 60 microseconds or more.
void sleep_precisely_until(Clock::time_point time) {
  constexpr std::chrono::microseconds kMargin{100};
  std::this_thread::sleep_until(time - kMargin);
  while (Clock::now() < time) std::this_thread::yield();
}

// The sizes of the pieces of a message; one empty piece for an empty message.
std::vector<std::int64_t> piece_sizes(std::int64_t bytes, std::int64_t largest) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(bytes / largest), largest);
  if (bytes % largest > 0 || bytes == 0) sizes.push_back(bytes % largest);
  return sizes;
}

template <typename Piece>
std::int64_t total_bytes(std::span<const Piece> pieces) {
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) sum += std::ssize(piece);
  return sum;
}

// Takes memory from the front of a message.
template <typename Piece>
class Front {
 public:
  explicit Front(std::span<const Piece> pieces) : pieces_(pieces) {}

  // Appends the next `bytes` bytes to `taken`.
  void take(std::int64_t bytes, std::vector<Piece>& taken) {
    while (bytes > 0) {
      const Piece left = pieces_.front().subspan(at_);
      const Piece now = left.first(std::min(left.size(), static_cast<std::size_t>(bytes)));
      if (!now.empty()) taken.push_back(now);
      bytes -= std::ssize(now);
      at_ += now.size();
      if (at_ < pieces_.front().size()) continue;
      pieces_ = pieces_.subspan(1);
      at_ = 0;
    }
  }

 private:
  std::span<const Piece> pieces_;
  std::size_t at_ = 0;
};

// The two interfaces of a rank, shared by all channels of its mesh.
class Interfaces {
 public:
  struct Piece {
    Stamp stamp{};
    std::int64_t bytes = 0;
    Transfer inner;  // declared last: destroyed before the stamp to which it writes
  };

  // An incoming message. Do not move its pieces while it is registered.
  struct Arriving {
    std::vector<Piece> pieces;
    std::size_t admitted = 0;  // number of admitted pieces, from the front
    Clock::time_point finished_at{};
  };

  explicit Interfaces(const Link& link) : link_(link), outgoing_(link), incoming_(link) {}

  const Link& link() const { return link_; }

  std::vector<Clock::time_point> departures(std::span<const std::int64_t> pieces, Flow& flow) {
    const std::lock_guard lock(mutex_);
    return outgoing_.departures(Clock::now(), pieces, flow);
  }

  void add(Arriving& message) {
    const std::lock_guard lock(mutex_);
    arriving_.push_back(&message);
  }
  void remove(Arriving& message) {
    const std::lock_guard lock(mutex_);
    arriving_.remove(&message);
  }

  // Admits all pieces that have arrived by now, in the order of arrival, for all waiting threads.
  // Pieces in the air wait, since another piece may arrive before them. Returns true if all of
  // `message` is admitted.
  bool settle(const Arriving& message) {
    const std::lock_guard lock(mutex_);
    const Clock::time_point now = Clock::now();
    std::vector<std::pair<Clock::time_point, Arriving*>> arrived;
    for (Arriving* m : arriving_) {
      for (std::size_t i = m->admitted; i < m->pieces.size() && m->pieces[i].inner.done(); ++i) {
        if (arrival(m->pieces[i]) > now) break;
        arrived.push_back({arrival(m->pieces[i]), m});
      }
    }
    std::stable_sort(arrived.begin(), arrived.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [time, m] : arrived) {
      m->finished_at = incoming_.admit(time, m->pieces[m->admitted].bytes);
      ++m->admitted;
    }
    return message.admitted == message.pieces.size();
  }

  // The time at which both the inner mesh and the link have delivered the piece. Valid when its
  // inner transfer is done.
  static Clock::time_point arrival(const Piece& piece) {
    return std::max(time_of(piece.stamp), piece.inner.finished_at());
  }

 private:
  const Link link_;
  std::mutex mutex_;
  OutgoingInterface outgoing_;
  IncomingInterface incoming_;
  std::list<Arriving*> arriving_;
};

class Sending final : public Transfer::State {
 public:
  struct Piece {
    Stamp stamp;
    Transfer inner;  // declared last: destroyed before the stamp that it reads
  };

  bool done() const override {
    return std::all_of(pieces.begin(), pieces.end(), [](const Piece& p) { return p.inner.done(); }) &&
           Clock::now() >= departure;
  }
  void wait() override {
    for (Piece& piece : pieces) piece.inner.wait();
    sleep_precisely_until(departure);
  }
  Clock::time_point finished_at() const override { return std::max(departure, pieces.back().inner.finished_at()); }

  std::vector<Piece> pieces;
  Clock::time_point departure{};
};

class Receiving final : public Transfer::State {
 public:
  Receiving(Interfaces& interfaces, std::function<void()> on_done)
      : interfaces_(interfaces), on_done_(std::move(on_done)) {}
  ~Receiving() override { interfaces_.remove(message); }

  bool done() const override { return in() && Clock::now() >= message.finished_at; }
  void wait() override {
    if (!in()) {
      for (Interfaces::Piece& piece : message.pieces) piece.inner.wait();
      sleep_precisely_until(Interfaces::arrival(message.pieces.back()));
      TACIT_CHECK(in());
    }
    sleep_precisely_until(message.finished_at);
  }
  Clock::time_point finished_at() const override { return message.finished_at; }

  mutable Interfaces::Arriving message;

 private:
  bool in() const {
    if (in_.load()) return true;
    if (!interfaces_.settle(message)) return false;
    if (!in_.exchange(true)) {
      interfaces_.remove(message);
      on_done_();
    }
    return true;
  }

  Interfaces& interfaces_;
  std::function<void()> on_done_;
  mutable std::atomic<bool> in_ = false;
};

class EmulatedChannel final : public Channel {
 public:
  EmulatedChannel(Channel& inner, Interfaces& interfaces) : inner_(inner), interfaces_(interfaces) {}

  int peer() const override { return inner_.peer(); }

  Transfer send(Stream stream, std::span<const ConstBytes> pieces) override {
    auto sending = std::make_unique<Sending>();
    const auto sizes = piece_sizes(total_bytes(pieces), interfaces_.link().piece_bytes());
    const auto departures = depart(stream, sizes);
    sending->departure = departures.back();
    sending->pieces.resize(sizes.size());
    Front<ConstBytes> front(pieces);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      Sending::Piece& piece = sending->pieces[i];
      piece.stamp = arrival_stamp(departures[i]);
      std::vector<ConstBytes> parts = {ConstBytes(piece.stamp)};
      front.take(sizes[i], parts);
      piece.inner = inner_.send(stream, parts);
    }
    return Transfer(std::move(sending));
  }

  Transfer receive(Stream stream, std::span<const Bytes> pieces) override {
    const std::int64_t bytes = total_bytes(pieces);
    auto receiving = std::make_unique<Receiving>(interfaces_, [this, bytes] { count_received(bytes); });
    const auto sizes = piece_sizes(bytes, interfaces_.link().piece_bytes());
    auto& arriving = receiving->message.pieces;
    arriving.resize(sizes.size());
    Front<Bytes> front(pieces);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      arriving[i].bytes = sizes[i];
      std::vector<Bytes> parts = {Bytes(arriving[i].stamp)};
      front.take(sizes[i], parts);
      arriving[i].inner = inner_.receive(stream, parts);
    }
    interfaces_.add(receiving->message);
    return Transfer(std::move(receiving));
  }

  void post(Stream stream, ConstBytes message) override {
    const auto sizes = piece_sizes(std::ssize(message), interfaces_.link().piece_bytes());
    const auto departures = depart(stream, sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const Stamp stamp = arrival_stamp(departures[i]);
      const ConstBytes now = message.first(static_cast<std::size_t>(sizes[i]));
      std::vector<std::byte> piece(stamp.begin(), stamp.end());
      piece.insert(piece.end(), now.begin(), now.end());
      inner_.post(stream, piece);
      message = message.subspan(now.size());
    }
  }

  Secret export_key(std::string_view label, std::int64_t size) const override { return inner_.export_key(label, size); }

  // The inner mesh's counts without the emulation's stamps.
  PeerTraffic seen_from_outside(PeerTraffic inner) const {
    const std::lock_guard lock(mutex_);
    const auto stamp_bytes = static_cast<std::int64_t>(sizeof(Stamp));
    inner.wire_sent -= stamps_sent_ * stamp_bytes;
    inner.wire_received -= stamps_received_ * stamp_bytes;
    inner.payload_sent = counts_.payload_sent;
    inner.payload_received = counts_.payload_received;
    inner.messages_sent = counts_.messages_sent;
    inner.messages_received = counts_.messages_received;
    inner.rtt += interfaces_.link().round_trip;
    return inner;
  }

 private:
  std::vector<Clock::time_point> depart(Stream stream, std::span<const std::int64_t> sizes) {
    const std::lock_guard lock(mutex_);
    for (const std::int64_t size : sizes) counts_.payload_sent += size;
    ++counts_.messages_sent;
    stamps_sent_ += std::ssize(sizes);
    return interfaces_.departures(sizes, flows_[stream]);
  }

  void count_received(std::int64_t bytes) {
    const std::lock_guard lock(mutex_);
    counts_.payload_received += bytes;
    ++counts_.messages_received;
    stamps_received_ += std::ssize(piece_sizes(bytes, interfaces_.link().piece_bytes()));
  }

  Stamp arrival_stamp(Clock::time_point departure) const {
    return stamp_of(departure + interfaces_.link().round_trip / 2);
  }

  Channel& inner_;
  Interfaces& interfaces_;
  mutable std::mutex mutex_;
  std::map<Stream, Flow> flows_;
  PeerTraffic counts_;
  std::int64_t stamps_sent_ = 0;
  std::int64_t stamps_received_ = 0;
};

class EmulatedMesh final : public Mesh {
 public:
  EmulatedMesh(std::unique_ptr<Mesh> inner, const Link& link) : inner_(std::move(inner)), interfaces_(link) {
    for (int peer = 0; peer < inner_->size(); ++peer) {
      channels_.push_back(
          peer == inner_->rank() ? nullptr : std::make_unique<EmulatedChannel>(inner_->channel(peer), interfaces_));
    }
  }

  const World& world() const override { return inner_->world(); }
  Channel& channel(int peer) override {
    TACIT_CHECK(peer >= 0 && peer < size() && peer != rank());
    return *channels_[static_cast<std::size_t>(peer)];
  }
  std::string describe(int peer) const override { return inner_->describe(peer); }
  Traffic traffic() const override {
    Traffic t = inner_->traffic();
    for (std::size_t peer = 0; peer < channels_.size(); ++peer) {
      if (channels_[peer]) t.peers[peer] = channels_[peer]->seen_from_outside(t.peers[peer]);
    }
    return t;
  }
  void count_rounds(std::int64_t rounds) override { inner_->count_rounds(rounds); }
  void set_step(std::string step) override { inner_->set_step(std::move(step)); }
  std::string step() const override { return inner_->step(); }
  std::optional<Waiting> waiting() const override { return inner_->waiting(); }
  void close() override { inner_->close(); }
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override {
    inner_->abort(exit, reason, culprit);
  }

 private:
  std::unique_ptr<Mesh> inner_;
  Interfaces interfaces_;
  std::vector<std::unique_ptr<EmulatedChannel>> channels_;
};

}  // namespace

std::unique_ptr<Mesh> emulate_link(std::unique_ptr<Mesh> inner, const Link& link) {
  TACIT_CHECK(link.round_trip.count() >= 0 && link.bits_per_second > 0);
  return std::make_unique<EmulatedMesh>(std::move(inner), link);
}

}  // namespace tacit::net
