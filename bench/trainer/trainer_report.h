// TrainerReport — the measurements of one rank of a training, and their JSON, which `tacit bench gradients` reads.
//
// `waiting` is the time in which the rank computes nothing, `computing` the rest of an iteration: pictures, both
// passes and the change of the weights. `communicating` is the time in which sums are under way, `hidden` the part of
// it in which the rank computes; both are 0 for `single` and `async`. Bytes count TCP's payload and 66 bytes of
// headers for each packet, as in all tables. Times of the process begin with the first iteration. The loss is
// computed on the rank's own pictures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/trainer/trainer_options.h"
#include "gnn/train/usage.h"
#include "launcher/json.h"
#include "net/traffic.h"

namespace tacit::bench {

struct TrainerReport {
  struct Iteration {
    double seconds = 0, computing = 0, waiting = 0, hidden = 0, communicating = 0;
  };
  struct Loss {
    std::int64_t iteration = 0;
    double loss = 0;  // the mean of the last kLossEvery iterations
  };
  struct Epoch {
    std::int64_t epoch = 0;  // from 1
    double train_loss = 0, test_loss = 0;
    std::int64_t correct = 0, tested = 0;  // 0 at all ranks but rank 0
  };

  int rank = 0, ranks = 1;
  std::int64_t parameters = 0;
  std::string digest;  // SHA-256 of the weights' bytes at the end
  std::vector<Iteration> iterations;
  std::vector<Loss> losses;
  std::vector<Epoch> epochs;
  gnn::Usage usage;
  net::PeerTraffic traffic;  // with all peers
  std::int64_t oldest_step = 0;
  std::int64_t diverged = 0;  // the iteration, from 1, in which the training diverged; 0: none
};

inline constexpr std::int64_t kLossEvery = 20;

launcher::Json to_json(const TrainerReport& report, const TrainerOptions& options);

}  // namespace tacit::bench
