// Diverged — ends a training if a loss is not finite, or a gradient is beyond the range of fixed point.
#pragma once

#include <utility>

#include "bench/trainer/trainer_report.h"
#include "net/error.h"

namespace tacit::bench {

class Diverged : public ConfigError {
 public:
  // `measured`: the iterations before the end; `measured.diverged` is the iteration that ended the training.
  Diverged(const ConfigError& why, TrainerReport measured) : ConfigError(why), measured_(std::move(measured)) {}

  const TrainerReport& measured() const { return measured_; }

 private:
  TrainerReport measured_;
};

}  // namespace tacit::bench
