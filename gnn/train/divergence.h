// TrainingDiverged — the loss that was revealed cannot be right any more. Ends the job at every rank.
#pragma once

#include <optional>

#include "net/error.h"

namespace tacit::gnn {

class TrainingDiverged : public ConfigError {
 public:
  using ConfigError::ConfigError;
};

// A loss of `epoch`: it may be a hundred times the first, and not below zero by more than rounding.
// The message names the last checkpoint of which it is known that it was good.
void expect_converging(double loss, double first, std::int64_t epoch, std::optional<std::int64_t> good = {});

}  // namespace tacit::gnn
