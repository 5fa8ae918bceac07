#include "net/rendezvous/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tacit::net {

namespace {

constexpr double kMostLinesAtOnce = 10;
constexpr std::int64_t kMostReasons = 16;  // bounds memory: a reason may contain a stranger's fingerprint
constexpr std::int64_t kShownReasons = 4;

}  // namespace

void Refusals::add(const std::string& address, const std::string& reason) {
  ++total_;
  const bool known = by_reason_.contains(reason) || std::ssize(by_reason_) < kMostReasons;
  ++by_reason_[known ? reason : "another reason"];
  say(fmt::format("refused a connection from {}: {}", address, reason));
}

void Refusals::say(const std::string& line) {
  if (!log_) return;
  const auto now = Clock::now();
  const double passed = std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  lines_left_ = std::min(lines_left_ + passed, kMostLinesAtOnce);
  if (lines_left_ < 1) {
    ++unsaid_;
    return;
  }
  lines_left_ -= 1;
  const std::int64_t unsaid = std::exchange(unsaid_, 0);
  log_(unsaid == 0 ? line : fmt::format("{} (and {} more before it)", line, unsaid));
}

std::string Refusals::summary() const {
  if (total_ == 0) return "";
  std::vector<std::pair<std::int64_t, std::string>> most_first;
  for (const auto& [reason, count] : by_reason_) most_first.emplace_back(count, reason);
  std::sort(most_first.rbegin(), most_first.rend());
  std::string text = total_ == 1 ? "1 connection was refused: " : fmt::format("{} connections were refused: ", total_);
  for (std::int64_t i = 0; i < std::min(std::ssize(most_first), kShownReasons); ++i) {
    const auto& [count, reason] = most_first[static_cast<std::size_t>(i)];
    text += fmt::format("{}{} x {}", i == 0 ? "" : ", ", count, reason);
  }
  return std::ssize(most_first) > kShownReasons ? text + ", ..." : text;
}

}  // namespace tacit::net
