// RateSchedule — the learning rate of every epoch. Public: it depends on the job alone.
#pragma once

#include <cstdint>

namespace tacit::gnn {

struct RateSchedule {
  enum class Kind {
    kConstant,
    kStep,    // times `factor` after every `every` epochs
    kCosine,  // from `initial` to `least` along half a cosine, over all epochs
  };
  Kind kind = Kind::kConstant;
  double initial = 0.1;
  double factor = 0.5;
  std::int64_t every = 50;
  double least = 0;
  std::int64_t warm_up = 0;  // epochs at first in which it grows linearly, up to where the others begin

  // Of an epoch, counted from 1, of so many.
  double at(std::int64_t epoch, std::int64_t epochs) const;
};

// Throws ConfigError that names the setting and what is allowed.
void check(const RateSchedule& rate);

}  // namespace tacit::gnn
