#include "mpc/ahead/maker.h"

#include <utility>

#include "mpc/made/planned_tasks.h"
#include "mpc/made/public_part.h"

namespace tacit::mpc {

Maker::Maker(PairNetwork& network, const Nonce& nonce, Workers& workers, CorrelationsFrom from, OwnMasks masks,
             MadeAhead& ahead)
    : network_(network),
      workers_(workers),
      from_(from),
      masks_(std::move(masks)),
      ahead_(ahead),
      making_(network, nonce, workers, from),
      kept_(network.parties()),
      batches_(network.parties(), from) {}

void Maker::begin(std::int64_t operation) {
  if (batches_.is_full()) make();
  masks_.begin(operation);
}

template <typename Tensor, typename Request>
void Maker::enqueue(MadeAhead::Name name, const Request& of) {
  Queued& queued = queue_.emplace_back(Queued{std::move(name), KeptRequest(of), {}});
  std::vector<Tensor>& shares = queued.shares.emplace<std::vector<Tensor>>();
  const auto& request = std::get<Request>(queued.request.request());
  making_.add(request, shares, tasks_);
  for (const LockStep::PlannedTask& task : *planned_tasks(request, parties(), network_.rank(), from_)) {
    batches_.add(task);
    transfers_ += task.trace->transfers * task.times;
  }
}

void Maker::deal(const WordRequest& request) {
  enqueue<RingTensor>(name_of(masks_.operation(), request), kept_.next(request));
}
void Maker::deal(const BitRequest& request) { enqueue<BitTensor>(name_of(masks_.operation(), request), request); }

bool Maker::decision() {
  make();
  return ahead_.decision();
}

void Maker::make() {
  if (queue_.empty()) return;
  ++made_;
  making_.reserve(std::exchange(transfers_, 0));
  LockStep::run(network_, std::exchange(tasks_, {}));
  batches_.begin_next();
  while (!queue_.empty()) {
    ahead_.put(std::move(queue_.front().name), std::move(queue_.front().shares));
    queue_.pop_front();
  }
}

MadeAhead::Name name_of(std::int64_t operation, const WordRequest& request) {
  MadeAhead::Name name = public_part(request);
  name.push_back(operation);
  return name;
}

MadeAhead::Name name_of(std::int64_t operation, const BitRequest& request) {
  MadeAhead::Name name = public_part(request);
  name.push_back(operation);
  return name;
}

}  // namespace tacit::mpc
