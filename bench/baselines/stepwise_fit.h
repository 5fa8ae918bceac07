// Fitting hyper-parameters: several starts on a few nodes, the best of them further on many.
#pragma once

#include "bench/baselines/hyper_parameters.h"

namespace tacit::gnn {

// So many of the nodes, drawn without looking at them; all of them, in their order, where there are no more.
Rows drawn(std::int64_t most, std::int64_t nodes);

// Where the likelihood of at most so many nodes, or 256 if these are fewer, has its highest top, of those that the
// starts lead to.
Eigen::VectorXd first_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes);

// From there on, by the likelihood of at most so many nodes.
Eigen::VectorXd exact_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes);

}  // namespace tacit::gnn
