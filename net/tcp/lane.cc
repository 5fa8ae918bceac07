#include "net/tcp/lane.h"

#include <new>
#include <utility>

#include "net/error.h"
#include "net/tcp/tcp_info.h"

namespace tacit::net {

Lane::Lane(int world_size, std::unique_ptr<Wire> wire, Inbox& inbox, Events events)
    : inbox_(inbox),
      events_(std::move(events)),
      wire_(std::move(wire)),
      reader_(*wire_, inbox_, world_size),
      writer_(queue_, *wire_),
      last_heard_(Clock::now()),
      last_sent_(Clock::now()) {
  bytes_sent_ = wire_->bytes_sent();
  bytes_received_ = wire_->bytes_received();
}

Lane::~Lane() {
  const std::lock_guard lock(work_mutex_);
  unwatch_locked();
}

bool Lane::start(std::vector<Poller*> pollers) {
  {
    const std::lock_guard lock(work_mutex_);
    pollers_ = std::move(pollers);
    watch_locked({.read = true, .write = false});
  }
  return work();  // the handshake may have read ahead
}

void Lane::submit(Outgoing& message) {
  queue_.submit(message);
  write_soon();
}

void Lane::submit(std::unique_ptr<Outgoing> message) {
  queue_.submit(std::move(message));
  write_soon();
}

void Lane::control(FrameKind kind, ConstBytes body) {
  queue_.control(kind, body);
  write_soon();
}

// The holder of the work lock checks `queued_` again after releasing the lock, so no queued frame
// is forgotten.
void Lane::write_soon() {
  queued_.store(true);
  while (queued_.load() && work_mutex_.try_lock()) {
    const std::lock_guard lock(work_mutex_, std::adopt_lock);
    queued_.store(false);
    if (!blocked_) write_locked();  // otherwise the poller reports when the socket has room
  }
}

bool Lane::work() {
  bool more = false;
  {
    const std::lock_guard lock(work_mutex_);
    blocked_ = false;
    queued_.store(false);
    more = read_locked();
    write_locked();
  }
  catch_up();
  return more;
}

bool Lane::try_work() {
  bool more = false;
  {
    const std::unique_lock lock(work_mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return false;
    queued_.store(false);
    more = read_locked();
    if (!blocked_) write_locked();
  }
  catch_up();
  return more;
}

// Reads. Returns true if more bytes may be available.
bool Lane::read_locked() {
  if (closed_.load()) return false;
  try {
    if (ended_) return discard_locked();
    if (!reading_ || paused_.load()) return false;
    auto result = reader_.read();
    if (result == FrameReader::Result::kPaused) {
      // A thread that makes room checks `paused_` afterwards. Therefore check for room once more
      // after setting `paused_`.
      paused_.store(true);
      result = reader_.read();
      if (result != FrameReader::Result::kPaused) paused_.store(false);
    }
    if (reader_.aborted()) {
      reading_ = false;
      events_.aborted(*reader_.aborted());
    }
    if (reader_.goodbye() && !goodbye_.exchange(true)) events_.progress();
    if (reader_.take_finished()) events_.progress();
    count_locked();
    if (result == FrameReader::Result::kClosed) {
      if (!goodbye_.load() || !reader_.between_frames()) throw NetError("it closed the connection");
      reading_ = false;
      ended_by_peer_.store(true);
    }
    return result == FrameReader::Result::kMore;
  } catch (const std::bad_alloc& error) {
    reading_ = false;  // the link itself works: the peer must still receive this rank's reason
    events_.failed(error);
    return false;
  } catch (const std::exception& error) {
    fail_locked(error);
    return false;
  }
}

// Writes, and sets the events for the pollers.
void Lane::write_locked() {
  if (closed_.load() || ended_) return;
  try {
    const auto result = writer_.write();
    blocked_ = result == FrameWriter::Result::kBlocked;
    if (writer_.take_finished()) events_.progress();
    count_locked();
    watch_locked({.read = reading_ && !paused_.load(), .write = result != FrameWriter::Result::kIdle});
  } catch (const std::exception& error) {
    if (!closed_.load()) read_locked();  // the peer's last message explains more than a broken pipe
    if (!closed_.load()) fail_locked(error);
  }
}

void Lane::count_locked() {
  const Clock::time_point now = Clock::now();
  if (bytes_received_.exchange(wire_->bytes_received(), std::memory_order_relaxed) != wire_->bytes_received()) {
    last_heard_.store(now);
  }
  if (bytes_sent_.exchange(wire_->bytes_sent(), std::memory_order_relaxed) != wire_->bytes_sent())
    last_sent_.store(now);
}

// Without interest in any event, the socket leaves the pollers. Otherwise epoll would report a
// hang-up again and again.
void Lane::watch_locked(Poller::Interest interest) {
  if (!interest.read && !interest.write) return unwatch_locked();
  if (watched_ && interest == interest_) return;
  for (Poller* poller : pollers_) {
    watched_ ? poller->change(socket(), *this, interest) : poller->add(socket(), *this, interest);
  }
  interest_ = interest;
  watched_ = true;
}

void Lane::unwatch_locked() {
  if (!watched_) return;
  for (Poller* poller : pollers_) poller->remove(socket());
  watched_ = false;
}

bool Lane::resume_reading() {
  if (!paused_.load()) return false;
  forgive_silence();  // this rank caused the silence
  return paused_.exchange(false);
}

void Lane::withdraw(const Outgoing& message) {
  {
    const std::lock_guard lock(work_mutex_);
    writer_.withdraw(message);
  }
  catch_up();
}

void Lane::stop_reading() {
  {
    const std::lock_guard lock(work_mutex_);
    reading_ = false;
    if (watched_ && !closed_.load()) watch_locked({.read = false, .write = blocked_});
  }
  catch_up();
}

void Lane::catch_up() {
  if (queued_.load()) write_soon();
}

// After a goodbye, or after end(), a broken connection is no failure.
void Lane::fail_locked(const std::exception& error) {
  closed_.store(true);
  unwatch_locked();
  if (goodbye_.load() || ended_) {
    ended_by_peer_.store(true);
  } else {
    events_.failed(error);
  }
}

// Reads and discards. Returns true if more bytes are available. The bound ends the loop even if the
// peer never stops sending.
bool Lane::discard_locked() {
  constexpr int kReadsAtOnce = 64;
  std::array<std::byte, 16 * 1024> scratch;
  for (int i = 0; i < kReadsAtOnce; ++i) {
    const std::int64_t n = wire_->read(scratch);
    if (n == 0) return false;
    if (n > 0) continue;
    ended_by_peer_.store(true);
    unwatch_locked();
    return false;
  }
  return true;
}

void Lane::end() {
  const std::lock_guard lock(work_mutex_);
  if (closed_.load() || ended_) return;
  ended_ = true;
  try {
    wire_->say_end();
    if (!ended_by_peer_.load()) watch_locked({.read = true, .write = false});
    discard_locked();
  } catch (const NetError&) {  // the connection is already gone
    closed_.store(true);
    ended_by_peer_.store(true);
    unwatch_locked();
  }
}

void Lane::look_at_link(std::chrono::milliseconds longest_queue) {
  if (closed_.load()) return;
  const TcpInfo now = tcp_info(socket());
  if (std::exchange(segments_heard_, now.data_packets_received) < now.data_packets_received) forgive_silence();
  keep_queue_short(socket(), now, longest_queue);
}

bool Lane::drained() {
  catch_up();
  const std::lock_guard lock(work_mutex_);
  return closed_.load() || ended_ || (queue_.empty() && writer_.idle());
}

Secret Lane::export_key(std::string_view label, std::int64_t size) {
  Secret key;
  {
    const std::lock_guard lock(work_mutex_);
    key = wire_->export_key(label, size);
  }
  catch_up();
  return key;
}

}  // namespace tacit::net
