#include "net/synchronise/late_gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <numeric>
#include <optional>

#include "net/byte_fields.h"
#include "net/error.h"
#include "net/synchronise/gradient_layout.h"
#include "net/synchronise/sum_agreement.h"

namespace tacit::net {

static_assert(std::endian::native == std::endian::little, "floats travel in their order in memory");

namespace {

constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

using Floats = std::vector<float>;

std::vector<std::int64_t> checked_sizes(std::vector<std::int64_t> sizes, const LateSettings& settings) {
  check_sizes(sizes, settings.names);
  if (settings.staleness < 0) {
    throw ConfigError(fmt::format("a staleness of {} steps: give 0 (no gradient is late) or more", settings.staleness));
  }
  return sizes;
}

// The bits of an infinity or a NaN have all bits of the exponent set. A loop without branches is vectorised.
bool all_finite(std::span<const float> values) {
  std::uint32_t found = 0;
  for (const float value : values) {
    found |= (std::bit_cast<std::uint32_t>(value) & 0x7f800000U) == 0x7f800000U ? 1U : 0U;
  }
  return found == 0;
}

}  // namespace

class LateGradients::Impl {
 public:
  Impl(Mesh& mesh, std::vector<std::int64_t> sizes, LateSettings settings)
      : mesh_(mesh),
        settings_(std::move(settings)),
        sizes_(checked_sizes(std::move(sizes), settings_)),
        size_(static_cast<std::size_t>(std::accumulate(sizes_.begin(), sizes_.end(), std::int64_t{0}))) {
    Group group(mesh, settings_.stream);
    compare_settings(group, std::array{ComparedNumber{"the staleness", settings_.staleness}}, sizes_, settings_.names);
    for (int rank = 0; rank < mesh.parties(); ++rank) {
      if (rank == mesh.rank()) continue;
      Peer& peer = peers_.emplace_back();
      peer.rank = rank;
      peer.memory.resize(size_);
    }
  }

  void begin(std::int64_t steps) {
    if (steps < 0 || steps > kMostSteps) throw ConfigError(fmt::format("{} steps of gradients: give 0 or more", steps));
    if (steps_) throw ConfigError("begin() was called a second time: call drain() after the last step");
    ByteWriter writer;
    writer.number(static_cast<std::uint64_t>(steps));
    const std::vector<std::byte> own = writer.take();
    std::vector<std::vector<std::byte>> counts(peers_.size(), std::vector<std::byte>(own.size()));
    std::vector<Transfer> transfers;
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      Channel& channel = mesh_.channel(peers_[i].rank);
      transfers.push_back(channel.receive(settings_.stream, Bytes(counts[i])));
      channel.post(settings_.stream, own);
    }
    if (!peers_.empty()) mesh_.count_rounds(1);
    for (Transfer& transfer : transfers) transfer.wait();
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      const auto count = ByteReader(counts[i], "a number of steps").number<std::uint64_t>();
      if (count > std::uint64_t{kMostSteps}) {
        throw ProtocolError(
            fmt::format("{} wants to send gradients of {} steps", mesh_.describe(peers_[i].rank), count),
            peers_[i].rank);
      }
      peers_[i].steps = static_cast<std::int64_t>(count);
      peers_[i].applied = 0;
      expect_next(peers_[i]);
    }
    steps_ = steps;
    sent_ = received_ = 0;
    waited_ = {};
  }

  void send(std::span<const std::span<const float>> gradients) {
    require_phase("send()");
    if (sent_ == *steps_) {
      throw ConfigError(fmt::format("send() in step {}: begin() announced {} step(s)", sent_, *steps_));
    }
    if (sent_ > received_) throw ConfigError("send() was called twice: call receive() in each step");
    check(gradients);
    release_own();
    if (!peers_.empty()) {
      Own& own = own_.emplace_back();
      own.memory = spare_memory();
      auto to = own.memory.begin();
      for (const std::span<const float> gradient : gradients) to = std::ranges::copy(gradient, to).out;
      const ConstBytes bytes = std::as_bytes(std::span(own.memory));
      for (const Peer& peer : peers_) {
        own.transfers.push_back(mesh_.channel(peer.rank).send(settings_.stream, bytes));
      }
    }
    ++sent_;
  }

  void receive(const Apply& apply) {
    require_phase("receive()");
    if (sent_ == received_) throw ConfigError("receive() was called before send() of the step");
    ++received_;
    apply_until(received_ - settings_.staleness, apply);
    release_own();
  }

  void drain(const Apply& apply) {
    require_phase("drain()");
    if (received_ < *steps_) {
      throw ConfigError(
          fmt::format("drain() after {} of {} announced steps: the peers wait for the others", received_, *steps_));
    }
    apply_until(kMostSteps, apply);
    for (Own& own : own_) {
      for (Transfer& transfer : own.transfers) wait(transfer);
    }
    release_own();
    steps_.reset();
  }

  std::int64_t oldest() const { return oldest_; }
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  // A gradient that this rank sent.
  struct Own {
    Floats memory;
    std::vector<Transfer> transfers;  // declared last: destroyed before the memory that they read
  };

  struct Peer {
    int rank = -1;
    std::int64_t steps = 0;    // announced
    std::int64_t applied = 0;  // of these
    Floats memory;
    Transfer arriving;  // the next gradient, unless all are applied
  };

  void require_phase(std::string_view call) const {
    if (!steps_) throw ConfigError(fmt::format("{} was called before begin()", call));
  }

  void check(std::span<const std::span<const float>> gradients) const {
    if (gradients.size() != sizes_.size()) {
      throw ConfigError(fmt::format("gradients of {} parameters: there are {}", gradients.size(), sizes_.size()));
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::string parameter = parameter_name(i, settings_.names);
      if (std::ssize(gradients[i]) != sizes_[i]) {
        throw ConfigError(fmt::format("{} gradients for {}: it has {}", gradients[i].size(), parameter, sizes_[i]));
      }
      if (!all_finite(gradients[i])) {
        throw ConfigError(
            fmt::format("a gradient of {} is infinite or not a number: use a lower learning rate, or clip "
                        "the gradients",
                        parameter));
      }
    }
  }

  // One receive for each peer is always posted, so that its gradient arrives while this rank computes.
  void expect_next(Peer& peer) {
    peer.arriving = Transfer();
    if (peer.applied == peer.steps) return;
    peer.arriving = mesh_.channel(peer.rank).receive(settings_.stream, std::as_writable_bytes(std::span(peer.memory)));
  }

  void wait(Transfer& transfer) {
    const Clock::time_point begin = Clock::now();
    transfer.wait();
    waited_ += Clock::now() - begin;
  }

  // Applies the gradients that have arrived, and waits until `steps` steps of each peer are applied.
  void apply_until(std::int64_t steps, const Apply& apply) {
    while (true) {
      apply_arrived(apply);
      const auto late =
          std::ranges::find_if(peers_, [&](const Peer& peer) { return peer.applied < std::min(steps, peer.steps); });
      if (late == peers_.end()) return;
      mesh_.count_rounds(1);
      wait(late->arriving);
    }
  }

  void apply_arrived(const Apply& apply) {
    for (bool any = true; any;) {
      any = false;
      for (Peer& peer : peers_) {
        if (peer.applied == peer.steps || !peer.arriving.done()) continue;
        apply_next(peer, apply);
        any = true;
      }
    }
  }

  void apply_next(Peer& peer, const Apply& apply) {
    const std::int64_t lateness = std::max<std::int64_t>(sent_ - 1 - peer.applied, 0);
    oldest_ = std::max(oldest_, lateness);
    std::vector<std::span<const float>> gradients;
    std::span<const float> rest(peer.memory);
    for (const std::int64_t size : sizes_) {
      gradients.push_back(rest.first(static_cast<std::size_t>(size)));
      rest = rest.subspan(static_cast<std::size_t>(size));
    }
    apply({peer.rank, peer.applied, lateness, gradients});
    ++peer.applied;
    expect_next(peer);
  }

  // Frees the memory of gradients that every peer has.
  void release_own() {
    while (!own_.empty() && std::ranges::all_of(own_.front().transfers, &Transfer::done)) {
      spare_.push_back(std::move(own_.front().memory));
      own_.pop_front();
    }
  }

  Floats spare_memory() {
    if (spare_.empty()) return Floats(size_);
    Floats memory = std::move(spare_.back());
    spare_.pop_back();
    return memory;
  }

  Mesh& mesh_;
  const LateSettings settings_;
  const std::vector<std::int64_t> sizes_;
  const std::size_t size_;  // number of gradients of all parameters
  std::vector<Peer> peers_;
  std::deque<Own> own_;  // gradients that have not left, the oldest first
  std::vector<Floats> spare_;
  std::optional<std::int64_t> steps_;  // announced by this rank; empty outside of begin() … drain()
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;  // calls of receive()
  std::int64_t oldest_ = 0;
  std::chrono::nanoseconds waited_{0};
};

LateGradients::LateGradients(Mesh& mesh, std::vector<std::int64_t> sizes, LateSettings settings)
    : impl_(std::make_unique<Impl>(mesh, std::move(sizes), std::move(settings))) {}
LateGradients::~LateGradients() = default;

void LateGradients::begin(std::int64_t steps) { impl_->begin(steps); }
void LateGradients::send(std::span<const std::span<const float>> gradients) { impl_->send(gradients); }
void LateGradients::receive(const Apply& apply) { impl_->receive(apply); }
void LateGradients::drain(const Apply& apply) { impl_->drain(apply); }
std::int64_t LateGradients::oldest() const { return impl_->oldest(); }
std::chrono::nanoseconds LateGradients::waited() const { return impl_->waited(); }

}  // namespace tacit::net
