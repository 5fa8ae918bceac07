#include "mpc/ot/lock_step.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "net/error.h"

namespace tacit::mpc {

// A message's pieces.
static_assert(LockStep::kMostTogether <= net::kMaxPieces);

std::int64_t LockStep::Room::for_tasks(std::int64_t memory, std::int64_t count) const {
  const std::int64_t fit = memory > 0 ? (most_ - used_) / memory : count;
  const std::int64_t least = running_ == 0 ? 1 : 0;
  return std::min({count, std::max(fit, least), kMostTogether - running_});
}

void LockStep::Room::begin(std::int64_t memory, std::int64_t count) {
  used_ += memory * count;
  running_ += count;
}

void LockStep::Room::end(std::int64_t memory, std::int64_t count) { begin(memory, -count); }

void LockStep::run(PairNetwork& network, std::span<const Task> tasks, std::int64_t most_memory) {
  if (tasks.size() == 1) return tasks.front().run();
  LockStep(network, tasks, most_memory).run();
}

LockStep::LockStep(PairNetwork& network, std::span<const Task> tasks, std::int64_t most_memory)
    : network_(network), waiting_(tasks), room_(most_memory) {
  TACIT_CHECK(network.lock_step_ == nullptr);
  network.lock_step_ = this;
}

LockStep::~LockStep() {
  while (!running_.empty()) {
    current_ = &running_.front();
    running_.pop_front();
  }
  network_.lock_step_ = nullptr;
}

void LockStep::run() {
  for (;;) {
    begin_tasks();
    if (running_.empty()) return;
    exchange_together();
    for (auto task = running_.begin(); task != running_.end();) {
      resume(*task);
      if (task->fiber.ended()) {
        room_.end(task->memory, 1);
        task = running_.erase(task);
      } else {
        ++task;
      }
    }
  }
}

void LockStep::begin_tasks() {
  while (!waiting_.empty() && room_.for_tasks(waiting_.front().memory, 1) > 0) {
    Running& task = running_.emplace_back(waiting_.front());
    waiting_ = waiting_.subspan(1);
    resume(task);
    if (task.fiber.ended()) {
      running_.pop_back();
    } else {
      room_.begin(task.memory, 1);
    }
  }
}

void LockStep::resume(Running& task) {
  current_ = &task;
  task.fiber.resume();
}

void LockStep::exchange(const PairNetwork::Messages& out, PairNetwork::Messages& in) {
  current_->out = &out;
  current_->in = &in;
  current_->fiber.pause();
}

void LockStep::exchange_together() {
  PairNetwork::Round round(network_.parties());
  for (const Running& task : running_) round.add(*task.out, *task.in);
  network_.move(round);
}

namespace {

// The cost of `together` equal tasks that run together, and no other, `times` one after the other.
MadeCost cost_alone(const MadeTrace& trace, std::int64_t together, std::int64_t times) {
  MadeCost cost;
  for (const MadeTrace::Round& round : trace.rounds) {
    cost.rounds += times;
    cost.bytes += round.bytes * together * times;
    cost.messages += std::ranges::count(trace.peers[round.peers], true) * times;
  }
  cost.transfers = trace.transfers * together * times;
  cost.leakage = capped_product(trace.leakage, together * times);
  return cost;
}

}  // namespace

MadeCost LockStep::cost(std::span<const PlannedTask> tasks, std::int64_t most_memory) {
  struct Together {
    const PlannedTask* task;
    std::int64_t count;
    std::size_t round;  // the next one of the tasks' trace
  };
  Room room(most_memory);
  std::vector<Together> running;
  MadeCost cost;
  std::vector<bool> reached;
  std::int64_t begun = 0;  // how many of the first planned task have begun
  for (;;) {
    // Equal tasks that fill the room, except the last ones, which leave room for other tasks.
    if (running.empty() && !tasks.empty() && tasks.front().times > begun) {
      const auto& [trace, times] = tasks.front();
      const std::int64_t together = room.for_tasks(trace->memory, times - begun);
      const std::int64_t fillings = (times - begun - 1) / together;
      cost += cost_alone(*trace, together, fillings);
      begun += together * fillings;
    }
    while (!tasks.empty()) {
      const auto& [trace, times] = tasks.front();
      const std::int64_t begin = room.for_tasks(trace->memory, times - begun);
      if (begin == 0 && begun < times) break;
      begun += begin;
      if (trace->rounds.empty()) {
        begun = times;
      } else if (begin > 0) {
        running.push_back({&tasks.front(), begin, 0});
        cost.transfers += trace->transfers * begin;
        cost.leakage = capped_sum(cost.leakage, capped_product(trace->leakage, begin));
        room.begin(trace->memory, begin);
      }
      if (begun < times) break;
      tasks = tasks.subspan(1);
      begun = 0;
    }
    if (running.empty()) return cost;
    ++cost.rounds;
    reached.clear();
    for (Together& some : running) {
      const MadeTrace& trace = *some.task->trace;
      const MadeTrace::Round& round = trace.rounds[some.round++];
      cost.bytes += round.bytes * some.count;
      const std::vector<bool>& peers = trace.peers[round.peers];
      reached.resize(peers.size());
      for (std::size_t i = 0; i < peers.size(); ++i) reached[i] = reached[i] || peers[i];
      if (some.round == trace.rounds.size()) room.end(trace.memory, some.count);
    }
    cost.messages += std::ranges::count(reached, true);
    std::erase_if(running, [](const Together& some) { return some.round == some.task->trace->rounds.size(); });
  }
}

}  // namespace tacit::mpc
