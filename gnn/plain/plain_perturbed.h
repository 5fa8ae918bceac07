// plain_perturbed — the plaintext reference (twin) of a perturbed model (train/perturbed_graph.h): the network without edges, the
// sums over neighbours, and the network that reads both, in double precision on plain data. The twin adds no noise, so it shows
// the price of the noise.
#pragma once

#include <functional>

#include "gnn/plain/plain_trainer.h"

namespace tacit::gnn {

// The data that the second network reads: for each node, the probabilities that a trained network without edges gives to the
// classes, and their sum over the node and its neighbours.
PlainData plain_perturbed(const TrainingPlan& training, PlainData data);

// The plan of the second network, which reads no edge; no noise is left to add.
TrainingPlan without_noise(TrainingPlan training);

}  // namespace tacit::gnn
