// GradientSum adds the gradients of all parties in each step of a training, and gives every party
// the same mean, bit for bit.
//
//   GradientSum sum(mesh, sizes, settings);      // the same sizes and settings at every party
//   for each step:
//     sum.ready(p, gradient of parameter p);     // for each p, in any order: in a hook of the backward pass
//     sum.finish();
//     sum.mean(p, out);                          // for each p
//
// Exact       Each rank rounds its gradient to fixed point once (gradient_code.h). Sums of whole
//             numbers are equal in every order, so all ways, and one process with n parts in place
//             of n ranks, give the same bits
// Words       32 bits a gradient on the wire; a parameter with an odd size takes one word more
// Order       `sizes` are in the order in which the backward pass finishes the parameters: the
//             last layer first. Buckets are pieces of this order and leave in this order at every
//             party. A different order of ready() costs overlap, never bits, and cannot stall a run
// Threads     ready(), finish(), mean() on one thread at a time. kBuckets and kSecureSum start one
//             thread, which sends a bucket once this bucket and all earlier ones are full
// Memory      4 bytes a gradient
// Errors      ConfigError for settings, for a gradient that does not fit, and for parties that differ
//             (every party hears the same sentence, its own or a faster rank's); NetError and ProtocolError as in a collective.
//             ready() and finish() also report errors of the thread. The sum is unusable afterwards
//
// Helpers take no part. The mesh must outlive the sum. A sum that is destroyed in the middle of a
// step waits for the bucket that is under way: the other parties will fill theirs, or fail.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/channel.h"
#include "net/collectives/cost.h"
#include "net/mesh.h"
#include "net/synchronise/masking.h"

namespace tacit::net {

enum class SyncWay : unsigned char {
  kGatherScatter,  // after the backward pass: everything to rank 0, which sends the sums back (star)
  kPerLayer,       // after the backward pass: an all-reduce for each parameter
  kRing,           // after the backward pass: one all-reduce for everything, ring
  kTwoPhase,       // the same, two-phase
  kBuckets,        // during the backward pass: an all-reduce for each full bucket (DistributedDataParallel)
  kSecureSum,      // the same, and a rank's words leave it only under masks (masking.h)
};

// "gather-scatter", "per-layer", "ring", "two-phase", "buckets", "secure-sum".
std::string_view name(SyncWay way);
// Throws ConfigError with the list of names.
SyncWay parse_sync_way(std::string_view name);

// Beside the caller's other streams; two sums at once need two streams.
inline constexpr Stream kGradientStream = 64;

struct SyncSettings {
  SyncWay way = SyncWay::kBuckets;
  std::int64_t bucket_bytes = 25'000'000;  // at least 8; a bucket is a whole number of 8 bytes
  // The unit is 2^-fraction_bits. The range is 2^(31 - fraction_bits) / (parties · parts).
  int fraction_bits = 22;
  // Contributions of each rank in one step: ready() is called this many times for each parameter (gradient
  // accumulation). One process with parts = n has the same bits as n ranks with parts = 1.
  int parts = 1;
  Stream stream = kGradientStream;
  std::vector<std::string> names = {};  // of the parameters, for errors; empty: numbers
};

// The times of the last finished step, at this rank.
struct SyncTimes {
  std::chrono::nanoseconds waiting{0};        // finish() kept the caller
  std::chrono::nanoseconds communicating{0};  // sums of the step were under way
  std::chrono::nanoseconds hidden{0};         // communicating while the caller was not in finish()
};

class GradientSum {
 public:
  // All parties call it at the same time and compare sizes and settings: one round, and a second
  // one if they differ. kSecureSum requires a masking, the other ways ignore it.
  GradientSum(Mesh& mesh, std::vector<std::int64_t> sizes, SyncSettings settings,
              std::unique_ptr<Masking> masking = nullptr);
  ~GradientSum();
  GradientSum(const GradientSum&) = delete;
  GradientSum& operator=(const GradientSum&) = delete;

  // The gradient is copied. A parameter without a gradient in this step: give zeros.
  void ready(std::size_t parameter, std::span<const float> gradient);
  // A gradient in whole units of 2^-fraction_bits, for callers that round it themselves: with noise, before anything is dropped.
  void ready(std::size_t parameter, std::span<const std::int32_t> units);
  // Returns when all sums are here.
  void finish();
  // After finish(), until the next ready().
  void mean(std::size_t parameter, std::span<float> out) const;

  SyncTimes times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// The cost of a step at the party `rank` of `parties`.
Cost gradient_sum_cost(std::span<const std::int64_t> sizes, const SyncSettings& settings, int parties, int rank);

}  // namespace tacit::net
