#include "net/memory/memory_hub.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "net/memory/key_export.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kPairSecretBytes = 32;

// Both sides must have the same total size.
void copy_pieces(std::span<const ConstBytes> from, std::span<const Bytes> to) {
  std::size_t source = 0, offset = 0;
  for (Bytes out : to) {
    while (!out.empty()) {
      const ConstBytes in = from[source].subspan(offset);
      const std::size_t n = std::min(in.size(), out.size());
      if (n > 0) std::memcpy(out.data(), in.data(), n);
      out = out.subspan(n);
      offset += n;
      if (offset == from[source].size()) {
        ++source;
        offset = 0;
      }
    }
  }
}

}  // namespace

MemoryHub::MemoryHub(int parties, int helpers, std::chrono::milliseconds patience)
    : parties_(parties), patience_(patience) {
  for (int r = 0; r < parties + helpers; ++r) {
    ranks_.push_back(std::make_unique<Rank>());
    at(r).traffic.peers.resize(static_cast<std::size_t>(parties + helpers));
    for (int lower = 0; lower < r; ++lower) secrets_[{lower, r}] = random_secret(kPairSecretBytes);
  }
}

std::string MemoryHub::describe(int rank) const {
  return fmt::format("rank {} ({}, in memory)", rank, name(rank < parties_ ? Role::kParty : Role::kDealer));
}

void MemoryHub::submit(const std::shared_ptr<MemorySend>& send) {
  Lock lock(mutex_);
  require_working(send->rank);
  PeerTraffic& t = traffic_of(send->rank, send->peer);
  t.payload_sent += send->size;
  t.wire_sent += send->size;
  ++t.messages_sent;
  if (std::ssize(send->copy) == send->size) {
    send->done = true;
    send->finished_at = Clock::now();
  }
  Queue& q = queue(send->rank, send->peer, send->stream);
  if (q.receives.empty()) {
    q.sends.push_back(send);
    return;
  }
  MemoryReceive& receive = *q.receives.front();
  q.receives.pop_front();
  move(lock, *send, receive);
  at(receive.rank).changed.notify_all();
}

void MemoryHub::submit(MemoryReceive& receive) {
  Lock lock(mutex_);
  require_working(receive.rank);
  Queue& q = queue(receive.peer, receive.rank, receive.stream);
  if (q.sends.empty()) {
    q.receives.push_back(&receive);
    return;
  }
  const std::shared_ptr<MemorySend> send = std::move(q.sends.front());
  q.sends.pop_front();
  const bool sender_may_wait = !send->done;
  move(lock, *send, receive);
  if (sender_may_wait) at(send->rank).changed.notify_all();
}

// The caller has removed both ends from their queue. This thread owns them until it marks them as
// done. No thread waits for the caller's end, so the caller wakes the other one.
void MemoryHub::move(Lock& lock, MemorySend& send, MemoryReceive& receive) {
  if (send.size != receive.size) {
    return fail(Exit::kProtocol, send.rank, -1,
                fmt::format("{} deviates from the protocol: it sent rank {} a message of {} bytes where {} were "
                            "expected (stream {})",
                            describe(send.rank), receive.rank, send.size, receive.size, send.stream));
  }
  send.moving = receive.moving = true;
  lock.unlock();
  copy_pieces(send.pieces, receive.pieces);
  lock.lock();
  const Clock::time_point now = Clock::now();
  if (!send.done) send.finished_at = now;
  receive.finished_at = now;
  send.moving = receive.moving = false;
  send.done = receive.done = true;
  PeerTraffic& t = traffic_of(receive.rank, send.rank);
  t.payload_received += receive.size;
  t.wire_received += receive.size;
  ++t.messages_received;
}

bool MemoryHub::done(const MemoryEnd& end) const {
  const Lock lock(mutex_);
  return end.done;
}

Clock::time_point MemoryHub::finished_at(const MemoryEnd& end) const {
  const Lock lock(mutex_);
  return end.finished_at;
}

void MemoryHub::wait(const MemorySend& send) { wait(send, "sending {} bytes to rank {}"); }

void MemoryHub::wait(const MemoryReceive& receive) { wait(receive, "waiting for {} bytes from rank {}"); }

void MemoryHub::wait(const MemoryEnd& end, fmt::format_string<std::int64_t, int> doing) {
  Lock lock(mutex_);
  if (end.done) return;
  Rank& self = at(end.rank);
  const auto entry = self.waits.insert(self.waits.end(), {end.peer, Clock::now()});
  const bool in_time = self.changed.wait_until(lock, entry->since + patience_, [&] {
    return end.done || (!end.moving && (failure_.has_value() || at(end.peer).goodbye));
  });
  self.waits.erase(entry);
  wait_until_still(lock, end);
  if (end.done) return;
  if (!failure_ && !in_time) {
    fail(Exit::kNet, end.peer, -1,
         fmt::format("{} is alive but has kept rank {} waiting for {:.1f} s", describe(end.peer), end.rank,
                     std::chrono::duration<double>(patience_).count()));
  } else if (!failure_) {
    fail(Exit::kProtocol, end.peer, -1,
         describe(end.peer) + " has finished its program while others still exchange messages with it");
  }
  raise(end.rank, fmt::format(doing, std::int64_t{end.size}, int{end.peer}));
}

void MemoryHub::wait_until_still(Lock& lock, const MemoryEnd& end) {
  at(end.rank).changed.wait(lock, [&] { return !end.moving; });
}

void MemoryHub::withdraw(const MemorySend& send) {
  Lock lock(mutex_);
  if (send.done) return;  // the hub may still move its own copy
  wait_until_still(lock, send);
  if (send.done) return;
  at(send.rank).gave_up_a_message = true;
  std::erase_if(queue(send.rank, send.peer, send.stream).sends, [&](const auto& s) { return s.get() == &send; });
}

void MemoryHub::withdraw(const MemoryReceive& receive) {
  Lock lock(mutex_);
  wait_until_still(lock, receive);
  if (receive.done) return;
  at(receive.rank).gave_up_a_message = true;
  std::erase(queue(receive.peer, receive.rank, receive.stream).receives, &receive);
}

void MemoryHub::close(int rank) {
  Lock lock(mutex_);
  require_working(rank);
  at(rank).goodbye = true;
  wake_all();
  const bool in_time = at(rank).changed.wait_for(lock, patience_, [&] {
    return failure_.has_value() || std::all_of(ranks_.begin(), ranks_.end(), [](const auto& r) { return r->goodbye; });
  });
  if (!in_time) {
    const auto late = std::find_if(ranks_.begin(), ranks_.end(), [](const auto& r) { return !r->goodbye; });
    const int who = static_cast<int>(late - ranks_.begin());
    fail(Exit::kNet, who, -1, describe(who) + " is alive but has not finished its program");
  }
  if (!failure_) require_nothing_left_over(rank);
  if (failure_) raise(rank, "saying goodbye");
  at(rank).closed = true;
}

void MemoryHub::require_nothing_left_over(int rank) {
  for (const auto& [key, q] : queues_) {
    const auto [from, to, stream] = key;
    if (to != rank || q.sends.empty()) continue;
    return fail(Exit::kProtocol, from, -1,
                fmt::format("{} sent {} message(s) on stream {} that rank {} never asked for", describe(from),
                            q.sends.size(), stream, rank));
  }
}

void MemoryHub::abort(int rank, Exit exit, std::string_view reason, int culprit) {
  const Lock lock(mutex_);
  fail(exit, culprit < 0 ? rank : culprit, rank, std::string(reason));
}

bool MemoryHub::closed(int rank) const {
  const Lock lock(mutex_);
  return at(rank).closed;
}

void MemoryHub::fail(Exit exit, int culprit, int reporter, std::string text) {
  if (failure_) return;
  failure_ = Failure{exit, culprit, reporter, std::move(text)};
  wake_all();
}

void MemoryHub::wake_all() {
  for (const auto& rank : ranks_) rank->changed.notify_all();
}

void MemoryHub::raise(int rank, const std::string& doing) const {
  const Failure& f = *failure_;
  std::string text = f.text;
  if (f.reporter >= 0 && f.reporter != rank) {
    text = f.reporter == f.culprit ? describe(f.culprit) + " gave up: " + text
                                   : fmt::format("{} (reported by rank {})", text, f.reporter);
  }
  const std::string& now = at(rank).step;
  text += fmt::format("; rank {} was {}{}", rank, doing, now.empty() ? "" : ", in step \"" + now + "\"");
  if (f.exit == Exit::kProtocol) throw ProtocolError(text, f.culprit);
  if (f.exit == Exit::kConfig) throw ConfigError(text);
  throw NetError(text, f.culprit);
}

void MemoryHub::require_working(int rank) const {
  if (failure_) raise(rank, "at work");
  TACIT_CHECK(!at(rank).goodbye && !at(rank).gave_up_a_message);
}

void MemoryHub::set_step(int rank, std::string step) {
  const Lock lock(mutex_);
  at(rank).step = std::move(step);
}

std::string MemoryHub::step(int rank) const {
  const Lock lock(mutex_);
  return at(rank).step;
}

void MemoryHub::count_rounds(int rank, std::int64_t rounds) {
  const Lock lock(mutex_);
  at(rank).traffic.rounds += rounds;
}

Traffic MemoryHub::traffic(int rank) const {
  const Lock lock(mutex_);
  return at(rank).traffic;
}

std::optional<Waiting> MemoryHub::waiting(int rank) const {
  const Lock lock(mutex_);
  const auto& waits = at(rank).waits;
  if (waits.empty()) return std::nullopt;
  return Waiting{waits.front().peer, Clock::now() - waits.front().since, true};
}

Secret MemoryHub::export_key(int rank, int peer, std::string_view label, std::int64_t size) const {
  return derive_key(secrets_.at({std::min(rank, peer), std::max(rank, peer)}), label, size);
}

}  // namespace tacit::net
