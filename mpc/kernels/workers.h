// Workers — the threads that kernels share: `threads` threads including the caller.
//
// A helper stays awake for a moment after its work (kAwake in workers.cc), because the next call often follows at once, and
// then sleeps. To wake a helper takes some 20 us, as long as a core takes for 40,000 words of a sum. To share work with an
// awake helper takes less than 1 us. The caller states the work that is worth waking a helper for; smaller work is shared
// with the awake helpers.
//
// Thread: for_each and for_ranges are called by one thread at a time, and never from within work.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>

namespace tacit::mpc {

// A reference to a function that must outlive the call. A std::function would copy most functions into allocated memory.
template <typename... Arguments>
class WorkRef {
 public:
  template <std::invocable<Arguments...> Work>
  requires(!std::same_as<Work, WorkRef>)
      WorkRef(const Work& work)  // NOLINT(google-explicit-constructor): callers pass functions
      : work_(&work),
        call_([](const void* its, Arguments... arguments) { (*static_cast<const Work*>(its))(arguments...); }) {}

  void operator()(Arguments... arguments) const { call_(work_, arguments...); }

 private:
  const void* work_;
  void (*call_)(const void*, Arguments...);
};

class Workers {
 public:
  explicit Workers(int threads = 1);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const;

  // The threads that take part in a call. kAwake: the caller and the awake helpers.
  enum class Who : unsigned char { kAll, kAwake };

  // Calls work(i) for every i below count, each once, on several threads; returns when all are done. work does not throw.
  void for_each(std::int64_t count, WorkRef<std::int64_t> work, Who who = Who::kAll);

  // Cuts 0 … count into ranges and calls work(begin, end) for each, on several threads. A count below two grains wakes
  // nobody. A range has at least grain / kFinest elements, so that a small count is shared with the awake helpers.
  void for_ranges(std::int64_t count, std::int64_t grain, WorkRef<std::int64_t, std::int64_t> work);

  // Work of two grains is worth waking a thread for; kFinest times less is worth sharing with a thread that is awake.
  static constexpr std::int64_t kFinest = 4;
  static Who who(std::int64_t count, std::int64_t grain) { return count < 2 * grain ? Who::kAwake : Who::kAll; }

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;  // null for one thread
};

}  // namespace tacit::mpc
