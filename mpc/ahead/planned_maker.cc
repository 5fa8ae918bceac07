#include "mpc/ahead/planned_maker.h"

#include <algorithm>
#include <utility>

#include "mpc/session/party_session.h"

namespace tacit::mpc {

namespace {

// About the bytes of a request's masks, and of this party's shares.
template <typename Request>
std::int64_t bytes_of(const Request& request) {
  return 2 * request.shape().size() * std::ssize(request.widths()) * std::int64_t{sizeof(std::uint64_t)};
}
std::int64_t bytes_of(const GroupProductsRequest& request) {
  return request.shape().size() * (request.count / 8 + std::int64_t{sizeof(std::uint64_t)});
}
std::int64_t bytes_of(const CarryProductsRequest& request) { return request.shape().size() * request.count / 4; }

std::pair<const MadeTrace*, std::int64_t> numbers(const LockStep::PlannedTask& task) {
  return {task.trace.get(), task.times};
}

}  // namespace

PlannedMaker::PlannedMaker(int parties, int rank, CorrelationsFrom from)
    : RequestCosts(parties, rank, from),
      network_(rank, parties),
      soft_spoken_(network_, Nonce{}, workers_),
      batches_(parties, from),
      transfers_of_(static_cast<std::size_t>(parties)) {
  if (from == CorrelationsFrom::kAheadByFerret) ferret_.emplace(network_, Nonce{}, workers_, soft_spoken_);
}

void PlannedMaker::begin_operation() {
  if (batches_.is_full()) make();
}

template <typename Request>
void PlannedMaker::add_tasks(const Request& request, const PlannedTasks& tasks) {
  ++requests_;
  held_ += std::visit([](const auto& one) { return bytes_of(one); }, request);
  for (const LockStep::PlannedTask& task : *tasks) {
    batches_.add(task);
    tasks_.push_back(task);
    running_ += task.trace->memory * task.times;
    largest_ = std::max(largest_, task.trace->memory);
    for (std::size_t party = 0; party < task.trace->transfers_of.size(); ++party) {
      transfers_of_[party] += task.trace->transfers_of[party] * task.times;
    }
  }
}

void PlannedMaker::add(const WordRequest& request, const PlannedTasks& tasks) { add_tasks(request, tasks); }
void PlannedMaker::add(const BitRequest& request, const PlannedTasks& tasks) { add_tasks(request, tasks); }

MadeCost PlannedMaker::batches() {
  make();
  return cost_;
}

void PlannedMaker::make() {
  if (requests_ == 0) return;  // also a request without elements, and so without tasks, makes a batch
  requests_ = 0;
  const MadeCost made = cost_of(std::exchange(tasks_, {}));
  // A batch has all its transfers in stock when its tasks begin.
  const std::int64_t extensions = 2 + made.transfers / kFerretSet.left();
  const std::int64_t stocks = ferret_ ? 2 * (network_.parties() - 1) * extensions * BatchRule::kBytesOfExtension : 0;
  most_memory_ = std::max(most_memory_, std::min(running_, std::max(LockStep::kMostMemory, largest_)) + stocks + held_ +
                                            std::min(held_, SessionOptions().ahead_bytes) + kept().bytes() +
                                            kept().most_unpacked());
  running_ = largest_ = held_ = 0;
  batches_.begin_next();
  cost_ += {.rounds = made.rounds, .messages = made.messages};
  if (!ferret_) return;
  const MadeCost before = network_.cost();
  ferret_->reserve(made.transfers);
  for (int party = 0; party < network_.parties(); ++party) {
    ferret_->count(party, std::exchange(transfers_of_[static_cast<std::size_t>(party)], 0));
  }
  cost_ += network_.cost();
  cost_ -= before;
}

MadeCost PlannedMaker::cost_of(std::vector<LockStep::PlannedTask> batch) {
  constexpr std::size_t kMostKnown = 64;
  if (const auto known = known_.find(batch); known != known_.end()) return known->second;
  if (known_.size() >= kMostKnown) known_.clear();
  const MadeCost cost = LockStep::cost(batch);
  return known_.emplace(std::move(batch), cost).first->second;
}

bool PlannedMaker::Before::operator()(const std::vector<LockStep::PlannedTask>& a,
                                      const std::vector<LockStep::PlannedTask>& b) const {
  return std::ranges::lexicographical_compare(a, b, {}, numbers, numbers);
}

std::unique_ptr<RequestNotes> planned_maker(int parties, int rank, CorrelationsFrom from) {
  return std::make_unique<PlannedMaker>(parties, rank, from);
}

}  // namespace tacit::mpc
