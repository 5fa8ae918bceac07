// The settings of a training with gradient_trainer. All ranks have the same ones, except for threads and files.
#pragma once

#include <cstdint>
#include <string>

namespace tacit::bench {

struct TrainerOptions {
  std::string way = "single";  // kSingle, kAsync or a net::SyncWay
  std::string bucket = "25MB";
  std::int64_t bucket_bytes = 25'000'000;
  int fraction_bits = 22;          // fraction bits of gradients while they are added
  std::int64_t batch = 64;         // pictures of a rank in a step
  std::int64_t micro_batches = 1;  // single: parts of the batch, one for each rank that it replaces
  std::int64_t epochs = 1;
  std::int64_t iterations = 0;  // the training ends after this many; 0: after all epochs
  std::uint64_t seed = 1;
  int staleness = 4;  // async
  double rate = 0.1, momentum = 0.9, weight_decay = 1e-4;
  bool batch_norm = false;
  int threads = 1;
};

inline constexpr const char *kSingle = "single", *kAsync = "async";

}  // namespace tacit::bench
