// AllReducePlan chooses the algorithm of an all-reduce from the number of bytes. All parties must
// have the same plan.
//
// net/collectives/calibrate.h measures a plan on the current mesh. unmeasured() is a default.
#pragma once

#include <string>
#include <vector>

#include "net/channel.h"
#include "net/collectives/all_reduce.h"

namespace tacit::net {

class AllReducePlan {
 public:
  // A range of sizes: from `from_bytes` up to the beginning of the next range.
  struct Range {
    std::int64_t from_bytes = 0;
    AllReduce algorithm = AllReduce::kDirect;

    bool operator==(const Range&) const = default;
  };

  // Direct for small sizes, where latency dominates, and two-phase for large ones, where bandwidth
  // dominates. The threshold assumes a network with gigabytes a second and a latency of 50
  // microseconds.
  static AllReducePlan unmeasured(int parties);

  // The ranges must begin at 0 and ascend.
  explicit AllReducePlan(std::vector<Range> ranges);

  AllReduce choose(std::int64_t bytes) const;
  AllReduce choose(Tensors tensors) const;

  const std::vector<Range>& ranges() const { return ranges_; }
  std::string text() const;  // "direct, from 64 KiB two-phase"

  // The message by which rank 0 distributes the plan. parse() throws ProtocolError for any other
  // bytes.
  std::vector<std::byte> encode() const;
  static AllReducePlan parse(ConstBytes bytes);
  static constexpr std::int64_t kEncodedBytes = 1024;

  bool operator==(const AllReducePlan&) const = default;

 private:
  std::vector<Range> ranges_;
};

inline void all_reduce(Group& group, Tensors tensors, const AllReducePlan& plan) {
  all_reduce(group, tensors, plan.choose(tensors));
}

}  // namespace tacit::net
