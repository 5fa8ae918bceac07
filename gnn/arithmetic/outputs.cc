#include "gnn/arithmetic/outputs.h"

#include "gnn/arithmetic/class_score.h"
#include "gnn/arithmetic/likeliest.h"

namespace tacit::gnn {

const Tensor& Outputs::likeliest(Arithmetic& arithmetic) {
  if (!likeliest_) likeliest_ = largest_in_rows(arithmetic, z_);
  return *likeliest_;
}

const Softmax& Outputs::softmax(Arithmetic& arithmetic) {
  if (!softmax_) softmax_ = gnn::softmax(arithmetic, z_, true);
  return *softmax_;
}

const Tensor& Outputs::score(Arithmetic& arithmetic, std::int64_t of_class) {
  const auto known = scores_.find(of_class);
  if (known != scores_.end()) return known->second;
  return scores_.emplace(of_class, class_score(arithmetic, z_, of_class)).first->second;
}

}  // namespace tacit::gnn
