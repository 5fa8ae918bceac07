// DotProduct — the score of each pair of nodes: the dot product of both nodes' rows, as the log-odds of a link. The output has
// a row (0, s) for each pair, with the score s, so that losses and metrics of two classes serve links: softmax(0, s) is the
// sigmoid of s.
//
// Rounds      forward 1, and for secret pairs 1 more if their rows are not masked yet; backward 1; and lifts
// Consumes    for each pair and column, a dealt word forward and two backward
#pragma once

#include "gnn/graph/pair_ends.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

class DotProduct final : public Layer {
 public:
  // The ends lead from the input's rows to pairs, and must outlive it.
  DotProduct(std::string name, const PairEnds& ends) : name_(std::move(name)), ends_(ends) {}

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  void forget() override { at_ends_ = {}; }

 private:
  std::string name_;
  const PairEnds& ends_;
  PairEnds::Ends at_ends_;
};

}  // namespace tacit::gnn
