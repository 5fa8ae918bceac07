// perturbed_graph — the secret data of a model that reads edges once, in sums with noise (model.perturbed, privacy.unit = "edge").
//
//   1. A dense network is trained on the nodes' own features, and reads no edge.
//   2. p: the probabilities that it gives to the classes, a row for each node.
//   3. y = (A + I)·p + noise, for the secret adjacency A: exact sums, and noise on the same whole numbers.
//   4. The model of the job is trained on [p, y], and reads no edge; losses, metrics and any number of epochs follow the noise.
//
// A row of p has a length of at most 1 + kSlack. The edges between two nodes change two rows of y, each by one row of p: the noise
// has a deviation of `noise` times sqrt 2 times this length. Published systems count one direction of an edge (GAP: Sajadmanesh and
// others, USENIX Security 2023; here probabilities of classes and one hop, so that the noise is in few columns).
//
// Secure    as the protocols; the noise as in mpc/protocols/noise.h. An edge's owner knows the edge
// Rounds    the training of the network without edges, a softmax, two masks and a product; none later
#pragma once

#include <functional>

#include "gnn/privacy/training_privacy.h"
#include "gnn/train/agreement.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

struct PerturbedGraph {
  SecretGraph graph;
  TrainingPlan plan;  // of the model that reads it: without a table [privacy]
  std::vector<EpochEvent::Reading>
      of_encoder;                 // the metrics of the network without edges, if they are revealed to this rank
  TrainingState::Perturbed made;  // for checkpoints
};

// `part_of` as in share_graph.h. `on_encoder_epoch`: called after each epoch of the network without edges.
PerturbedGraph perturbed_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                               const DataAgreement& agreement, const PartOf& part_of, const TrainingPrivacy& privacy,
                               const std::function<void()>& on_encoder_epoch = {});

// The same from a checkpoint's state: no network is trained, no edge is read, and no noise is drawn.
PerturbedGraph perturbed_graph_again(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                                     const DataAgreement& agreement, const PartOf& part_of,
                                     TrainingState::Perturbed made, const DataScale& scale);

// The plan of the network without edges.
TrainingPlan encoder_of(const TrainingPlan& training);

// The columns that the second network reads: a probability and a sum for each class.
std::int64_t columns_of_perturbed(const TrainingPlan& training);

}  // namespace tacit::gnn
