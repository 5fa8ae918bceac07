#include "gnn/plain/plain_loss.h"

#include <cmath>

namespace tacit::gnn {

PlainLoss plain_mean_squared_error(const Matrix& z, const Matrix& y, const Rows& labelled) {
  PlainLoss loss{0, Matrix::Zero(z.rows(), z.cols())};
  const double count = static_cast<double>(std::ssize(labelled) * z.cols());
  for (const std::int64_t row : labelled) {
    const auto error = (z.row(row) - y.row(row)).eval();
    loss.value += error.squaredNorm() / count;
    loss.gradient.row(row) = 2 / count * error;
  }
  return loss;
}

PlainLoss plain_cross_entropy(const Matrix& z, const std::vector<std::int64_t>& classes, const Rows& labelled) {
  PlainLoss loss{0, Matrix::Zero(z.rows(), z.cols())};
  const auto count = static_cast<double>(std::ssize(labelled));
  for (const std::int64_t row : labelled) {
    const std::int64_t label = classes[static_cast<std::size_t>(row)];
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
