// Ranges — how large the numbers of a model may become. Declared by the job, public; rings and comparisons follow.
#pragma once

#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

inline constexpr double kMostOfRange = 1 << 20;

struct Ranges {
  double features = 16;  // standardised
  double weights = 16;
  double activations = 128;
  double gradients = 128;         // derivatives of the loss by activations, times the loss' scale (see loss.h)
  double weight_gradients = 511;  // the same by weights: sums over nodes

  // A job that declares no range gets the range of default_ranges.h.
  void describe(SettingVisitor& visitor);
};

}  // namespace tacit::gnn
