#include "gnn/loss/losses.h"

#include <algorithm>

#include "gnn/loss/cross_entropy.h"
#include "gnn/loss/mean_squared_error.h"
#include "net/error.h"

namespace tacit::gnn {

const LossKind& kind_of(Objective objective) {
  switch (objective) {
    case Objective::kSquaredError:
      return MeanSquaredError::kKind;
    case Objective::kCrossEntropy:
    case Objective::kLogistic:
      return CrossEntropy::kKind;
  }
  constexpr bool kLossIsKnown = false;
  TACIT_CHECK(kLossIsKnown);
}

std::string_view word_of(Objective objective) {
  return std::find_if(kLosses.begin(), kLosses.end(), [&](const auto& one) { return one.first == objective; })->second;
}

Objective default_loss(bool of_classes) {
  const auto fits = [&](const auto& one) { return kind_of(one.first).of_classes == of_classes; };
  return std::find_if(kLosses.begin(), kLosses.end(), fits)->first;
}

}  // namespace tacit::gnn
