#include "gnn/aggregate/dense_gradients.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>

#include "gnn/plan/privacy_settings.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// The number of records that are computed at once. The number is the same for any number of threads, because the products of
// the forward pass round in an order that depends on the block.
constexpr std::int64_t kBlock = 256;
constexpr std::int64_t kMostKept = 1 << 23;  // numbers of ClippedRecords
constexpr int kMostGradientBits = 20;
constexpr int kSumBits = 52;
// Above all relative rounding errors of a squared length and of the clipping factor: a few thousand times 2^-53.
constexpr double kRounding = 1e-11;

double unit(int bits) { return std::ldexp(1.0, -bits); }

}  // namespace

// One block of records in a pass.
struct DenseGradients::Pass {
  std::vector<Matrix> inputs;   // of each layer, in whole numbers of 2^-13
  std::vector<Matrix> outputs;  // of each layer, before its ReLU; the last ones are the model's
};

DenseGradients::DenseGradients(const ModelSpec& model, std::int64_t inputs, Objective objective, double clip,
                               std::int64_t records)
    : logit_(model.has_logit()), objective_(objective), clip_(clip) {
  if (const std::string why = not_of_records(model); !why.empty()) throw ConfigError("model.layers: " + why);
  const std::vector<NamedMatrix> initial = initial_parameters(model, inputs, 1);
  std::size_t next = 0;
  for (const LayerSpec& layer : model.layers) {
    if (layer.kind == LayerSpec::Kind::kRelu) {
      (layers_.empty() ? relu_of_inputs_ : layers_.back().relu) = true;
      continue;
    }
    if (layer.kind == LayerSpec::Kind::kLogit) continue;
    const Shape shape = mpc::shape_of(initial[next].values);
    layers_.push_back({next, layer.bias, false, shape.rows, shape.cols, parameters_});
    for (std::size_t i = 0; i < (layer.bias ? 2U : 1U); ++i) parameters_ += initial[next++].values.size();
  }
  const int room =
      static_cast<int>(std::ceil(std::log2(clip * static_cast<double>(std::max<std::int64_t>(records, 1)))));
  gradient_bits_ = std::min(kMostGradientBits, kSumBits - kInputBits - room);
  TACIT_CHECK(gradient_bits_ >= 8);
  clip_units_ = std::floor(std::ldexp(clip, fraction_bits()));
}

void DenseGradients::forward(Pass& pass, const std::vector<NamedMatrix>& parameters) const {
  const auto on_grid = [](const Matrix& values) {
    return Matrix((values.array() * std::ldexp(1.0, kInputBits)).round() * unit(kInputBits));
  };
  pass.inputs.front() = on_grid(relu_of_inputs_ ? Matrix(pass.inputs.front().cwiseMax(0.0)) : pass.inputs.front());
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    Matrix z = pass.inputs[i] * parameters[layer.weight].values;
    if (layer.bias) z.rowwise() += parameters[layer.weight + 1].values.row(0);
    if (i + 1 < layers_.size()) pass.inputs[i + 1] = on_grid(layer.relu ? Matrix(z.cwiseMax(0.0)) : z);
    pass.outputs[i] = std::move(z);
  }
}

// With a logit, adds the column of zeros, as Logit does.
Matrix DenseGradients::outputs_of(const Pass& pass) const {
  const Matrix& last = pass.outputs.back();
  if (!logit_) return last;
  Matrix z = Matrix::Zero(last.rows(), 2);
  z.col(1) = last.col(0);
  return z;
}

DenseGradients::Block DenseGradients::first_pass(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                                                 const std::vector<NamedMatrix>& parameters) const {
  const std::vector<std::int64_t> own(rows.begin(), rows.end());
  Pass pass{std::vector<Matrix>(layers_.size()), std::vector<Matrix>(layers_.size())};
  pass.inputs.front() = x(own, Eigen::all);
  forward(pass, parameters);
  const auto count = static_cast<std::int64_t>(rows.size());
  std::vector<std::int64_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i);
  // The loss is a mean over the rows: times their number, it is the sum of every record's own.
  Matrix d =
      kind_of(objective_).plain(outputs_of(pass), y(own, Eigen::all), all, {}).gradient * static_cast<double>(count);
  if (logit_) d = Matrix(d.col(1));

  Eigen::ArrayXd squared = Eigen::ArrayXd::Zero(count);
  std::vector<Matrix> by_output(layers_.size());
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Layer& layer = layers_[i];
    if (layer.relu) d = (pass.outputs[i].array() > 0).select(d, 0.0);  // the slope at 0 is 0, as on shares
    squared +=
        (pass.inputs[i].rowwise().squaredNorm().array() + (layer.bias ? 1.0 : 0.0)) * d.rowwise().squaredNorm().array();
    by_output[i] = d;
    if (i > 0) d = Matrix(d * parameters[layer.weight].values.transpose());
  }
  Eigen::ArrayXd factor(count);
  for (std::int64_t r = 0; r < count; ++r) {
    const double most = squared[r] * (1 + kRounding);
    const bool usable = std::isfinite(most) && by_output.front().row(r).allFinite();
    factor[r] = !usable ? 0 : most <= clip_ * clip_ ? 1 : clip_ / std::sqrt(most) * (1 - kRounding);
  }
  const double gradient_unit = std::ldexp(1.0, gradient_bits_), input_unit = std::ldexp(1.0, kInputBits);
  Block block;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    // trunc rounds toward zero. 0 · infinity is not a number, so unusable records are set to 0.
    block.gradients.emplace_back(((by_output[i].array().colwise() * factor) * gradient_unit).unaryExpr([](double v) {
      return std::isfinite(v) ? std::trunc(v) : 0.0;
    }));
    block.inputs.emplace_back(
        (pass.inputs[i].array() * input_unit).unaryExpr([](double v) { return std::isfinite(v) ? v : 0.0; }));
  }
  return block;
}

void DenseGradients::add(const Block& block, std::int64_t begin, std::span<double> out) const {
  const std::int64_t end = begin + std::ssize(out);
  const auto at = [&](std::int64_t column) { return out.data() + (column - begin); };
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const Layer& layer = layers_[i];
    const Matrix &inputs = block.inputs[i], &gradients = block.gradients[i];
    if (const std::int64_t first = std::max(begin, layer.at), last = std::min(end, layer.bias_at()); first < last) {
      const std::int64_t top = (first - layer.at) / layer.outputs;
      const std::int64_t rows = (last - layer.at + layer.outputs - 1) / layer.outputs - top;
      const auto product = inputs.middleCols(top, rows).transpose() * gradients;
      const std::int64_t skipped = first - layer.at - top * layer.outputs;
      if (skipped == 0 && rows * layer.outputs == last - first) {
        Eigen::Map<Matrix>(at(first), rows, layer.outputs).noalias() += product;
      } else {
        const Matrix whole = product;
        std::transform(at(first), at(last), whole.data() + skipped, at(first), std::plus<>());
      }
    }
    if (!layer.bias) continue;
    const std::int64_t bias = layer.bias_at(), first = std::max(begin, bias),
                       last = std::min(end, bias + layer.outputs);
    for (std::int64_t column = first; column < last; ++column) {
      *at(column) += gradients.col(column - bias).sum() * std::ldexp(1.0, kInputBits);
    }
  }
}

DenseGradients::ClippedRecords DenseGradients::clipped(const Matrix& x, const Matrix& y,
                                                       std::span<const std::int64_t> rows,
                                                       const std::vector<NamedMatrix>& parameters,
                                                       mpc::Workers& workers, bool ranges) const {
  const auto count = static_cast<std::int64_t>(rows.size()), blocks = (count + kBlock - 1) / kBlock;
  std::int64_t numbers = 0;  // of a block
  for (const Layer& layer : layers_) numbers += kBlock * (layer.inputs + layer.outputs);
  const std::int64_t kept = ranges ? std::min(blocks, std::max<std::int64_t>(1, kMostKept / numbers)) : 0;
  const std::int64_t added = blocks - kept;
  const auto block_of = [&](std::int64_t b) {
    const std::int64_t first = b * kBlock, size = std::min(kBlock, count - first);
    return first_pass(x, y, rows.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)), parameters);
  };
  Matrix total = Matrix::Zero(1, kept < blocks || !ranges ? parameters_ : 0);
  std::mutex mutex;
  workers.for_ranges(added, 4, [&](std::int64_t begin, std::int64_t end) {
    Matrix own = Matrix::Zero(1, parameters_);
    for (std::int64_t b = begin; b < end; ++b) {
      add(block_of(b), 0, std::span(own.data(), static_cast<std::size_t>(own.size())));
    }
    const std::lock_guard lock(mutex);
    total += own;  // exact in any order
  });
  std::vector<Block> later(static_cast<std::size_t>(kept));
  workers.for_ranges(kept, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) later[static_cast<std::size_t>(b)] = block_of(added + b);
  });
  return {*this, std::move(total), std::move(later)};
}

DenseGradients::ClippedRecords DenseGradients::clipped(const Matrix& x, const Matrix& y,
                                                       std::span<const std::int64_t> rows,
                                                       const std::vector<NamedMatrix>& parameters,
                                                       mpc::Workers& workers) const {
  return clipped(x, y, rows, parameters, workers, parameters_ > kLeastOfRanges);
}

DenseGradients::ClippedRecords DenseGradients::clipped_for_ranges(const Matrix& x, const Matrix& y,
                                                                  std::span<const std::int64_t> rows,
                                                                  const std::vector<NamedMatrix>& parameters,
                                                                  mpc::Workers& workers) const {
  return clipped(x, y, rows, parameters, workers, true);
}

void DenseGradients::ClippedRecords::sum(std::int64_t begin, std::span<double> out, mpc::Workers& workers) const {
  constexpr std::int64_t kColumns = 1 << 14;  // of one thread, at least
  if (added_.size() == 0) {
    std::fill(out.begin(), out.end(), 0.0);
  } else {
    std::copy_n(added_.data() + begin, out.size(), out.begin());
  }
  if (blocks_.empty()) return;
  workers.for_ranges(std::ssize(out), kColumns, [&](std::int64_t first, std::int64_t last) {
    const auto columns = out.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
    for (const Block& block : blocks_) gradients_.add(block, begin + first, columns);
  });
}

Matrix DenseGradients::sum(const Matrix& x, const Matrix& y, std::span<const std::int64_t> rows,
                           const std::vector<NamedMatrix>& parameters, mpc::Workers& workers) const {
  Matrix total(1, parameters_);
  clipped(x, y, rows, parameters, workers)
      .sum(0, std::span(total.data(), static_cast<std::size_t>(total.size())), workers);
  return total;
}

Matrix DenseGradients::outputs(const Matrix& x, const std::vector<NamedMatrix>& parameters) const {
  Matrix all(x.rows(), 0);
  for (std::int64_t first = 0; first < x.rows() || first == 0; first += kBlock) {
    Pass pass{std::vector<Matrix>(layers_.size()), std::vector<Matrix>(layers_.size())};
    pass.inputs.front() = x.middleRows(first, std::min(kBlock, x.rows() - first));
    forward(pass, parameters);
    const Matrix z = outputs_of(pass);
    if (first == 0) all.resize(x.rows(), z.cols());
    all.middleRows(first, z.rows()) = z;
  }
  return all;
}

}  // namespace tacit::gnn
