#include "gnn/plain/plain_model.h"

#include <algorithm>

#include "gnn/model/dropout.h"

namespace tacit::gnn {

// Reads its parameters where the model holds them, and leaves their gradients in the same order.
class PlainLayer {
 public:
  virtual ~PlainLayer() = default;
  virtual Matrix forward(const Matrix& x, Pass pass) = 0;
  virtual Matrix backward(const Matrix& gradient, std::vector<Matrix>& gradients) = 0;
};

namespace {

// x·W, or A·x·W, or x·W + M·x·V; plus b, plus x.
class Affine final : public PlainLayer {
 public:
  // The first of the parameters is W; V and b follow where there are any. `first`: as Model's layers.
  Affine(const LayerSpec& spec, PlainGraph graph, const NamedMatrix* parameters, bool first)
      : spec_(spec), first_(first), w_(&parameters->values) {
    const NamedMatrix* next = parameters + 1;
    if (spec.kind == LayerSpec::Kind::kGraphConvolution) own_ = graph.symmetric;
    if (spec.kind == LayerSpec::Kind::kMeanAggregation) {
      v_ = &(next++)->values;
      mean_ = graph.mean;
    }
    if (spec.bias) b_ = &next->values;
  }

  Matrix forward(const Matrix& x, Pass) override {
    if (!first_ || left_.size() == 0) {
      left_ = own_ == nullptr ? x : own_->times(x);
      if (mean_ != nullptr) mean_left_ = mean_->times(x);
    }
    Matrix z = left_ * *w_;
    if (v_ != nullptr) z += mean_left_ * *v_;
    if (b_ != nullptr) z.rowwise() += b_->row(0);
    if (spec_.residual) z += x;
    return z;
  }

  Matrix backward(const Matrix& gradient, std::vector<Matrix>& gradients) override {
    gradients.push_back(left_.transpose() * gradient);
    if (v_ != nullptr) gradients.push_back(mean_left_.transpose() * gradient);
    if (b_ != nullptr) gradients.push_back(gradient.colwise().sum());
    if (first_) return {};
    Matrix back = gradient * w_->transpose();
    if (own_ != nullptr) back = own_->transposed_times(back);
    if (v_ != nullptr) back += mean_->transposed_times(gradient * v_->transpose());
    if (spec_.residual) back += gradient;
    return back;
  }

 private:
  LayerSpec spec_;
  bool first_;
  const Adjacency* own_ = nullptr;
  const Adjacency* mean_ = nullptr;
  const Matrix* w_;
  const Matrix* v_ = nullptr;
  const Matrix* b_ = nullptr;
  Matrix left_, mean_left_;  // of the products by W and V
};

class PlainRelu final : public PlainLayer {
 public:
  Matrix forward(const Matrix& x, Pass) override {
    positive_ = (x.array() >= 0).cast<double>();
    return x.cwiseProduct(positive_);
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override { return gradient.cwiseProduct(positive_); }

 private:
  Matrix positive_;
};

class PlainDropout final : public PlainLayer {
 public:
  PlainDropout(std::int64_t layer, double rate, std::uint64_t seed) : layer_(layer), rate_(rate), seed_(seed) {}

  Matrix forward(const Matrix& x, Pass pass) override {
    mask_ = pass == Pass::kEvaluation ? Matrix::Ones(x.rows(), x.cols())
                                      : dropout_mask(mpc::shape_of(x), rate_, seed_, layer_, pass_++);
    return x.cwiseProduct(mask_);
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override { return gradient.cwiseProduct(mask_); }

 private:
  std::int64_t layer_;
  double rate_;
  std::uint64_t seed_;
  std::int64_t pass_ = 0;
  Matrix mask_;
};

}  // namespace

PlainModel::PlainModel(const ModelSpec& spec, std::int64_t inputs, PlainGraph graph,
                       std::vector<NamedMatrix> parameters, std::uint64_t seed)
    : parameters_(std::move(parameters)) {
  check(spec, inputs);
  const NamedMatrix* next = parameters_.data();
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const LayerSpec& layer = spec.layers[i];
    if (layer.kind == LayerSpec::Kind::kRelu) {
      layers_.push_back(std::make_unique<PlainRelu>());
    } else if (layer.kind == LayerSpec::Kind::kDropout) {
      layers_.push_back(std::make_unique<PlainDropout>(static_cast<std::int64_t>(i), layer.rate, seed));
    } else {
      layers_.push_back(std::make_unique<Affine>(layer, graph, next, next == parameters_.data()));
      next += 1 + (layer.kind == LayerSpec::Kind::kMeanAggregation ? 1 : 0) + (layer.bias ? 1 : 0);
    }
  }
  TACIT_CHECK(next == parameters_.data() + parameters_.size());
}

PlainModel::~PlainModel() = default;

Matrix PlainModel::forward(const Matrix& x, Pass pass) {
  Matrix out = x;
  for (const std::unique_ptr<PlainLayer>& layer : layers_) out = layer->forward(out, pass);
  return out;
}

std::vector<Matrix> PlainModel::backward(const Matrix& gradient) {
  std::vector<std::vector<Matrix>> by_layer(layers_.size());
  Matrix at = gradient;
  for (std::size_t i = layers_.size(); i-- > 0;) at = layers_[i]->backward(at, by_layer[i]);
  std::vector<Matrix> all;
  for (std::vector<Matrix>& gradients : by_layer)
    std::move(gradients.begin(), gradients.end(), std::back_inserter(all));
  return all;
}

}  // namespace tacit::gnn
