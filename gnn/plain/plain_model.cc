#include "gnn/plain/plain_model.h"

#include <algorithm>

#include "gnn/model/dropout.h"

namespace tacit::gnn {

// A layer. The forward pass reads the parameters from the model's list; the backward pass appends
// their gradients in the same order.
class PlainLayer {
 public:
  virtual ~PlainLayer() = default;
  // `number` of the training pass; empty in evaluation.
  virtual Matrix forward(const Matrix& x, std::optional<std::int64_t> number) = 0;
  virtual Matrix backward(const Matrix& gradient, std::vector<Matrix>& gradients) = 0;
};

// Picks the targets' rows from a matrix with a row for each source, and puts them back.
class PlainRows {
 public:
  PlainRows(const Rows& targets, const Rows& sources)
      : at_(positions(targets, sources)), sources_(std::ssize(sources)), all_(targets == sources) {}

  Matrix of(const Matrix& x) const { return all_ ? x : Matrix(x(at_, Eigen::all)); }
  Matrix back(const Matrix& gradient) const {
    if (all_) return gradient;
    Matrix out = Matrix::Zero(sources_, gradient.cols());
    out(at_, Eigen::all) = gradient;
    return out;
  }

 private:
  Rows at_;
  std::int64_t sources_;
  bool all_;
};

// The outputs of earlier layers side by side (gnn/model/jump.h).
class PlainJump {
 public:
  PlainJump(const ModelSpec& spec, std::size_t layer, const LayeredGraph& graph) : parts_(jump_parts(spec, layer)) {
    for (const JumpPart& part : parts_) picks_.emplace_back(graph.rows[layer], graph.rows[part.layer]);
  }

  const std::vector<JumpPart>& parts() const { return parts_; }
  Matrix forward(const std::vector<Matrix>& inputs) const {
    std::vector<Matrix> read;
    for (std::size_t i = 0; i < parts_.size(); ++i) read.push_back(picks_[i].of(inputs[parts_[i].layer]));
    Matrix all(read.front().rows(), parts_.back().end);
    for (std::size_t i = 0; i < parts_.size(); ++i) all.middleCols(parts_[i].begin, read[i].cols()) = read[i];
    return all;
  }
  Matrix backward(const Matrix& gradient, std::size_t part) const {
    return picks_[part].back(gradient.middleCols(parts_[part].begin, parts_[part].end - parts_[part].begin));
  }

 private:
  std::vector<JumpPart> parts_;
  std::vector<PlainRows> picks_;
};

namespace {

// The layers with weights: x·W, or A·x·W (A normalised, or A + I), or x·W + M·x·V; plus b, plus x.
class Affine final : public PlainLayer {
 public:
  // The first parameter is W; V and b follow if the layer has them. `adjacency` is used by a layer
  // that gathers.
  Affine(const LayerSpec& spec, const Adjacency& adjacency, PlainRows own, const NamedMatrix* parameters, Input input)
      : spec_(spec), input_(input), adjacency_(adjacency), own_(std::move(own)), w_(&parameters->values) {
    const NamedMatrix* next = parameters + 1;
    if (mean()) v_ = &(next++)->values;
    if (spec.bias) b_ = &next->values;
  }

  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    if (input_ != Input::kData || left_.size() == 0) {
      left_ = convolution() ? adjacency_.times(x) : own_.of(x);
      if (mean()) mean_left_ = adjacency_.times(x);
    }
    Matrix z = left_ * *w_;
    if (mean()) z += mean_left_ * *v_;
    if (b_ != nullptr) z.rowwise() += b_->row(0);
    if (spec_.residual) z += own_.of(x);
    return z;
  }

  Matrix backward(const Matrix& gradient, std::vector<Matrix>& gradients) override {
    gradients.push_back(left_.transpose() * gradient);
    if (mean()) gradients.push_back(mean_left_.transpose() * gradient);
    if (b_ != nullptr) gradients.push_back(gradient.colwise().sum());
    if (input_ != Input::kLearned) return {};
    const Matrix left = gradient * w_->transpose();
    Matrix back = convolution() ? adjacency_.transposed_times(left) : own_.back(left);
    if (mean()) back += adjacency_.transposed_times(gradient * v_->transpose());
    if (spec_.residual) back += own_.back(gradient);
    return back;
  }

 private:
  bool convolution() const { return spec_.gathers() && !mean(); }
  bool mean() const { return spec_.kind == LayerSpec::Kind::kMeanAggregation; }

  LayerSpec spec_;
  Input input_;
  const Adjacency& adjacency_;
  PlainRows own_;
  const Matrix* w_;
  const Matrix* v_ = nullptr;
  const Matrix* b_ = nullptr;
  Matrix left_, mean_left_;  // left factors of the products by W and V
};

// z = A·z + restart·x in every step, from z = x; A has the factor 1 - restart.
class PlainPropagation final : public PlainLayer {
 public:
  PlainPropagation(const LayerSpec& spec, const Adjacency& adjacency, PlainRows own, Input input)
      : spec_(spec), adjacency_(adjacency), own_(std::move(own)), input_(input) {}

  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    if (of_data_.size() > 0) return of_data_;
    Matrix z = x;
    for (std::int64_t step = 0; step < spec_.steps; ++step) z = adjacency_.times(z) + spec_.restart * x;
    const Matrix out = own_.of(z);
    if (input_ == Input::kData) of_data_ = out;
    return out;
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override {
    if (input_ != Input::kLearned) return {};
    Matrix at = own_.back(gradient);
    Matrix passed = Matrix::Zero(at.rows(), at.cols());
    for (std::int64_t step = 0; step < spec_.steps; ++step) {
      passed += spec_.restart * at;
      at = adjacency_.transposed_times(at);
    }
    return at + passed;
  }

 private:
  LayerSpec spec_;
  const Adjacency& adjacency_;
  PlainRows own_;
  Input input_;
  Matrix of_data_;
};

class PlainPooling final : public PlainLayer {
 public:
  PlainPooling(const Adjacency& adjacency, Input input) : adjacency_(adjacency), input_(input) {}

  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override { return adjacency_.times(x); }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override {
    return input_ == Input::kLearned ? adjacency_.transposed_times(gradient) : Matrix();
  }

 private:
  const Adjacency& adjacency_;
  Input input_;
};

// 0, and the dot product of the rows of each pair.
class PlainDotProduct final : public PlainLayer {
 public:
  explicit PlainDotProduct(const LayeredGraph& graph) : graph_(graph) {}

  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    rows_ = x.rows();
    from_ = x(graph_.from, Eigen::all);
    to_ = x(graph_.to, Eigen::all);
    Matrix z = Matrix::Zero(from_.rows(), 2);
    z.col(1) = from_.cwiseProduct(to_).rowwise().sum();
    return z;
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override {
    Matrix back = Matrix::Zero(rows_, from_.cols());
    for (Eigen::Index pair = 0; pair < gradient.rows(); ++pair) {
      const auto i = static_cast<std::size_t>(pair);
      back.row(graph_.from[i]) += gradient(pair, 1) * to_.row(pair);
      back.row(graph_.to[i]) += gradient(pair, 1) * from_.row(pair);
    }
    return back;
  }

 private:
  const LayeredGraph& graph_;
  Eigen::Index rows_ = 0;
  Matrix from_, to_;
};

// 0, and the input.
class PlainLogit final : public PlainLayer {
 public:
  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    Matrix z = Matrix::Zero(x.rows(), 2);
    z.col(1) = x.col(0);
    return z;
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override { return gradient.col(1); }
};

class PlainRelu final : public PlainLayer {
 public:
  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    positive_ = (x.array() > 0).cast<double>();
    return x.cwiseProduct(positive_);
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override { return gradient.cwiseProduct(positive_); }

 private:
  Matrix positive_;
};

class PlainLayerNorm final : public PlainLayer {
 public:
  Matrix forward(const Matrix& x, std::optional<std::int64_t>) override {
    const Matrix centred = x.colwise() - x.rowwise().mean();
    root_ = ((centred.array().square().rowwise().mean() + kNormEpsilon).sqrt().inverse()).matrix();
    y_ = root_.asDiagonal() * centred;
    return y_;
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override {
    const Eigen::VectorXd along = gradient.cwiseProduct(y_).rowwise().mean();
    const Matrix centred = gradient.colwise() - gradient.rowwise().mean();
    return root_.asDiagonal() * (centred - along.asDiagonal() * y_);
  }

 private:
  Eigen::VectorXd root_;
  Matrix y_;
};

class PlainDropout final : public PlainLayer {
 public:
  PlainDropout(std::int64_t layer, double rate, std::uint64_t seed) : layer_(layer), rate_(rate), seed_(seed) {}

  Matrix forward(const Matrix& x, std::optional<std::int64_t> number) override {
    mask_ = number ? dropout_mask(mpc::shape_of(x), rate_, seed_, layer_, *number) : Matrix::Ones(x.rows(), x.cols());
    return x.cwiseProduct(mask_);
  }
  Matrix backward(const Matrix& gradient, std::vector<Matrix>&) override { return gradient.cwiseProduct(mask_); }

 private:
  std::int64_t layer_;
  double rate_;
  std::uint64_t seed_;
  Matrix mask_;
};

}  // namespace

PlainModel::PlainModel(const ModelSpec& spec, std::int64_t inputs, const LayeredGraph& graph,
                       const std::vector<NamedMatrix>& parameters, std::uint64_t seed) {
  check(spec, inputs);
  const NamedMatrix* next = parameters.data();
  Input input = Input::kData;
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const LayerSpec& layer = spec.layers[i];
    jumps_.push_back(layer.jump ? std::make_unique<PlainJump>(spec, i, graph) : nullptr);
    if (layer.kind == LayerSpec::Kind::kRelu) {
      layers_.push_back(std::make_unique<PlainRelu>());
    } else if (layer.kind == LayerSpec::Kind::kLayerNorm) {
      layers_.push_back(std::make_unique<PlainLayerNorm>());
    } else if (layer.kind == LayerSpec::Kind::kDropout) {
      layers_.push_back(std::make_unique<PlainDropout>(static_cast<std::int64_t>(i), layer.rate, seed));
      if (input == Input::kData) input = Input::kDropped;
    } else if (layer.kind == LayerSpec::Kind::kPropagation) {
      layers_.push_back(std::make_unique<PlainPropagation>(layer, graph.adjacencies[i],
                                                           PlainRows(graph.rows[i + 1], graph.rows[i]), input));
    } else if (layer.kind == LayerSpec::Kind::kPooling) {
      layers_.push_back(std::make_unique<PlainPooling>(graph.adjacencies[i], input));
    } else if (layer.kind == LayerSpec::Kind::kDotProduct) {
      layers_.push_back(std::make_unique<PlainDotProduct>(graph));
    } else if (layer.kind == LayerSpec::Kind::kLogit) {
      layers_.push_back(std::make_unique<PlainLogit>());
    } else {
      layers_.push_back(std::make_unique<Affine>(layer, graph.adjacencies[i],
                                                 PlainRows(graph.rows[i + 1], graph.rows[i]), next, input));
      input = Input::kLearned;
      next += 1 + (layer.kind == LayerSpec::Kind::kMeanAggregation ? 1 : 0) + (layer.bias ? 1 : 0);
    }
  }
  TACIT_CHECK(next == parameters.data() + parameters.size());
  has_jumps_ = std::any_of(spec.layers.begin(), spec.layers.end(), [](const LayerSpec& layer) { return layer.jump; });
}

PlainModel::PlainModel(PlainModel&&) noexcept = default;
PlainModel::~PlainModel() = default;

Matrix PlainModel::forward(const Matrix& x, Pass pass) {
  const bool training = pass == Pass::kTraining;
  const std::optional<std::int64_t> number = training ? std::optional(pass_++) : std::nullopt;
  Matrix out;
  const Matrix* in = &x;                       // the features are large, and no layer needs a copy
  std::vector<Matrix> inputs(layers_.size());  // the input of each layer, kept for jumps
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (has_jumps_) inputs[i] = *in;
    if (jumps_[i] != nullptr) {
      out = jumps_[i]->forward(inputs);
      in = &out;
    }
    out = layers_[i]->forward(*in, number);
    in = &out;
  }
  return *in;
}

std::vector<Matrix> PlainModel::backward(const Matrix& gradient) {
  std::vector<std::vector<Matrix>> by_layer(layers_.size());
  Matrix at = gradient;
  std::vector<Matrix> passed(layers_.size());  // the gradients by each layer's input that jumps pass; empty: none
  for (std::size_t i = layers_.size(); i-- > 0 && at.size() > 0;) {
    at = layers_[i]->backward(at, by_layer[i]);
    if (jumps_[i] != nullptr) {
      const std::vector<JumpPart>& parts = jumps_[i]->parts();
      for (std::size_t k = 0; k < parts.size(); ++k) {
        const Matrix part = jumps_[i]->backward(at, k);
        Matrix& sum = passed[parts[k].layer];
        sum = sum.size() == 0 ? part : Matrix(sum + part);
      }
      at = Matrix::Zero(passed[i].rows(), passed[i].cols());
    }
    if (at.size() > 0 && passed[i].size() > 0) at += passed[i];
  }
  std::vector<Matrix> all;
  for (std::vector<Matrix>& gradients : by_layer)
    std::move(gradients.begin(), gradients.end(), std::back_inserter(all));
  return all;
}

}  // namespace tacit::gnn
