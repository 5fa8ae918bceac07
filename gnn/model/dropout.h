// Dropout — in training, sets random elements to zero and scales up the others. The choice of elements is public, from
// the job's seed, so dropout is a product by a public matrix, without traffic. Data are masked once: the same product
// applies to their mask.
#pragma once

#include "gnn/model/layer.h"

namespace tacit::gnn {

// 0 or 1 / (1 - rate). Equal arguments, equal masks, on every machine: the dealer's too.
Matrix dropout_mask(Shape shape, double rate, std::uint64_t seed, std::int64_t layer, std::int64_t pass);

class Dropout final : public Layer {
 public:
  Dropout(std::int64_t layer, double rate, std::uint64_t seed, Input input);
  // The fraction bits of the factor of elements that are kept.
  static int factor_bits(double rate) { return Arithmetic::fraction_bits_of(1 / (1 - rate)); }

  Tensor forward(Arithmetic& arithmetic, const Tensor& x, Pass pass) override;
  std::optional<Tensor> backward(Arithmetic& arithmetic, const Tensor& gradient) override;
  void forget() override { mask_.reset(); }

  // The number of the next training pass, counted from 0. A resume continues the count.
  void set_pass(std::int64_t pass) { pass_ = pass; }

 private:
  std::int64_t layer_;
  double rate_;
  std::uint64_t seed_;
  Input input_;
  std::int64_t pass_ = 0;
  std::optional<mpc::PublicMatrix> mask_;  // of the last pass, if that was a training pass
};

}  // namespace tacit::gnn
