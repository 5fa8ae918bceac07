// The losses that a job may name. A new loss is a file pair in this folder, a word here, and its kind in losses.cc.
#pragma once

#include <string_view>

#include "gnn/loss/loss.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

enum class Objective {
  kSquaredError,
  kCrossEntropy,
  kLogistic,  // cross-entropy of two classes for a model with one output, which ends with a layer of kind "logit"
};
inline constexpr WordTable<Objective, 3> kLosses = {{{Objective::kSquaredError, "mse"},
                                                     {Objective::kCrossEntropy, "cross-entropy"},
                                                     {Objective::kLogistic, "logistic"}}};

const LossKind& kind_of(Objective objective);
std::string_view word_of(Objective objective);
// The first loss of the table for labels that are classes, or targets.
Objective default_loss(bool of_classes);

}  // namespace tacit::gnn
