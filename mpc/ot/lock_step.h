// LockStep runs tasks at the same time whose rounds on one network are shared. Each task is a fiber. At its exchange, it pauses; when
// all running tasks have paused, their messages to a peer travel as one, in the order of the tasks, and all go on.
//
// All parties run the same tasks in the same order with the same limit. The two ends of a pair count transfers, uses and encryptions
// alike, and each number serves once: this is secure if all parties also interleave their tasks in the same way. So the order in which
// tasks begin, go on and end depends on public numbers alone:
//   - a task goes on at its exchange and nowhere else, always in the order of the list;
//   - a task begins when all before it in the list have begun, and either none runs, or its memory fits beside the memory of the running
//     tasks, and fewer than kMostTogether run; tasks begin before the messages of a round travel;
//   - a task's memory and its exchanges follow from public arguments.
// A task must not need a result of another one.
//
// An error in a task or in the network ends all: the other tasks are unwound at their exchange, so that their destructors run, and
// run() throws the error. Thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <span>

#include "mpc/ot/fiber.h"
#include "mpc/ot/pair_network.h"

namespace tacit::mpc {

class LockStep {
 public:
  static constexpr std::int64_t kMostMemory = std::int64_t{256} << 20;
  static constexpr std::int64_t kMostTogether = 1024;

  struct Task {
    std::function<void()> run;
    std::int64_t memory = 0;  // bytes that it takes at a party, as MadeTrace counts them: equal at all parties
  };
  // Runs all tasks to their end. At most `most_memory` is in use at once, or one task runs alone.
  static void run(PairNetwork& network, std::span<const Task> tasks, std::int64_t most_memory = kMostMemory);

  // Equal tasks, one after the other in the list.
  struct PlannedTask {
    std::shared_ptr<const MadeTrace> trace;
    std::int64_t times = 1;
  };
  // The exact cost of run(), from the traces of the single tasks.
  static MadeCost cost(std::span<const PlannedTask> tasks, std::int64_t most_memory = kMostMemory);

  LockStep(const LockStep&) = delete;
  LockStep& operator=(const LockStep&) = delete;

 private:
  friend class PairNetwork;

  // The tasks that run, by their memory.
  class Room {
   public:
    explicit Room(std::int64_t most_memory) : most_(most_memory) {}
    // How many of `count` equal tasks may begin now.
    std::int64_t for_tasks(std::int64_t memory, std::int64_t count) const;
    void begin(std::int64_t memory, std::int64_t count);
    void end(std::int64_t memory, std::int64_t count);

   private:
    const std::int64_t most_;
    std::int64_t used_ = 0, running_ = 0;
  };

  struct Running {
    explicit Running(const Task& task) : memory(task.memory), fiber(task.run) {}

    const std::int64_t memory;
    const PairNetwork::Messages* out = nullptr;  // the messages of its exchange
    PairNetwork::Messages* in = nullptr;
    Fiber fiber;
  };

  LockStep(PairNetwork& network, std::span<const Task> tasks, std::int64_t most_memory);
  ~LockStep();

  void run();
  void begin_tasks();
  void exchange_together();
  void resume(Running& task);
  // Called by the network in a task.
  void exchange(const PairNetwork::Messages& out, PairNetwork::Messages& in);

  PairNetwork& network_;
  std::span<const Task> waiting_;
  Room room_;
  std::list<Running> running_;  // in the order of the tasks
  Running* current_ = nullptr;
};

}  // namespace tacit::mpc
