// BackgroundAllReduce — all-reduces that go on while the program computes: start() returns at once, finish() waits.
//
// One thread of its own runs them one after the other, in the order of their starts, on a stream of their own; so every
// party must start the same ones in the same order, and the foreground may do what it likes on other streams meanwhile.
// An error surfaces in finish(), there and in all later ones.
//
// Thread: one at a time may use it.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/collectives/all_reduce_plan.h"
#include "net/collectives/group.h"

namespace tacit::net {

class BackgroundAllReduce {
 public:
  // One all-reduce that was started.
  class Ticket {
   public:
    Ticket() = default;

   private:
    friend class BackgroundAllReduce;
    explicit Ticket(std::int64_t number) : number_(number) {}
    std::int64_t number_ = -1;  // of those started
  };

  // The mesh must outlive it.
  BackgroundAllReduce(Mesh& mesh, AllReducePlan plan, Stream stream = kBackgroundStream);

  // Nothing of it runs afterwards. If something that was started is not done yet, the mesh is aborted: the other
  // parties cannot complete theirs.
  ~BackgroundAllReduce();
  BackgroundAllReduce(const BackgroundAllReduce&) = delete;
  BackgroundAllReduce& operator=(const BackgroundAllReduce&) = delete;

  // The words belong to it until they are finished; the sums replace them.
  Ticket start(std::vector<Words> tensors);
  void finish(Ticket ticket);
  bool done(Ticket ticket) const;  // finish() would not wait

 private:
  void run();

  Mesh& mesh_;
  const AllReducePlan plan_;
  Group group_;  // of the worker alone
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<Words>> waiting_;
  std::int64_t started_ = 0;
  std::int64_t finished_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
  std::thread worker_;  // last: it uses everything above
};

}  // namespace tacit::net
