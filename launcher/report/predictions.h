// Predictions — the protocols' stated costs of the epochs against the measured ones: equal, or something is wrong.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

struct Prediction {
  std::string who, what;            // "rank 0", "bytes to the other parties"
  double stated = 0, measured = 0;  // sums over all epochs that have both numbers
  std::int64_t epochs = 0;
  std::int64_t differing = 0;  // epochs

  bool equal() const { return differing == 0 && stated == measured; }
};

// A party's rounds, bytes and messages, epoch by epoch. The dealer runs ahead of the parties, so its numbers are
// compared as sums, after it has finished. Empty for a run whose parties make correlations ahead.
std::vector<Prediction> predictions_of(const RunAccount& run);

}  // namespace tacit::launcher
