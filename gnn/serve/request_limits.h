// RequestLimiter — the rate limit of one party: which requests of other ranks, and of its own, it takes part in.
//
// Thread: one.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace tacit::gnn {

struct RequestLimits {
  std::int64_t requests_per_minute = 600;  // for each asking rank
  std::int64_t nodes_per_request = 1000;
};

enum class Objection : std::uint8_t { kNone = 0, kTooOften = 1, kTooManyNodes = 2 };

class RequestLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  RequestLimiter(const RequestLimits& limits, int parties)
      : limits_(limits), granted_(static_cast<std::size_t>(parties)) {}

  const RequestLimits& limits() const { return limits_; }

  // The objection to each request of `asker`, with these numbers of nodes. Counts no request yet, since another party may
  // object.
  std::vector<Objection> judge(int asker, std::span<const std::int64_t> sizes, Clock::time_point now);
  // All parties have granted `requests` requests of `asker`.
  void count(int asker, std::int64_t requests, Clock::time_point now);
  // Seconds until this party grants a further request of `asker`, after `granted` ones that are not counted yet; 0: at
  // once.
  std::int64_t seconds_to_wait(int asker, std::int64_t granted, Clock::time_point now) const;

 private:
  using Times = std::deque<Clock::time_point>;

  Times& recent(int asker, Clock::time_point now);

  RequestLimits limits_;
  std::vector<Times> granted_;  // by asking rank: the requests of the last minute
};

}  // namespace tacit::gnn
