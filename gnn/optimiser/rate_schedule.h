// RateSchedule — the learning rate of every epoch. The rate is public, and depends on the job alone.
#pragma once

#include <cstdint>

#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

struct RateSchedule {
  enum class Kind {
    kConstant,
    kStep,    // times `factor` after every `every` epochs
    kCosine,  // from `initial` to `least` along half a cosine, over all epochs
  };
  static constexpr WordTable<Kind, 3> kKinds = {
      {{Kind::kConstant, "constant"}, {Kind::kStep, "step"}, {Kind::kCosine, "cosine"}}};
  Kind kind = Kind::kConstant;
  double initial = 0.1;
  double factor = 0.5;
  std::int64_t every = 50;
  double least = 0;
  std::int64_t warm_up = 0;  // epochs at first in which it grows linearly, up to where the others begin

  // The initial rate is described with the optimiser.
  void describe(SettingVisitor& visitor) {
    constexpr std::int64_t kMostEpochs = 1'000'000'000;
    constexpr double kMostRate = 16;
    visitor.word({"kind", "how the learning rate changes over the epochs"}, kind, kKinds);
    visitor.whole({"warm_up", "epochs at the beginning in which the rate grows from 0"}, warm_up, 0, kMostEpochs);
    if (kind == Kind::kStep) {
      visitor.real({"factor", "the rate is multiplied by this factor after every step"}, factor,
                   {.least = 0, .most = 1, .without_least = true});
      visitor.whole({"every", "epochs in a step"}, every, 1, kMostEpochs);
    } else {
      for (const std::string_view key : {"factor", "every"}) {
        visitor.exclude(key, "it is for kind = \"step\"; take it out, or change the kind");
      }
    }
    if (kind == Kind::kCosine) {
      visitor.real({"least", "the rate of the last epoch"}, least, {.least = 0, .most = kMostRate});
    } else {
      visitor.exclude("least", "it is for kind = \"cosine\"; take it out, or change the kind");
    }
  }

  // The rate of an epoch, counted from 1, in a training of `epochs` epochs.
  double at(std::int64_t epoch, std::int64_t epochs) const;
};

}  // namespace tacit::gnn
