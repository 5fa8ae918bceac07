// MadeAhead holds the correlations that a party's maker has made and its program has not used yet, in the order of the program.
//
// The maker (maker.h) runs the program's masks ahead in a thread of its own. Each thing here has a name, made of the operation and the
// public part of the request. If the party asks for another name, the two programs differ: this is a bug (BrokenInvariant).
//
// No deadlock: a party that waits for a correlation has used all earlier ones, so its maker has room. The other parties are at most a
// message ahead of this party or behind it, so their makers get room as well.
//
// Threads: one maker and one party.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <variant>
#include <vector>

#include "mpc/ring/bit_tensor.h"
#include "mpc/ring/ring_tensor.h"

namespace tacit::mpc {

// A party's shares of one correlation.
using MadeShares = std::variant<std::vector<RingTensor>, std::vector<BitTensor>>;

class MadeAhead {
 public:
  using Name = std::vector<std::int64_t>;

  // At most `most_bytes` of shares wait here, or the shares of one correlation.
  explicit MadeAhead(std::int64_t most_bytes) : most_bytes_(most_bytes) {}

  // Ends the maker's program after the party has ended. Not an error.
  struct Ended {};

  // The maker's calls, which wait for the party. They throw Ended once the party has ended.
  void put(Name name, MadeShares shares);  // waits for room
  bool decision();                         // the outcome of the party's next decide()
  // The party's next take() throws this error.
  void fail(std::exception_ptr error);
  // Nothing more is made: a take() of more finds a bug.
  void finish();
  bool has_failed();

  // The party's calls. take() waits for the correlation.
  MadeShares take(const Name& name);
  void decided(bool outcome);
  void end();
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  struct Made {
    Name name;
    MadeShares shares;
    std::int64_t bytes = 0;
  };

  const std::int64_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable to_maker_, to_party_;
  std::deque<Made> made_;
  std::int64_t bytes_ = 0;
  std::deque<bool> decisions_;
  bool ended_ = false, finished_ = false;
  std::exception_ptr failure_;
  std::chrono::nanoseconds waited_{0};  // the party's
};

}  // namespace tacit::mpc
