// Lane — the connection to one peer, worked by whichever thread gets there first.
//
// Threads: any. submit() and control() never wait for the network: they queue, and write at once what the socket takes
// if nobody else is at work. The wire, the reader and the writer are used under the work lock only.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "net/tcp/frame_reader.h"
#include "net/tcp/frame_writer.h"
#include "net/tcp/poller.h"
#include "net/tcp/send_queue.h"

namespace tacit::net {

class Lane {
 public:
  // What others want to know. Called under the work lock by whoever works; must not call back into a lane, and
  // progress() not take a lock under which somebody waits for a lane.
  struct Events {
    std::function<void()> progress;                     // a transfer has finished, or the peer has said goodbye
    std::function<void(const AbortReport&)> aborted;    // the peer gave up and says why
    std::function<void(const std::exception&)> failed;  // this connection is of no use any more
  };

  Lane(int world_size, std::unique_ptr<Wire> wire, Inbox& inbox, Events events);
  ~Lane();

  // From now on these tell when work() is due; they must outlive the lane. Returns as work() does.
  bool start(std::vector<Poller*> pollers);

  // Queues the frames of a message. It must live until it is done or withdrawn.
  void submit(Outgoing& message);
  void submit(std::unique_ptr<Outgoing> message);
  void control(FrameKind kind, ConstBytes body = {});

  // Reads and writes what can be without blocking, up to a bound. True if there is more to do without a poll.
  bool work();
  bool try_work();  // the same unless somebody else is at work: for a thread that spins

  // The inbox may have room again. True if the lane had stopped for want of it: it must be visited then, as its wire
  // may hold bytes that no poll would announce.
  bool resume_reading();

  // After these, nothing touches the memory of the message, or of any receive.
  void withdraw(const Outgoing& message);
  void stop_reading();

  // Says the end to the peer: nothing is written after it. What still comes is read and thrown away, for a socket that
  // is closed with bytes unread takes down what it has sent, too.
  void end();
  bool ended_by_peer() const { return ended_by_peer_.load(); }

  bool drained();  // everything queued has been handed to the kernel
  bool goodbye() const { return goodbye_.load(); }
  bool paused() const { return paused_.load(); }
  bool closed() const { return closed_.load(); }
  bool takes_heartbeats() const { return !closed_.load() && !ended_.load() && !blocked_.load(); }
  Clock::time_point last_heard() const { return last_heard_.load(); }
  Clock::time_point last_sent() const { return last_sent_.load(); }
  // Asks the kernel: segments that arrived, but wait for a lost one before them, are a sign of life, too. And a link
  // with a queue of seconds is given less at a time. For one thread, now and then.
  void look_at_link(std::chrono::milliseconds longest_queue);
  void forgive_silence() { last_heard_.store(Clock::now()); }

  int socket() const { return wire_->socket(); }
  Secret export_key(std::string_view label, std::int64_t size);
  std::int64_t bytes_sent() const { return bytes_sent_.load(std::memory_order_relaxed); }
  std::int64_t bytes_received() const { return bytes_received_.load(std::memory_order_relaxed); }

 private:
  void write_soon();  // as long as something is queued and nobody else works
  void catch_up();    // with what was queued while we held the work lock
  bool read_locked();
  void write_locked();
  void count_locked();
  void watch_locked(Poller::Interest interest);
  void unwatch_locked();
  bool discard_locked();
  void fail_locked(const std::exception& error);

  Inbox& inbox_;
  const Events events_;
  SendQueue queue_;

  std::mutex work_mutex_;
  const std::unique_ptr<Wire> wire_;
  FrameReader reader_;
  FrameWriter writer_;
  std::vector<Poller*> pollers_;
  bool watched_ = false;
  Poller::Interest interest_;
  bool reading_ = true;  // into the inbox

  std::atomic<bool> queued_ = false;   // since the last look at the queue
  std::atomic<bool> blocked_ = false;  // the socket took no more
  std::atomic<bool> ended_ = false;    // by us
  std::atomic<bool> paused_ = false;
  std::atomic<bool> goodbye_ = false;
  std::atomic<bool> closed_ = false;  // of no use in either direction
  std::atomic<bool> ended_by_peer_ = false;
  std::atomic<Clock::time_point> last_heard_;
  std::atomic<Clock::time_point> last_sent_;
  std::int64_t segments_heard_ = 0;  // by the last look
  std::atomic<std::int64_t> bytes_sent_ = 0;
  std::atomic<std::int64_t> bytes_received_ = 0;
};

}  // namespace tacit::net
