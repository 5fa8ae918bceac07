#include "net/tcp/tcp_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <thread>

#include "net/tcp/mesh_failure.h"
#include "net/tcp/pump.h"
#include "net/tcp/tcp_channel.h"

namespace tacit::net {

namespace {

using std::chrono::milliseconds;

// Time for this rank's abort report to leave and be read before the sockets close.
constexpr milliseconds kLastWords{1000};

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

class TcpMesh final : public Mesh, public ChannelHost {
 public:
  TcpMesh(Formation formation, const TcpMeshOptions& options);
  ~TcpMesh() override;

  const World& world() const override { return world_; }
  Channel& channel(int peer) override;
  std::string describe(int peer) const override;
  Traffic traffic() const override;
  void count_rounds(std::int64_t rounds) override { rounds_.fetch_add(rounds, std::memory_order_relaxed); }
  void set_step(std::string step) override;
  std::string step() const override;
  std::optional<Waiting> waiting() const override;
  void close() override;
  void abort(Exit exit, std::string_view reason, int culprit) noexcept override;

 private:
  // The services for the channels.
  void wait(const std::atomic<bool>& done, int peer, Lane& hint, Direction direction, std::int64_t bytes) override;
  void require_working() const override;
  void revisit(Lane& lane) override { pump_.revisit(lane); }
  void abandoned(int peer) override { abandoned_.store(peer); }
  void channel_failed(int peer, const std::exception& error) override;

  Lane::Events events_of(int peer);
  void heard_abort(int from, const AbortReport& report);
  void fail(Exit exit, int culprit, std::string text, int reporter = -1);
  void tell_others();
  void tick();
  void check_silence();
  void send_heartbeats();
  void end_lanes(Clock::time_point until);
  void wait_for_lanes(const std::function<bool(Lane&)>& holds, Clock::time_point until);
  std::vector<int> ranks_without_goodbye() const;
  void require_nothing_left_over();
  std::string while_doing(const std::string& doing) const;
  Clock::time_point last_heard(int peer) const;

  template <typename Visit>
  void for_each_lane(Visit visit) {
    for (const auto& channel : channels_) {
      if (channel) visit(channel->lane());
    }
  }

  const World world_;
  const TcpMeshOptions options_;
  const std::vector<std::string> addresses_;
  MeshFailure failure_;
  std::atomic<bool> told_ = false;
  std::atomic<int> abandoned_ = -1;  // a peer with an abandoned message, so later messages cannot be matched
  std::atomic<std::int64_t> rounds_ = 0;
  Clock::time_point last_tick_ = Clock::now();  // the background thread's last tick
  bool closed_ = false;

  mutable std::mutex step_mutex_;
  std::string step_;
  std::atomic<int> waiting_for_ = -1;
  std::atomic<Clock::time_point> waiting_since_{};

  Pump pump_;  // outlives the lanes
  std::vector<std::unique_ptr<TcpChannel>> channels_;
};

TcpMesh::TcpMesh(Formation formation, const TcpMeshOptions& options)
    : world_(formation.world), options_(options), addresses_(std::move(formation.addresses)), pump_(options.spin) {
  for (int peer = 0; peer < world_.size(); ++peer) {
    auto& wire = formation.links[static_cast<std::size_t>(peer)];
    channels_.push_back(peer == world_.rank ? nullptr
                                            : std::make_unique<TcpChannel>(peer, world_.size(), std::move(wire), *this,
                                                                           events_of(peer)));
  }
  for_each_lane([this](Lane& lane) { notice_dead_peers(lane.socket(), options_.silence); });
  for_each_lane([this](Lane& lane) {
    if (lane.start(pump_.pollers())) pump_.revisit(lane);
  });
  if (world_.size() > 1) pump_.start([this] { tick(); }, std::max(milliseconds(1), options_.heartbeat / 4));
}

TcpMesh::~TcpMesh() {
  if (!closed_) abort(Exit::kNet, "it ended without finishing its part", -1);
  end_lanes(Clock::now() + kLastWords);
  pump_.stop();
}

Channel& TcpMesh::channel(int peer) {
  TACIT_CHECK(peer >= 0 && peer < world_.size() && peer != world_.rank);
  return *channels_[static_cast<std::size_t>(peer)];
}

std::string TcpMesh::describe(int peer) const {
  const auto at = static_cast<std::size_t>(peer);
  const std::string where = at < addresses_.size() && !addresses_[at].empty() ? ", " + addresses_[at] : "";
  return fmt::format("rank {} ({}{})", peer, name(world_.role_of(peer)), where);
}

Traffic TcpMesh::traffic() const {
  Traffic t;
  t.rounds = rounds_.load(std::memory_order_relaxed);
  for (const auto& channel : channels_) t.peers.push_back(channel ? channel->traffic() : PeerTraffic{});
  return t;
}

void TcpMesh::set_step(std::string step) {
  const std::lock_guard lock(step_mutex_);
  step_ = std::move(step);
}

std::string TcpMesh::step() const {
  const std::lock_guard lock(step_mutex_);
  return step_;
}

std::optional<Waiting> TcpMesh::waiting() const {
  const int peer = waiting_for_.load();
  if (peer < 0) return std::nullopt;
  const Clock::time_point now = Clock::now();
  return Waiting{peer, now - waiting_since_.load(), now - last_heard(peer) < 2 * options_.heartbeat};
}

void TcpMesh::wait(const std::atomic<bool>& done, int peer, Lane& hint, Direction direction, std::int64_t bytes) {
  const TcpChannel& channel = *channels_[static_cast<std::size_t>(peer)];
  waiting_since_.store(Clock::now());
  waiting_for_.store(peer);
  const bool receiving = direction == Direction::kReceive;
  const auto over = [&] { return done.load() || failure_.happened() || (receiving && channel.goodbye()); };
  const bool in_time = pump_.wait(over, Clock::now() + options_.patience, &hint);
  waiting_for_.store(-1);
  if (done.load()) return;

  if (!failure_.happened() && !in_time) {
    fail(Exit::kNet, peer,
         fmt::format("{} is alive (heard {:.1f} s ago) but has kept rank {} waiting for {:.0f} s", describe(peer),
                     seconds(Clock::now() - last_heard(peer)), world_.rank, seconds(options_.patience)));
  } else if (!failure_.happened()) {
    fail(Exit::kProtocol, peer,
         describe(peer) + " has finished its program while others still expect messages from it");
  }
  tell_others();
  failure_.raise(while_doing(receiving ? fmt::format("waiting for {} bytes from rank {}", bytes, peer)
                                       : fmt::format("sending {} bytes to rank {}", bytes, peer)));
}

std::string TcpMesh::while_doing(const std::string& doing) const {
  const std::string now = step();
  return fmt::format("; rank {} was {}{}", world_.rank, doing, now.empty() ? "" : ", in step \"" + now + "\"");
}

void TcpMesh::require_working() const {
  if (failure_.happened()) failure_.raise(while_doing("at work"));
  TACIT_CHECK(!closed_ && abandoned_.load() < 0);
}

void TcpMesh::channel_failed(int peer, const std::exception& error) {
  if (dynamic_cast<const ProtocolError*>(&error) != nullptr) {
    fail(Exit::kProtocol, peer, describe(peer) + " deviates from the protocol: " + error.what());
  } else if (dynamic_cast<const ConfigError*>(&error) != nullptr) {
    fail(Exit::kConfig, world_.rank, error.what());  // this machine's limits; the peer is not at fault
  } else if (dynamic_cast<const Error*>(&error) != nullptr) {
    fail(Exit::kNet, peer, describe(peer) + " is gone: " + error.what());
  } else if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    fail(Exit::kConfig, world_.rank, describe(world_.rank) + " gave up: its machine has not enough memory");
  } else {
    fail(Exit::kBug, -1, error.what());
  }
}

Lane::Events TcpMesh::events_of(int peer) {
  return {.progress = [this] { pump_.progress(); },
          .aborted = [this, peer](const AbortReport& report) { heard_abort(peer, report); },
          .failed = [this, peer](const std::exception& error) { channel_failed(peer, error); }};
}

void TcpMesh::heard_abort(int from, const AbortReport& report) {
  // A rank that was declared dead reports itself when it hears of this, and repeats the other ranks'
  // reason.
  const bool lost = report.reason.starts_with(fmt::format("rank {} (", from));
  if (report.culprit < 0 || report.culprit == from) {
    fail(report.exit, from, lost ? report.reason : describe(from) + " gave up: " + report.reason);
  } else {
    fail(report.exit, report.culprit, report.reason, from);
  }
}

// May be called with a lane's work lock held. fail() only wakes a thread, which informs the other ranks.
void TcpMesh::fail(Exit exit, int culprit, std::string text, int reporter) {
  if (failure_.record(exit, culprit, std::move(text), reporter)) pump_.progress();
}

void TcpMesh::tell_others() {
  if (told_.exchange(true)) return;
  const std::vector<std::byte> report = encode(failure_.report());
  for (const auto& channel : channels_) {
    if (channel) channel->lane().control(FrameKind::kAbort, report);
  }
}

void TcpMesh::abort(Exit exit, std::string_view reason, int culprit) noexcept {
  try {
    fail(exit, culprit, std::string(reason));
    tell_others();
  } catch (...) {  // the other ranks will notice the end without a reason
  }
}

void TcpMesh::tick() {
  if (failure_.happened()) return tell_others();
  for_each_lane([this](Lane& lane) { lane.look_at_link(options_.silence / 5); });
  check_silence();
  send_heartbeats();
  last_tick_ = Clock::now();
}

void TcpMesh::check_silence() {
  const Clock::time_point now = Clock::now();
  if (now - last_tick_ > options_.silence / 2) {
    // We ourselves were stopped or starved: messages that arrived meanwhile are still unread.
    for_each_lane([](Lane& lane) { lane.forgive_silence(); });
    return;
  }
  std::vector<int> silent;
  int heard = 0;
  for (const auto& channel : channels_) {
    if (!channel) continue;
    const bool quiet = now - last_heard(channel->peer()) > options_.silence;
    if (quiet && !channel->goodbye()) {
      silent.push_back(channel->peer());
    } else {
      ++heard;
    }
  }
  if (silent.empty()) return;
  const std::string who = describe(silent.front());
  const bool all = heard == 0 && silent.size() > 1;
  fail(Exit::kNet, silent.front(),
       fmt::format("{} has not been heard for {:.1f} s: {}", who, seconds(now - last_heard(silent.front())),
                   all ? "nor has any other rank, so this machine may be cut off from the network"
                       : "its process is stopped, its machine is down, or the network between is cut"));
}

void TcpMesh::send_heartbeats() {
  const Clock::time_point now = Clock::now();
  for_each_lane([&](Lane& lane) {
    const bool due = now - lane.last_sent() >= options_.heartbeat * 3 / 4;
    if (due && lane.takes_heartbeats()) lane.control(FrameKind::kHeartbeat);
  });
}

// Silence on a lane that this rank does not read, for want of room, is no evidence.
Clock::time_point TcpMesh::last_heard(int peer) const {
  const Lane& lane = channels_[static_cast<std::size_t>(peer)]->lane();
  return lane.paused() ? Clock::now() : lane.last_heard();
}

void TcpMesh::close() {
  require_working();
  for_each_lane([](Lane& lane) { lane.control(FrameKind::kGoodbye); });
  const auto over = [this] { return failure_.happened() || ranks_without_goodbye().empty(); };
  const Clock::time_point limit = Clock::now() + options_.farewell;
  while (!pump_.wait(over, std::min(limit, Clock::now() + options_.silence), nullptr)) {
    require_nothing_left_over();
    const std::vector<int> late = ranks_without_goodbye();
    if (late.empty() || Clock::now() < limit) continue;
    fail(Exit::kNet, late.front(),
         fmt::format("{} is alive but has not finished {:.1f} s after rank {} did", describe(late.front()),
                     seconds(options_.farewell), world_.rank));
  }
  if (failure_.happened()) {
    tell_others();
    failure_.raise(while_doing("saying goodbye"));
  }
  require_nothing_left_over();
  wait_for_lanes([](Lane& lane) { return lane.drained(); }, Clock::now() + options_.silence);
  closed_ = true;
  end_lanes(Clock::now() + kLastWords);
}

std::vector<int> TcpMesh::ranks_without_goodbye() const {
  std::vector<int> ranks;
  for (const auto& channel : channels_) {
    if (channel && !channel->goodbye()) ranks.push_back(channel->peer());
  }
  return ranks;
}

void TcpMesh::require_nothing_left_over() {
  for (const auto& channel : channels_) {
    if (!channel) continue;
    const std::int64_t left = channel->unclaimed();
    if (left == 0 && !channel->lane().paused()) continue;
    fail(Exit::kProtocol, channel->peer(),
         fmt::format("{} sent {} message(s) that rank {} never asked for", describe(channel->peer()), left,
                     world_.rank));
    tell_others();
    failure_.raise(while_doing("saying goodbye"));
  }
}

// Sends everything that is queued, ends all lanes, and waits until the peers have ended theirs, or
// until `until`.
void TcpMesh::end_lanes(Clock::time_point until) {
  wait_for_lanes([](Lane& lane) { return lane.drained(); }, until);
  for_each_lane([](Lane& lane) { lane.end(); });
  wait_for_lanes([](Lane& lane) { return lane.closed() || lane.ended_by_peer(); }, until);
}

void TcpMesh::wait_for_lanes(const std::function<bool(Lane&)>& holds, Clock::time_point until) {
  const auto all = [&] {
    bool so_far = true;
    for_each_lane([&](Lane& lane) { so_far = so_far && holds(lane); });
    return so_far;
  };
  // This thread drives the lanes, since the background thread may be parked. `holds` may take locks, so it runs out
  // here.
  while (!all() && Clock::now() < until) pump_.wait([] { return false; }, Clock::now() + milliseconds(1), nullptr);
}

}  // namespace

std::unique_ptr<Mesh> mesh_over(Formation formation, const TcpMeshOptions& options) {
  return std::make_unique<TcpMesh>(std::move(formation), options);
}

}  // namespace tacit::net
