#include "mpc/kernels/workers.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::mpc {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kRangesPerThread = 4;  // several, so that a delayed thread leaves little work to wait for

// How long a thread waits awake: a helper for its next work, the caller for a helper's last piece.
constexpr std::chrono::microseconds kAwake{100};

// A yield that takes so long let another thread run: this core is wanted. The helper then sleeps after its work for kCrowded,
// since a thread that has just slept is the first to run.
constexpr std::chrono::microseconds kLongYield{20};
constexpr std::chrono::milliseconds kCrowded{10};

constexpr int kPauses = 64;  // between two yields: one to three microseconds

// Tells the processor that this thread waits.
void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

template <typename Done>
bool comes_in_some_pauses(const Done& done) {
  for (int i = 0; i < kPauses; ++i) {
    if (done()) return true;
    pause();
  }
  return false;
}

// The work of one call. Each thread has a part of its pieces, takes these one by one, and then takes what is left of the others'
// parts. A thread thereby works on the same part of a tensor in every call: a word that another core wrote last takes five times
// as long to read.
class Work {
 public:
  explicit Work(int threads) : parts_(static_cast<std::size_t>(threads)) {}

  // For the caller, which has part 0, and threads - 1 helpers.
  void begin(std::int64_t count, std::int64_t threads, const WorkRef<std::int64_t>& work) {
    work_ = &work;
    threads_ = threads;
    for (std::int64_t i = 0; i < threads; ++i) {
      Part& part = parts_[static_cast<std::size_t>(i)];
      part.next.store(count * i / threads, std::memory_order_relaxed);
      part.end = count * (i + 1) / threads;
    }
    core_.store(sched_getcpu(), std::memory_order_relaxed);
  }
  void take_part(std::int64_t own) noexcept {
    for (std::int64_t i = 0; i < threads_; ++i) {
      Part& part = parts_[static_cast<std::size_t>((own + i) % threads_)];
      for (std::int64_t piece; (piece = part.next.fetch_add(1, std::memory_order_relaxed)) < part.end;) (*work_)(piece);
    }
  }
  // The core that the caller had when the last call began. A helper there would only stand in the caller's way.
  int core_of_caller() const { return core_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Part {
    std::atomic<std::int64_t> next = 0;
    std::int64_t end = 0;
  };
  std::vector<Part> parts_;
  const WorkRef<std::int64_t>* work_ = nullptr;
  std::int64_t threads_ = 1;
  std::atomic<int> core_ = -1;
};

// A helper thread, and the offer of work to it.
//
// The caller writes the work, offers it, and at the end withdraws the offer, or waits if the helper has accepted it. The state
// orders their accesses to the work: the helper reads it only between accepting and finishing, and the caller writes it only
// while the state is kNone.
class Helper {
 public:
  Helper(Work& work, std::int64_t part, std::chrono::microseconds awake)
      : work_(work), part_(part), awake_(awake), thread_(net::start_thread("computes", [this] { run(); })) {}
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper() {
    state_.store(State::kEnd);
    wake();
    thread_.join();
  }

  // The caller calls these two in turns.
  void offer(bool wake_up) {
    state_.store(State::kOffered);
    if (wake_up && asleep_.load()) wake();
  }
  void withdraw_or_wait() {
    State offered = State::kOffered;
    if (state_.compare_exchange_strong(offered, State::kNone)) return;
    const auto finished = [this] { return state_.load() == State::kNone; };
    for (const auto end = Clock::now() + awake_; Clock::now() < end; std::this_thread::yield()) {
      if (comes_in_some_pauses(finished)) return;
    }
    std::unique_lock lock(mutex_);
    helper_finishes_.wait(lock, finished);
  }

 private:
  enum class State : unsigned char { kNone, kOffered, kAccepted, kEnd };

  // A helper that has noted that it sleeps holds the mutex until it waits. So wake() wakes the helper, or the helper sees the
  // state before it waits.
  void wake() {
    { const std::lock_guard lock(mutex_); }
    work_comes_.notify_one();
  }

  void run() {
    while (next_is_work()) {
      State offered = State::kOffered;
      if (!state_.compare_exchange_strong(offered, State::kAccepted)) continue;  // withdrawn
      work_.take_part(part_);
      finish();
    }
  }

  bool next_is_work() {
    if (!comes_while_awake()) {
      std::unique_lock lock(mutex_);
      asleep_.store(true);  // and then looks at the state; offer() writes the state, and then looks at this
      work_comes_.wait(lock, [this] { return comes(); });
      asleep_.store(false);
    }
    return state_.load() != State::kEnd;
  }

  bool comes() const { return state_.load() != State::kNone; }

  // Waits awake, and gives way to any other thread that wants this core.
  bool comes_while_awake() {
    Clock::time_point now = Clock::now();
    if (now < crowded_until_) return comes();
    for (const Clock::time_point end = now + awake_; now < end;) {
      if (sched_getcpu() == work_.core_of_caller()) break;
      if (comes_in_some_pauses([this] { return comes(); })) return true;
      const Clock::time_point before = Clock::now();
      std::this_thread::yield();
      now = Clock::now();
      if (now - before > kLongYield) {
        crowded_until_ = now + kCrowded;
        break;
      }
    }
    return comes();
  }

  // Under the mutex, since the caller may test the state and then sleep.
  void finish() {
    {
      const std::lock_guard lock(mutex_);
      state_.store(State::kNone);
    }
    helper_finishes_.notify_one();
  }

  Work& work_;
  const std::int64_t part_;
  const std::chrono::microseconds awake_;
  Clock::time_point crowded_until_{};  // the helper's
  alignas(64) std::atomic<State> state_ = State::kNone;
  std::atomic<bool> asleep_ = false;
  std::mutex mutex_;
  std::condition_variable work_comes_, helper_finishes_;
  std::thread thread_;  // last: the thread uses all other members
};

}  // namespace

class Workers::Pool {
 public:
  explicit Pool(int helpers) : work_(helpers + 1) {
    // Without a core for each thread, an awake one would stand in the way of another.
    const bool cores = std::thread::hardware_concurrency() > static_cast<unsigned>(helpers);
    for (int i = 0; i < helpers; ++i) {
      helpers_.push_back(std::make_unique<Helper>(work_, i + 1, cores ? kAwake : std::chrono::microseconds(0)));
    }
  }

  int helpers() const { return static_cast<int>(helpers_.size()); }

  void run(std::int64_t count, const WorkRef<std::int64_t>& work, Who who) {
    const auto asked = std::span(helpers_).first(std::min(helpers_.size(), static_cast<std::size_t>(count - 1)));
    work_.begin(count, std::ssize(asked) + 1, work);
    for (const auto& helper : asked) helper->offer(who == Who::kAll);
    work_.take_part(0);
    for (const auto& helper : asked) helper->withdraw_or_wait();
  }

 private:
  Work work_;
  std::vector<std::unique_ptr<Helper>> helpers_;
};

Workers::Workers(int threads) {
  TACIT_CHECK(threads >= 1);
  if (threads > 1) pool_ = std::make_unique<Pool>(threads - 1);
}

Workers::~Workers() = default;

int Workers::threads() const { return pool_ == nullptr ? 1 : pool_->helpers() + 1; }

void Workers::for_each(std::int64_t count, WorkRef<std::int64_t> work, Who who) {
  if (pool_ != nullptr && count > 1) return pool_->run(count, work, who);
  for (std::int64_t i = 0; i < count; ++i) work(i);
}

void Workers::for_ranges(std::int64_t count, std::int64_t grain, WorkRef<std::int64_t, std::int64_t> work) {
  TACIT_CHECK(grain >= 1);
  if (count <= 0) return;
  if (pool_ == nullptr) return work(0, count);
  const std::int64_t most = kRangesPerThread * threads();
  std::int64_t ranges = std::clamp<std::int64_t>(count / std::max<std::int64_t>(1, grain / kFinest), 1, most);
  if (ranges > threads()) ranges -= ranges % threads();  // equal parts
  const std::int64_t each = count / ranges;
  const std::int64_t longer = count % ranges;  // number of ranges that have one more: the first ones
  for_each(
      ranges,
      [&](std::int64_t i) {
        const std::int64_t begin = i * each + std::min(i, longer);
        work(begin, begin + each + (i < longer ? 1 : 0));
      },
      who(count, grain));
}

}  // namespace tacit::mpc
