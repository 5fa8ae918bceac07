#include "mpc/kernels/workers.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kRangesPerThread = 4;  // several, so that a delayed thread leaves little work to wait for

}  // namespace

class Workers::Pool {
 public:
  explicit Pool(int helpers) {
    try {
      for (int i = 0; i < helpers; ++i) threads_.push_back(net::start_thread("computes", [this] { help(); }));
    } catch (...) {
      end();
      throw;
    }
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { end(); }

  int helpers() const { return static_cast<int>(threads_.size()); }

  void run(std::int64_t count, const std::function<void(std::int64_t)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      next_ = 0;
      ++calls_;
    }
    const auto wanted = std::min<std::int64_t>(helpers(), count - 1);
    for (std::int64_t i = 0; i < wanted; ++i) work_comes_.notify_one();
    take(work, count);
    std::unique_lock lock(mutex_);
    work_ = nullptr;  // a thread that wakes only now finds no work
    helper_leaves_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void end() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    work_comes_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void take(const std::function<void(std::int64_t)>& work, std::int64_t count) noexcept {
    for (std::int64_t i; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count;) work(i);
  }

  void help() {
    std::int64_t seen = 0;  // a helper joins each call once
    std::unique_lock lock(mutex_);
    for (;;) {
      work_comes_.wait(lock, [&] { return stopping_ || (work_ != nullptr && calls_ != seen); });
      if (stopping_) return;
      seen = calls_;
      ++busy_;
      const std::function<void(std::int64_t)>& work = *work_;
      const std::int64_t count = count_;
      lock.unlock();
      take(work, count);
      lock.lock();
      if (--busy_ == 0) helper_leaves_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::atomic<std::int64_t> next_ = 0;  // set under the mutex, between calls

  std::mutex mutex_;  // for all below
  std::condition_variable work_comes_, helper_leaves_;
  const std::function<void(std::int64_t)>* work_ = nullptr;
  std::int64_t count_ = 0;
  std::int64_t calls_ = 0;
  int busy_ = 0;
  bool stopping_ = false;
};

Workers::Workers(int threads) {
  TACIT_CHECK(threads >= 1);
  if (threads > 1) pool_ = std::make_unique<Pool>(threads - 1);
}

Workers::~Workers() = default;

int Workers::threads() const { return pool_ == nullptr ? 1 : pool_->helpers() + 1; }

void Workers::for_each(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  if (pool_ != nullptr && count > 1) return pool_->run(count, work);
  for (std::int64_t i = 0; i < count; ++i) work(i);
}

void Workers::for_ranges(std::int64_t count, std::int64_t grain,
                         const std::function<void(std::int64_t, std::int64_t)>& work) {
  TACIT_CHECK(grain >= 1);
  if (count <= 0) return;
  const std::int64_t most = threads() == 1 ? 1 : kRangesPerThread * threads();
  const std::int64_t ranges = std::clamp<std::int64_t>(count / grain, 1, most);
  const std::int64_t each = count / ranges;
  const std::int64_t longer = count % ranges;  // number of ranges that have one more: the first ones
  for_each(ranges, [&](std::int64_t i) {
    const std::int64_t begin = i * each + std::min(i, longer);
    work(begin, begin + each + (i < longer ? 1 : 0));
  });
}

}  // namespace tacit::mpc
