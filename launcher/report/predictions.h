// Predictions — what the protocols stated of the epochs, against what the ranks measured: equal, or something is wrong.
#pragma once

#include <string>
#include <vector>

#include "launcher/report/run_account.h"

namespace tacit::launcher {

struct Prediction {
  std::string who, what;            // "rank 0", "bytes to the other parties"
  double stated = 0, measured = 0;  // of all epochs that tell both
  std::int64_t epochs = 0;
  std::int64_t differing = 0;  // epochs

  bool equal() const { return differing == 0 && stated == measured; }
};

// A party's rounds, bytes and messages, epoch by epoch; the dealer's as a whole, once it has ended well,
// since it runs ahead of them.
std::vector<Prediction> predictions_of(const RunAccount& run);

}  // namespace tacit::launcher
