#include "gnn/optimiser/optimiser.h"

namespace tacit::gnn {

void expect_copies(const OptimiserState& state, std::span<Parameter* const> parameters, std::size_t copies) {
  bool fits = state.tensors.empty() || state.tensors.size() == copies * parameters.size();
  for (std::size_t i = 0; fits && i < state.tensors.size(); ++i) {
    fits = state.tensors[i].shape() == parameters[i % parameters.size()]->value.shape();
  }
  if (!fits) {
    throw ConfigError("the state is that of another optimiser or model; resume with the job that it was saved in");
  }
}

}  // namespace tacit::gnn
