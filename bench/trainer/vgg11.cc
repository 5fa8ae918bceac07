#include "bench/trainer/vgg11.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros.h>

#include <array>
#include <cmath>

#include "bench/data/pictures.h"
#include "bench/data/random_source.h"
#include "net/error.h"

namespace tacit::bench {

namespace {

constexpr std::int64_t kHalve = 0;
constexpr std::array<std::int64_t, 13> kPlan = {64,  kHalve, 128,    kHalve, 256, 256,   kHalve,
                                                512, 512,    kHalve, 512,    512, kHalve};
constexpr double kStatisticsMomentum = 0.1, kVarianceFloor = 1e-5;  // PyTorch's defaults

std::span<float> weights_of(at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// Normal numbers with the deviation that keeps the variance of a signal through a ReLU (He and others, 2015).
at::Tensor drawn(at::IntArrayRef shape, double deviation, gnn::RandomSource& random) {
  at::Tensor tensor = at::zeros(shape);
  for (float& weight : weights_of(tensor)) weight = static_cast<float>(deviation * random.normal());
  return tensor.set_requires_grad(true);
}

at::Tensor constant(std::int64_t size, double value) { return at::full({size}, value).set_requires_grad(true); }

}  // namespace

struct Vgg11::Layers {
  struct Convolution {
    at::Tensor weight, bias;
    at::Tensor scale, shift, mean, variance;  // for the batch normalisation
  };
  std::vector<Convolution> convolutions;
  at::Tensor weight, bias;  // for the linear layer
  bool batch_norm = false;
  Take take;  // empty outside of backward()

  at::Tensor forward(const at::Tensor& pixels, bool training, bool keeps_statistics) const {
    at::Tensor signal = pixels;
    auto layer = convolutions.begin();
    for (const std::int64_t channels : kPlan) {
      if (channels == kHalve) {
        signal = at::max_pool2d(signal, {2, 2});
        continue;
      }
      signal = at::conv2d(signal, layer->weight, layer->bias, 1, 1);
      if (batch_norm) {
        signal = at::batch_norm(signal, layer->scale, layer->shift, layer->mean, layer->variance, training,
                                keeps_statistics ? kStatisticsMomentum : 0, kVarianceFloor, false);
      }
      signal.relu_();
      ++layer;
    }
    return at::linear(signal.flatten(1), weight, bias);
  }
};

Vgg11::Vgg11(const Vgg11Options& options) : layers_(std::make_unique<Layers>()) {
  at::set_num_threads(options.threads);
  at::globalContext().setDeterministicAlgorithms(true, false);  // an operation without one throws
  gnn::RandomSource random(options.seed);
  layers_->batch_norm = options.batch_norm;
  std::int64_t channels = gnn::kPictureColours;
  for (const std::int64_t wide : kPlan) {
    if (wide == kHalve) continue;
    Layers::Convolution& layer = layers_->convolutions.emplace_back();
    layer.weight = drawn({wide, channels, 3, 3}, std::sqrt(2.0 / static_cast<double>(9 * channels)), random);
    layer.bias = constant(wide, 0);
    if (options.batch_norm) {
      layer.scale = constant(wide, 1);
      layer.shift = constant(wide, 0);
      layer.mean = at::zeros({wide});
      layer.variance = at::full({wide}, 1.0);
    }
    channels = wide;
  }
  layers_->weight = drawn({gnn::kPictureClasses, channels}, 0.01, random);
  layers_->bias = constant(gnn::kPictureClasses, 0);

  const auto add = [&](const std::string& name, at::Tensor& tensor) {
    tensor.register_hook([this, number = parameters_.size()](const at::Tensor& gradient) {
      const at::Tensor whole = gradient.contiguous();
      layers_->take(number, {whole.data_ptr<float>(), static_cast<std::size_t>(whole.numel())});
    });
    parameters_.push_back({name, weights_of(tensor)});
  };
  add("linear weight", layers_->weight);
  add("linear bias", layers_->bias);
  for (std::size_t i = layers_->convolutions.size(); i-- > 0;) {
    Layers::Convolution& layer = layers_->convolutions[i];
    const std::string name = "convolution " + std::to_string(i + 1);
    if (options.batch_norm) {
      add(name + " scale", layer.scale);
      add(name + " shift", layer.shift);
    }
    add(name + " weight", layer.weight);
    add(name + " bias", layer.bias);
  }
}

Vgg11::~Vgg11() = default;

std::int64_t Vgg11::parameter_count() const {
  std::int64_t count = 0;
  for (const Parameter& parameter : parameters_) count += std::ssize(parameter.weights);
  return count;
}

namespace {

at::Tensor pixels_of(const Vgg11::Batch& batch) {
  TACIT_CHECK(batch.pixels.size() == batch.labels.size() * static_cast<std::size_t>(gnn::kPictureBytes));
  return at::from_blob(batch.pixels.data(),
                       {std::ssize(batch.labels), gnn::kPictureColours, gnn::kPictureSide, gnn::kPictureSide});
}

at::Tensor labels_of(const Vgg11::Batch& batch) {
  return at::from_blob(batch.labels.data(), {std::ssize(batch.labels)}, at::kLong);
}

}  // namespace

double Vgg11::backward(const Batch& batch, bool keeps_statistics, const Take& take) {
  layers_->take = take;
  const at::Tensor outputs = layers_->forward(pixels_of(batch), true, keeps_statistics);
  const at::Tensor loss = at::cross_entropy_loss(outputs, labels_of(batch));
  loss.backward();
  layers_->take = {};
  for (Layers::Convolution& layer : layers_->convolutions) {
    for (at::Tensor* tensor : {&layer.weight, &layer.bias, &layer.scale, &layer.shift}) {
      if (tensor->defined()) tensor->mutable_grad().reset();
    }
  }
  for (at::Tensor* tensor : {&layers_->weight, &layers_->bias}) tensor->mutable_grad().reset();
  return loss.item<double>();
}

Vgg11::Tested Vgg11::test(const Batch& batch) {
  const at::NoGradGuard no_gradients;
  const at::Tensor labels = labels_of(batch), outputs = layers_->forward(pixels_of(batch), false, false);
  const double loss = at::cross_entropy_loss(outputs, labels).item<double>();
  return {loss * static_cast<double>(batch.labels.size()),
          at::eq(at::argmax(outputs, 1), labels).sum().item<int64_t>()};
}

}  // namespace tacit::bench
