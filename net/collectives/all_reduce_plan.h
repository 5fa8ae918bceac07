// AllReducePlan — which algorithm an all-reduce uses, by the number of bytes alone; equal at all parties.
//
// net/collectives/calibrate.h measures one on the mesh at hand; until then unmeasured() is a fair guess.
#pragma once

#include <string>
#include <vector>

#include "net/channel.h"
#include "net/collectives/all_reduce.h"

namespace tacit::net {

class AllReducePlan {
 public:
  // From `bytes` up to where the next begins.
  struct Range {
    std::int64_t from_bytes = 0;
    AllReduce algorithm = AllReduce::kDirect;

    bool operator==(const Range&) const = default;
  };

  // Direct where latency rules, two-phase where bandwidth does: on a network of gigabytes a second and 50 microseconds.
  static AllReducePlan unmeasured(int parties);

  // The ranges must begin at 0 and ascend.
  explicit AllReducePlan(std::vector<Range> ranges);

  AllReduce choose(std::int64_t bytes) const;
  AllReduce choose(Tensors tensors) const;

  const std::vector<Range>& ranges() const { return ranges_; }
  std::string text() const;  // "direct, from 64 KiB two-phase"

  // For rank 0 to tell the others. parse() throws ProtocolError on anything that encode() does not make.
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
