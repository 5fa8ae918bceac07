// Vgg11 — the network VGG-11 for pictures of 32 x 32 pixels (Simonyan and Zisserman, 2015), computed by libtorch.
//
// Eight 3 x 3 convolutions with 64, M, 128, M, 256, 256, M, 512, 512, M, 512, 512, M channels, where M halves the sides, and
// one linear layer of 512 to 10. No header of libtorch is included here, because they take long to compile.
//
// Parameters are numbered in the order in which the backward pass finishes their gradients: last layer first. All start
// from a seed by Tacit's own random numbers: every rank has the same weights without a message.
// Thread: one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tacit::bench {

struct Vgg11Options {
  bool batch_norm = false;  // after each convolution
  std::uint64_t seed = 1;
  int threads = 1;
};

class Vgg11 {
 public:
  explicit Vgg11(const Vgg11Options& options);
  ~Vgg11();

  struct Parameter {
    std::string name;          // "convolution 8 weight"
    std::span<float> weights;  // the caller may change them between two passes
  };
  const std::vector<Parameter>& parameters() const { return parameters_; }
  std::int64_t parameter_count() const;

  struct Batch {
    std::span<float> pixels;  // 3 x 32 x 32 of each picture
    std::span<std::int64_t> labels;
  };

  // Calls `take` with the gradient of each parameter while the backward pass still computes the next ones. The
  // gradient is for the batch's mean loss, and its memory is valid during the call. Returns the mean loss. With
  // `keeps_statistics` false, the running means of the batch normalisation, which tests use, do not change.
  using Take = std::function<void(std::size_t parameter, std::span<const float> gradient)>;
  double backward(const Batch& batch, bool keeps_statistics, const Take& take);

  struct Tested {
    double loss = 0;  // summed over the pictures
    std::int64_t correct = 0;
  };
  Tested test(const Batch& batch);

 private:
  struct Layers;
  std::unique_ptr<Layers> layers_;
  std::vector<Parameter> parameters_;
};

}  // namespace tacit::bench
