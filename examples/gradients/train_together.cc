// train_together KEY ROSTER — data parallel training with libtorch. Every rank of the roster starts it with its RANK.
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>

#include "net/connect.h"
#include "net/synchronise/gradient_sum.h"

using namespace tacit;

// Points of a square. The label is 1 in a ring around the centre.
struct Points {
  explicit Points(int count) : places(2 * torch::rand({count, 2}) - 1) {
    const torch::Tensor radius = places.norm(2, 1);
    labels = ((radius > 0.4) & (radius < 0.8)).to(torch::kLong);
  }
  torch::Tensor places, labels;
};

std::span<float> floats(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

int main(int argc, char** argv) try {
  if (argc != 3) throw ConfigError("usage: train_together KEY ROSTER");
  const std::unique_ptr<net::Mesh> mesh = net::join_mesh(argv[1], argv[2]);
  using namespace torch::nn;
  torch::manual_seed(1);  // the same first weights at every rank
  Sequential model(Linear(2, 32), ReLU(), Linear(32, 32), ReLU(), Linear(32, 2));
  torch::optim::SGD optimiser(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));

  std::vector<torch::Tensor> parameters = model->parameters();
  std::reverse(parameters.begin(), parameters.end());  // the backward pass finishes the last layer first
  std::vector<std::int64_t> sizes;
  for (const torch::Tensor& parameter : parameters) sizes.push_back(parameter.numel());
  net::GradientSum sum(*mesh, sizes, {.way = net::SyncWay::kBuckets, .bucket_bytes = 2048});
  for (std::size_t p = 0; p < parameters.size(); ++p) {  // full buckets leave while the backward pass goes on
    parameters[p].register_hook(
        [&sum, p](const torch::Tensor& gradient) { sum.ready(p, floats(gradient.contiguous())); });
  }

  torch::manual_seed(100 + mesh->rank());  // every rank has data of its own
  const Points own(1000);
  for (int step = 0; step < 300; ++step) {
    const torch::Tensor batch = torch::randint(1000, {64}, torch::kLong);
    optimiser.zero_grad();
    const torch::Tensor out = model->forward(own.places.index_select(0, batch));
    torch::nn::functional::cross_entropy(out, own.labels.index_select(0, batch)).backward();
    sum.finish();
    for (std::size_t p = 0; p < parameters.size(); ++p) sum.mean(p, floats(parameters[p].mutable_grad()));
    optimiser.step();
  }
  mesh->close();

  torch::manual_seed(7);
  const Points test(2000);
  const torch::Tensor right = model->forward(test.places).argmax(1).eq(test.labels);
  double weights = 0;  // equal at all ranks, to the last digit
  for (const torch::Tensor& parameter : parameters) weights += parameter.abs().sum().item<double>();
  std::printf("accuracy %.3f, sum of weights %.17g\n", right.to(torch::kFloat).mean().item<double>(), weights);
  return 0;
} catch (const std::exception& error) {
  return report_and_exit_code(error, "train_together");
}
