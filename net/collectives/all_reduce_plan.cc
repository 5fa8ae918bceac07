#include "net/collectives/all_reduce_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "net/collectives/cut.h"
#include "net/error.h"

namespace tacit::net {

namespace {

// The encoding: the number of ranges, then for each range its first byte and its algorithm. All
// fields have 8 bytes, and zeros fill the rest.
constexpr std::size_t kField = sizeof(std::int64_t);
constexpr std::size_t kMaxRanges = (AllReducePlan::kEncodedBytes / kField - 1) / 2;

bool well_formed(const std::vector<AllReducePlan::Range>& ranges) {
  return !ranges.empty() && ranges.size() <= kMaxRanges && ranges.front().from_bytes == 0 &&
         std::is_sorted(ranges.begin(), ranges.end(),
                        [](const auto& a, const auto& b) { return a.from_bytes <= b.from_bytes; });
}

std::int64_t field(ConstBytes bytes, std::size_t i) {
  std::int64_t value;
  std::memcpy(&value, bytes.subspan(i * kField, kField).data(), kField);
  return value;
}

std::string rounded_bytes(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  if (bytes < 1 << 20) return fmt::format("{:.0f} KiB", static_cast<double>(bytes) / 1024);
  return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / (1 << 20));
}

}  // namespace

AllReducePlan AllReducePlan::unmeasured(int parties) {
  if (parties <= 2) return AllReducePlan({{0, AllReduce::kDirect}});
  // Direct costs one latency and n-1 times the bytes, two-phase two latencies and 2(n-1)/n times
  // the bytes. Both take equal time if the difference in bytes takes one latency.
  constexpr std::int64_t kBytesInOneLatency = 50'000;
  const std::int64_t n = parties;
  return AllReducePlan({{0, AllReduce::kDirect}, {kBytesInOneLatency * n / ((n - 1) * (n - 2)), AllReduce::kTwoPhase}});
}

AllReducePlan::AllReducePlan(std::vector<Range> ranges) : ranges_(std::move(ranges)) {
  TACIT_CHECK(well_formed(ranges_));
}

AllReduce AllReducePlan::choose(std::int64_t bytes) const {
  TACIT_CHECK(bytes >= 0);
  const auto after = std::find_if(ranges_.begin(), ranges_.end(), [&](const Range& r) { return r.from_bytes > bytes; });
  return std::prev(after)->algorithm;
}

AllReduce AllReducePlan::choose(Tensors tensors) const { return choose(packed_bytes(shapes(tensors))); }

std::string AllReducePlan::text() const {
  std::string text;
  for (const Range& range : ranges_) {
    if (range.from_bytes > 0) text += fmt::format(", from {} ", rounded_bytes(range.from_bytes));
    text += name(range.algorithm);
  }
  return text;
}

std::vector<std::byte> AllReducePlan::encode() const {
  std::vector<std::byte> bytes;
  const auto put = [&](std::int64_t value) {
    const auto raw = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  };
  put(std::ssize(ranges_));
  for (const Range& range : ranges_) {
    put(range.from_bytes);
    put(static_cast<std::int64_t>(range.algorithm));
  }
  bytes.resize(static_cast<std::size_t>(kEncodedBytes));
  return bytes;
}

AllReducePlan AllReducePlan::parse(ConstBytes bytes) {
  const auto require = [](bool holds) {
    if (!holds) throw ProtocolError("the plan for all-reduces that rank 0 sent is malformed", 0);
  };
  require(std::ssize(bytes) == kEncodedBytes);
  const std::int64_t count = field(bytes, 0);
  require(count >= 1 && count <= static_cast<std::int64_t>(kMaxRanges));
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const std::int64_t algorithm = field(bytes, 2 + 2 * i);
    require(algorithm >= 0 && algorithm < std::ssize(kAllReduceAlgorithms));
    ranges.push_back({field(bytes, 1 + 2 * i), static_cast<AllReduce>(algorithm)});
  }
  require(well_formed(ranges));
  AllReducePlan plan(std::move(ranges));
  const std::vector<std::byte> same = plan.encode();
  require(std::equal(same.begin(), same.end(), bytes.begin()));
  return plan;
}

}  // namespace tacit::net
