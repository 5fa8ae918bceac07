// PublicPropagator — propagation along a public graph: a sparse matrix times a share, without
// traffic.
#pragma once

#include "gnn/graph/adjacency.h"
#include "gnn/graph/propagator.h"

namespace tacit::gnn {

class PublicPropagator final : public Propagator {
 public:
  // A row for each target, a column for each source; target i is source own[i]. `whole`: all entries are whole numbers.
  PublicPropagator(const Arithmetic& arithmetic, const Adjacency& adjacency, const Rows& own, bool whole = false);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;
  Tensor backward(Arithmetic& arithmetic, const Tensor& x, double bound, std::string name) override;
  Tensor own(Arithmetic& arithmetic, const Tensor& x) override;
  Tensor own_backward(Arithmetic& arithmetic, const Tensor& x) override;

 private:
  mpc::SparseMatrix forward_, backward_;
  mpc::SparseMatrix pick_, put_back_;  // select the targets among the sources, and the transpose
};

}  // namespace tacit::gnn
