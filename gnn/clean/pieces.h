// Pieces of a raw table: a line belongs to the piece in which it begins. Work on pieces runs in threads; results are taken
// in the order of the file.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gnn/data/byte_source.h"

namespace tacit::gnn {

struct Lines {
  std::int64_t at = 0;  // place in the file of the first byte
  std::string bytes;    // whole lines; a line end is added to the file's last line if it has none
};

// The lines that begin in [begin, end). Lines begin at `data_begin` and behind each line end. Throws ConfigError for a line
// of more than kMostLineBytes.
Lines lines_from(const ByteSource& file, std::int64_t data_begin, std::int64_t begin, std::int64_t end);

// Computes work(i) for i = 0 … count - 1 in `threads` threads, and calls take(i, result) in order, one at a time. At most
// one result a thread is in memory. Throws the first exception in the order of the pieces.
template <typename Work, typename Take>
void in_order(std::int64_t count, int threads, const Work& work, const Take& take) {
  std::mutex mutex;
  std::condition_variable changed;
  std::int64_t next = 0, turn = 0;  // under the mutex
  std::exception_ptr failed;
  const auto loop = [&](int thread) {
    while (true) {
      std::int64_t mine = 0;
      {
        const std::lock_guard lock(mutex);
        if (failed || next == count) return;
        mine = next++;
      }
      std::exception_ptr error;
      decltype(work(mine, thread)) result;
      try {
        result = work(mine, thread);
      } catch (...) {
        error = std::current_exception();
      }
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return turn == mine || failed; });
      if (failed) return;
      try {
        if (error) std::rethrow_exception(error);
        take(mine, std::move(result));
        ++turn;
      } catch (...) {
        failed = std::current_exception();
      }
      changed.notify_all();
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads && thread < count; ++thread) others.emplace_back(loop, thread);
  loop(0);
  for (std::thread& other : others) other.join();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace tacit::gnn
