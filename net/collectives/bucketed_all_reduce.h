// BucketedAllReduce — the gradients of a backward pass, all-reduced in the background in buckets as they become ready.
//
// Tensors are added in the order in which they are computed. A bucket starts as soon as it is full: few large messages
// instead of many small ones, and most of them move while the rest is still being computed.
//
// Thread: one at a time.
#pragma once

#include <vector>

#include "net/collectives/background_all_reduce.h"

namespace tacit::net {

class BucketedAllReduce {
 public:
  // Full means: this many packed bytes or more. `background` must outlive it.
  BucketedAllReduce(BackgroundAllReduce& background, std::int64_t bucket_bytes);

  // The words belong to it until finish(); the sums replace them. Every party adds the same shapes in the same order.
  void add(Words tensor);

  // Starts what is left and waits for all. Ready for the next pass then.
  void finish();

 private:
  void start();

  BackgroundAllReduce& background_;
  const std::int64_t bucket_bytes_;
  std::vector<Words> bucket_;
  std::int64_t filled_ = 0;
  std::vector<BackgroundAllReduce::Ticket> under_way_;
};

}  // namespace tacit::net
