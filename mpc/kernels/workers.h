// Workers — the threads that kernels share: `threads` threads including the caller, asleep between calls.
//
// Thread: for_each and for_ranges are called by one thread at a time, and never from within work.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tacit::mpc {

class Workers {
 public:
  explicit Workers(int threads = 1);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const;

  // Calls work(i) for every i below count, each once, on all threads; returns when all are done. work does not throw.
  void for_each(std::int64_t count, const std::function<void(std::int64_t)>& work);

  // Cuts 0 … count into ranges of at least `grain` and calls work(begin, end) for each, on all threads. A count below
  // two grains is one range, and wakes no thread.
  void for_ranges(std::int64_t count, std::int64_t grain, const std::function<void(std::int64_t, std::int64_t)>& work);

 private:
  class Pool;
  std::unique_ptr<Pool> pool_;  // null for one thread
};

}  // namespace tacit::mpc
