#include "python/bindings/crew.h"

#include <chrono>
#include <utility>

#include "net/thread.h"

namespace tacit::python {

namespace {

constexpr std::chrono::milliseconds kBetweenPolls{100};
constexpr std::chrono::seconds kGrace{2};

}  // namespace

Crew::Crew(int size) {
  try {
    for (int member = 0; member < size; ++member) {
      threads_.push_back(net::start_thread("computes for Python", [this, member] { work(member); }));
    }
  } catch (...) {
    stop();  // the threads that have started
    throw;
  }
}

Crew::~Crew() { stop(); }

void Crew::stop() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Crew::work(int member) {
  std::unique_lock lock(mutex_);
  for (std::int64_t done = 0;; ++done) {
    changed_.wait(lock, [&] { return ending_ || jobs_ > done; });
    if (jobs_ == done) return;
    const std::shared_ptr<Job> job = job_;
    lock.unlock();
    std::exception_ptr error;
    try {
      job->task(member);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    job->outcome.errors[static_cast<std::size_t>(member)] = error;
    if (error && job->outcome.first < 0) job->outcome.first = member;
    --job->running;
    changed_.notify_all();
  }
}

Crew::Outcome Crew::run(Task task, const Poll& poll, const std::function<void()>& give_up) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !job_ || job_->running == 0; });
  const auto job = std::make_shared<Job>();
  job->task = std::move(task);
  job->outcome.errors.resize(threads_.size());
  job->running = static_cast<int>(threads_.size());
  job_ = job;
  ++jobs_;
  changed_.notify_all();
  std::chrono::steady_clock::time_point failed{};
  while (!changed_.wait_for(lock, kBetweenPolls, [&] { return job->running == 0; })) {
    const auto now = std::chrono::steady_clock::now();
    const bool has_failed = job->outcome.first >= 0;
    lock.unlock();
    if (has_failed && failed == std::chrono::steady_clock::time_point{}) failed = now;
    if (has_failed && now - failed > kGrace) give_up();
    poll();
    lock.lock();
  }
  return std::move(job->outcome);
}

}  // namespace tacit::python
