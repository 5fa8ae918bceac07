#include "net/collectives/background_all_reduce.h"

#include "net/error.h"

namespace tacit::net {

BackgroundAllReduce::BackgroundAllReduce(Mesh& mesh, AllReducePlan plan, Stream stream)
    : mesh_(mesh), plan_(std::move(plan)), group_(mesh, stream), worker_([this] { run(); }) {}

BackgroundAllReduce::~BackgroundAllReduce() {
  bool unfinished;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    unfinished = finished_ < started_ && !failure_;
    changed_.notify_all();
  }
  if (unfinished) mesh_.abort(Exit::kNet, "it gave up an all-reduce in the background", -1);
  worker_.join();
}

BackgroundAllReduce::Ticket BackgroundAllReduce::start(std::vector<Words> tensors) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(tensors));
  changed_.notify_all();
  return Ticket(++started_);
}

void BackgroundAllReduce::finish(Ticket ticket) {
  std::unique_lock lock(mutex_);
  TACIT_CHECK(ticket.number_ >= 1 && ticket.number_ <= started_);
  changed_.wait(lock, [&] { return finished_ >= ticket.number_ || failure_; });
  if (finished_ < ticket.number_) std::rethrow_exception(failure_);
}

bool BackgroundAllReduce::done(Ticket ticket) const {
  const std::lock_guard lock(mutex_);
  return finished_ >= ticket.number_ || failure_;
}

void BackgroundAllReduce::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    const std::vector<Words> tensors = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::exception_ptr error;
    try {
      all_reduce(group_, tensors, plan_);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    if (error) {
      failure_ = error;
    } else {
      ++finished_;
    }
    changed_.notify_all();
    if (error) return;
  }
}

}  // namespace tacit::net
