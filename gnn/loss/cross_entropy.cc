#include "gnn/loss/cross_entropy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gnn/arithmetic/softmax.h"
#include "gnn/arithmetic/sums_of_products.h"

namespace tacit::gnn {

const LossKind CrossEntropy::kKind = {
    .of_classes = true,
    .largest_gradient = 0.5,
    .scale = [](std::int64_t rows, std::int64_t) { return static_cast<double>(rows); },
    .make = [](Arithmetic& arithmetic, const Tensor& y, const Selection& labelled) -> std::unique_ptr<Loss> {
      return std::make_unique<CrossEntropy>(arithmetic, y, labelled);
    },
    .plain = plain_cross_entropy,
};

CrossEntropy::CrossEntropy(Arithmetic& arithmetic, const Tensor& y, Selection labelled)
    : labelled_(std::move(labelled)), y_(labelled_.pick(arithmetic, y, y.bound(), y.name())) {}

CrossEntropy::Result CrossEntropy::of(Arithmetic& arithmetic, const Tensor& z, Value value) {
  const bool wanted = value == Value::kWanted;
  const Tensor logits = labelled_.pick(arithmetic, z, z.bound(), "logits");
  const Softmax soft = softmax(arithmetic, logits, wanted);
  const Tensor gradient = arithmetic.difference(soft.probability, y_, 1.5, "softmax less y").certain();
  if (!wanted) {
    if (arithmetic.watches()) arithmetic.lifted(std::array{gradient, logits});  // logits: to be watched
    return {scattered(arithmetic, gradient), {}};
  }
  arithmetic.lifted(std::array{gradient, logits, soft.log_sums});
  // If many rows reach the range of logits, their sum exceeds a narrow ring. The bound then allows a loss of 16 a row.
  const double held = std::max(largest_sum_of_products(y_, logits), 16 * rows());
  const double bound = std::min(rows() * soft.log_sums.bound(), held);
  const Tensor of_class = sum_of_products(arithmetic, y_, logits, bound, "logit of the class");
  const Tensor sum = arithmetic.column_sums(soft.log_sums, bound, "log sum");
  return {scattered(arithmetic, gradient), arithmetic.difference(sum, of_class, bound, "cross entropy")};
}

// Lifts these few rows, not all of them.
Tensor CrossEntropy::scattered(Arithmetic& arithmetic, const Tensor& gradient) const {
  return labelled_.put_back(arithmetic, arithmetic.lifted(gradient), gradient.bound(), gradient.name());
}

PlainLoss plain_cross_entropy(const Matrix& z, const Matrix& y, const Rows& labelled) {
  PlainLoss loss{0, Matrix::Zero(z.rows(), z.cols())};
  const auto count = static_cast<double>(std::ssize(labelled));
  for (const std::int64_t row : labelled) {
    Eigen::Index label = 0;
    y.row(row).maxCoeff(&label);
    const double largest = z.row(row).maxCoeff();
    const auto exponentials = (z.row(row).array() - largest).exp().matrix().eval();
    const double sum = exponentials.sum();
    loss.value += (std::log(sum) + largest - z(row, label)) / count;
    loss.gradient.row(row) = exponentials / sum / count;
    loss.gradient(row, label) -= 1 / count;
  }
  return loss;
}

}  // namespace tacit::gnn
