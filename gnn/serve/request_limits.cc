#include "gnn/serve/request_limits.h"

namespace tacit::gnn {

namespace {

constexpr std::chrono::minutes kWindow{1};

}  // namespace

RequestLimiter::Times& RequestLimiter::recent(int asker, Clock::time_point now) {
  Times& times = granted_[static_cast<std::size_t>(asker)];
  while (!times.empty() && times.front() + kWindow <= now) times.pop_front();
  return times;
}

std::vector<Objection> RequestLimiter::judge(int asker, std::span<const std::int64_t> sizes, Clock::time_point now) {
  std::int64_t room = limits_.requests_per_minute - std::ssize(recent(asker, now));
  std::vector<Objection> objections;
  for (const std::int64_t nodes : sizes) {
    if (nodes > limits_.nodes_per_request) {
      objections.push_back(Objection::kTooManyNodes);
    } else {
      objections.push_back(room > 0 ? Objection::kNone : Objection::kTooOften);
      --room;
    }
  }
  return objections;
}

void RequestLimiter::count(int asker, std::int64_t requests, Clock::time_point now) {
  recent(asker, now).insert(recent(asker, now).end(), static_cast<std::size_t>(requests), now);
}

std::int64_t RequestLimiter::seconds_to_wait(int asker, std::int64_t granted, Clock::time_point now) const {
  const Times& times = granted_[static_cast<std::size_t>(asker)];
  if (std::ssize(times) + granted < limits_.requests_per_minute) return 0;
  const Clock::time_point first = times.empty() ? now : times.front();
  const auto left = std::chrono::ceil<std::chrono::seconds>(first + kWindow - now);
  return left.count() > 0 ? left.count() : 0;
}

}  // namespace tacit::gnn
