// Lane — the connection to one peer. The first thread that has time for it moves its bytes.
//
// Threads: any. submit() and control() never wait for the network: both queue a frame, and write at
// once as much as the socket takes unless another thread works on the lane. The wire, the reader
// and the writer require the work lock.
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
  // Callbacks to the mesh. The working thread calls them under the work lock. A callback must not call
  // a lane. progress() must not take a lock that a thread holds while it waits for a lane.
  struct Events {
    std::function<void()> progress;                     // a transfer has finished, or the peer has said goodbye
    std::function<void(const AbortReport&)> aborted;    // the peer has given up, for the reported reason
    std::function<void(const std::exception&)> failed;  // this connection is unusable
  };

  Lane(int world_size, std::unique_ptr<Wire> wire, Inbox& inbox, Events events);
  ~Lane();

  // Attaches the lane to the pollers, which report when work() is due. The pollers must outlive the
  // lane. Returns the result of work().
  bool start(std::vector<Poller*> pollers);

  // Queues the frames of a message, which must live until it is done or withdrawn.
  void submit(Outgoing& message);
  void submit(std::unique_ptr<Outgoing> message);
  void control(FrameKind kind, ConstBytes body = {});

  // Reads and writes without blocking, up to a bound. Returns true if more work remains that needs
  // no poll.
  bool work();
  bool try_work();  // as work(), but returns if another thread works: for a spinning thread

  // Call this when the inbox may have room again. Returns true if the lane had stopped for lack of
  // room. The lane must then be visited, since its wire may hold bytes that no poll announces.
  bool resume_reading();

  // After these calls, no thread touches the memory of the message, or of any receive.
  void withdraw(const Outgoing& message);
  void stop_reading();

  // Ends the sending direction. The lane then reads and discards further bytes, because closing a
  // socket with unread bytes destroys the data that it has sent.
  void end();
  bool ended_by_peer() const { return ended_by_peer_.load(); }

  bool drained();  // the kernel has taken all queued frames
  bool goodbye() const { return goodbye_.load(); }
  bool paused() const { return paused_.load(); }
  bool closed() const { return closed_.load(); }
  bool takes_heartbeats() const { return !closed_.load() && !ended_.load() && !blocked_.load(); }
  Clock::time_point last_heard() const { return last_heard_.load(); }
  Clock::time_point last_sent() const { return last_sent_.load(); }
  // Reads the kernel's counters. Segments that arrived behind a lost one count as a sign of life.
  // On a link with a queue of seconds, the lane gives the kernel less at a time. One thread calls
  // this at intervals.
  void look_at_link(std::chrono::milliseconds longest_queue);
  void forgive_silence() { last_heard_.store(Clock::now()); }

  int socket() const { return wire_->socket(); }
  Secret export_key(std::string_view label, std::int64_t size);
  std::int64_t bytes_sent() const { return bytes_sent_.load(std::memory_order_relaxed); }
  std::int64_t bytes_received() const { return bytes_received_.load(std::memory_order_relaxed); }

 private:
  void write_soon();  // writes queued frames, unless another thread works
  void catch_up();    // writes frames that were queued during this thread's work
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

  std::atomic<bool> queued_ = false;   // frames were added since the last look at the queue
  std::atomic<bool> blocked_ = false;  // the socket is full
  std::atomic<bool> ended_ = false;    // by this rank
  std::atomic<bool> paused_ = false;
  std::atomic<bool> goodbye_ = false;
  std::atomic<bool> closed_ = false;  // unusable in both directions
  std::atomic<bool> ended_by_peer_ = false;
  std::atomic<Clock::time_point> last_heard_;
  std::atomic<Clock::time_point> last_sent_;
  std::int64_t segments_heard_ = 0;  // at the last look_at_link()
  std::atomic<std::int64_t> bytes_sent_ = 0;
  std::atomic<std::int64_t> bytes_received_ = 0;
};

}  // namespace tacit::net
