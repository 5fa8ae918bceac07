// Fitting hyper-parameters: several starts on a few nodes, then the best one further on many.
#pragma once

#include "bench/baselines/hyper_parameters.h"

namespace tacit::gnn {

// At most `most` of the nodes, drawn without reading their values. Returns all nodes in order if there are no more.
Rows drawn(std::int64_t most, std::int64_t nodes);

// The best maximum to which the starts lead, for the likelihood of at most `most_nodes` nodes, and never more than 256.
Eigen::VectorXd first_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes);

// Throws ConfigError for a negative number.
void check_evaluations(int evaluations);

// A short search: from one start, by the likelihood of at most `most_nodes` nodes, which is evaluated at most
// `evaluations` times. An evaluation reads all these nodes once, as an epoch of a network.
Eigen::VectorXd short_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes,
                          int evaluations);

// Continues from a first fit, by the likelihood of at most `most_nodes` nodes.
Eigen::VectorXd exact_fit(const HyperParameterSpace& space, const Standardised& data, std::int64_t most_nodes);

}  // namespace tacit::gnn
