// Dropout — sets elements to zero at random and scales up the others, in training. Which ones is public, from the job's
// seed: a product by a public matrix, without traffic.
#pragma once

#include "gnn/graph/rows.h"
#include "gnn/model/layer.h"

namespace tacit::gnn {

// 0 or 1 / (1 - rate). Equal arguments, equal masks, on every machine.
Matrix dropout_mask(Shape shape, double rate, std::uint64_t seed, std::int64_t layer, std::int64_t pass);

class Dropout final : public Layer {
 public:
  // Of these rows of a mask for all nodes, so that what else a model looks at changes nothing.
  Dropout(std::int64_t layer, double rate, std::uint64_t seed, std::int64_t nodes, Rows rows);

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;

  // Which training pass comes next; counted from 0. After a resume it goes on where it was.
  void set_pass(std::int64_t pass) { pass_ = pass; }

 private:
  Tensor masked(Arithmetic& arithmetic, const Tensor& x, double bound, const std::string& name) const;

  std::int64_t layer_;
  double rate_;
  std::uint64_t seed_;
  std::int64_t nodes_;
  Rows rows_;
  std::int64_t pass_ = 0;
  std::optional<mpc::PublicMatrix> mask_;  // of the last pass, if it was a training one
};

}  // namespace tacit::gnn
