// Outputs — a model's outputs z for some nodes, with the functions of z that several metrics use. Each function is
// computed once, when the first metric asks for it. Therefore its rounds and bytes are also spent once.
//
// Thread: its session's.
#pragma once

#include <map>
#include <optional>

#include "gnn/arithmetic/softmax.h"

namespace tacit::gnn {

class Outputs {
 public:
  explicit Outputs(Tensor z) : z_(std::move(z)) {}

  const Tensor& z() const { return z_; }
  const Tensor& likeliest(Arithmetic& arithmetic);                     // largest_in_rows() of z (likeliest.h)
  const Softmax& softmax(Arithmetic& arithmetic);                      // of z, with its log sums
  const Tensor& score(Arithmetic& arithmetic, std::int64_t of_class);  // class_score() of z (class_score.h)

 private:
  Tensor z_;
  std::optional<Tensor> likeliest_;
  std::optional<Softmax> softmax_;
  std::map<std::int64_t, Tensor> scores_;  // by class
};

}  // namespace tacit::gnn
