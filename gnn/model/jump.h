// Jump — the outputs of earlier layers side by side, as one layer reads them: jumping knowledge with concatenation (Xu et
// al. 2018), as JumpingKnowledge of PyTorch Geometric in mode "cat".
//
// A layer on a public graph may read fewer nodes than the layers before it: the rows of the other nodes are left out.
//
// Rounds      0; 1 in the forward pass if some of the outputs are masked already and others are not, and 1 where the ring of an
//             output (of a layer norm) is too narrow for the range of the others
// Sends       nothing for outputs that are masked already and have the rows of this layer
#pragma once

#include "gnn/graph/graph_view.h"
#include "gnn/settings/model_spec.h"

namespace tacit::gnn {

class Jump {
 public:
  Jump(const ModelSpec& spec, std::size_t layer, const GraphView& view);

  const std::vector<JumpPart>& parts() const { return parts_; }

  // `inputs` has the input of each layer. The layers of parts() are read.
  Tensor forward(Arithmetic& arithmetic, const Tensors& inputs) const;
  // The gradients by parts(), in their order, with zeros in the rows that were left out.
  Tensors backward(Arithmetic& arithmetic, const Tensor& gradient) const;

 private:
  std::string name_;
  std::vector<JumpPart> parts_;
  std::vector<std::optional<mpc::SparseMatrix>> picks_;  // by part; none: all rows
};

}  // namespace tacit::gnn
