// ClassWeights — how much each class counts in a loss: by a list, or balanced. Balanced weights give every class the same
// part of the loss: n / (classes · n_c) for n training nodes with n_c nodes of class c. A weight is at most 64, so a class with
// fewer than one in 64 · classes nodes counts as a class with that many, and a class without a node as one with one node.
//
// The counts stay shares with any owners of the labels: no party learns the counts or the weights.
//
// Rounds      once: 13 for balanced weights, 0 for a list
#pragma once

#include <vector>

#include "gnn/loss/loss.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

struct ClassWeights {
  bool balanced = false;
  std::vector<double> of;  // a list: one for each class

  bool any() const { return balanced || !of.empty(); }
  double largest() const;  // all weights are at most this; 1 without weights

  // The setting `class_weights`: "balanced", or a list.
  void describe(SettingVisitor& visitor);

  static constexpr double kLargest = 64, kLeast = 1.0 / 1024;
};

// The weights of a training, as a row. y: the labels of the training nodes, 1 in the column of a node's class. Throws
// ConfigError if there are too many nodes to count.
std::optional<Tensor> shared_class_weights(Arithmetic& arithmetic, const ClassWeights& weights, const Tensor& y);
// The same in double precision; empty without weights.
Matrix plain_class_weights(const ClassWeights& weights, const Matrix& y, const Rows& train);

}  // namespace tacit::gnn
