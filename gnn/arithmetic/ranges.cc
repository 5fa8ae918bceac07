#include "gnn/arithmetic/ranges.h"

#include "gnn/arithmetic/default_ranges.h"

namespace tacit::gnn {

void Ranges::describe(SettingVisitor& visitor) {
  const auto range = [&](std::string_view key, double Ranges::*which, std::string_view help) {
    if (!visitor.has(key, true)) this->*which = kDefaultRanges.*which;
    visitor.real({key, help, Scope::kSession}, this->*which, {.least = 1, .most = kMostOfRange});
  };
  range("features", &Ranges::features, "the largest absolute value of a feature after preprocessing");
  range("weights", &Ranges::weights, "the largest absolute value of a weight");
  range("activations", &Ranges::activations, "the largest absolute value of a layer's output");
  range("gradients", &Ranges::gradients,
        "the largest absolute value of a gradient by activations, times the scale of the loss");
  range("weight_gradients", &Ranges::weight_gradients,
        "the largest absolute value of a gradient by weights, times the scale of the loss; a range wider than the "
        "default "
        "makes this scale smaller with Adam, whose epsilon is then larger beside the gradients");
}

}  // namespace tacit::gnn
