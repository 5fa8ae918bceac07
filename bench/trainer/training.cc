#include "bench/trainer/training.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "bench/data/picture_batches.h"
#include "bench/trainer/diverged.h"
#include "bench/trainer/gradient_exchange.h"
#include "bench/trainer/vgg11.h"
#include "net/error.h"
#include "net/synchronise/gradient_code.h"

namespace tacit::bench {

namespace {

constexpr std::int64_t kTestBatchSize = 250;

double seconds_since(net::Clock::time_point begin) {
  return std::chrono::duration<double>(net::Clock::now() - begin).count();
}
double seconds_of(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

// Pictures as the network takes them.
struct Loaded {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;

  void resize(std::size_t count) {
    pixels.resize(count * static_cast<std::size_t>(gnn::kPictureBytes));
    labels.resize(count);
  }
  std::span<float> pixels_of(std::size_t i) {
    return std::span(pixels).subspan(i * static_cast<std::size_t>(gnn::kPictureBytes), gnn::kPictureBytes);
  }
};

std::string digest_of(const Vgg11& network) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  TACIT_CHECK(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  for (const Vgg11::Parameter& parameter : network.parameters()) {
    TACIT_CHECK(EVP_DigestUpdate(context.get(), parameter.weights.data(), parameter.weights.size_bytes()) == 1);
  }
  TACIT_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1);
  std::string text;
  for (const unsigned char byte : std::span(digest).first(size)) text += fmt::format("{:02x}", byte);
  return text;
}

class Training {
 public:
  Training(const TrainerOptions& options, const gnn::PictureSets& pictures, net::Mesh* mesh,
           const std::function<void(const std::string&)>& say)
      : options_(options),
        pictures_(pictures),
        mesh_(mesh),
        say_(say),
        parts_(mesh != nullptr ? mesh->parties() : static_cast<int>(options.micro_batches)),
        batches_({.pictures = pictures.train.count(), .batch = part_size(), .ranks = parts_, .seed = options.seed}),
        network_({.batch_norm = options.batch_norm, .seed = options.seed, .threads = options.threads}) {
    report_.rank = mesh != nullptr ? mesh->rank() : 0;
    report_.ranks = mesh != nullptr ? mesh->parties() : 1;
    report_.parameters = network_.parameter_count();
    ParameterList list;
    for (const Vgg11::Parameter& parameter : network_.parameters()) {
      list.sizes.push_back(std::ssize(parameter.weights));
      list.names.push_back(parameter.name);
      momenta_.emplace_back(parameter.weights.size());
    }
    exchange_ = mesh != nullptr ? over_mesh(*mesh, options, list) : alone(options, list);
  }

  TrainerReport run() {
    before_ = gnn::usage_so_far();
    const std::int64_t all = options_.epochs * batches_.steps();
    const std::int64_t most = options_.iterations > 0 ? std::min(options_.iterations, all) : all;
    for (std::int64_t epoch = 0; done_ < most; ++epoch) {
      const std::int64_t steps = std::min(batches_.steps(), most - done_);
      batches_.begin_epoch(epoch);
      exchange_->begin_epoch(steps);
      double loss = 0;
      for (std::int64_t step = 0; step < steps; ++step) loss += iterate(epoch, step);
      if (exchange_->end_epoch()) change_weights();
      end_epoch(epoch + 1, loss / static_cast<double>(steps));
    }
    report_.usage = gnn::usage_so_far() - before_;
    report_.oldest_step = exchange_->oldest_step();
    report_.digest = digest_of(network_);
    if (mesh_ != nullptr) report_.traffic = mesh_->traffic().total();
    return std::move(report_);
  }

 private:
  // `single` divides its batch into parts.
  std::int64_t part_size() const {
    if (mesh_ != nullptr) return options_.batch;
    if (options_.batch % parts_ != 0) {
      throw ConfigError(
          fmt::format("--batch {} cannot be divided into {} --micro-batches of the same size", options_.batch, parts_));
    }
    return options_.batch / parts_;
  }

  double iterate(std::int64_t epoch, std::int64_t step) {
    if (mesh_ != nullptr) mesh_->set_step(fmt::format("epoch {}, iteration {}", epoch + 1, done_ + 1));
    const auto begin = net::Clock::now();
    double loss = 0;
    if (mesh_ != nullptr) {
      loss = backward(epoch, batches_.of(step, mesh_->rank()), true);
    } else {
      // Only the first part makes the statistics for tests, as rank 0 does in a training of several ranks.
      for (int part = 0; part < parts_; ++part) loss += backward(epoch, batches_.of(step, part), part == 0) / parts_;
    }
    const auto computed = net::Clock::now();
    exchange_->finish();
    const double finishing = seconds_since(computed);
    change_weights();
    const net::SyncTimes times = exchange_->times();
    TrainerReport::Iteration& iteration = report_.iterations.emplace_back();
    iteration.seconds = seconds_since(begin);
    iteration.waiting = options_.way == kAsync ? seconds_of(times.waiting) : finishing;
    iteration.computing = iteration.seconds - iteration.waiting;
    iteration.hidden = seconds_of(times.hidden);
    iteration.communicating = seconds_of(times.communicating);
    ++done_;
    note_loss(loss);
    return loss;
  }

  double backward(std::int64_t epoch, std::span<const std::int64_t> part, bool keeps_statistics) {
    loaded_.resize(part.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      gnn::write_pixels(pictures_.train.pixels(part[i]), gnn::augmentation_of(options_.seed, epoch, part[i]),
                        loaded_.pixels_of(i));
      loaded_.labels[i] = pictures_.train.label(part[i]);
    }
    return network_.backward(
        {loaded_.pixels, loaded_.labels}, keeps_statistics,
        [this](std::size_t parameter, std::span<const float> gradient) { give(parameter, gradient); });
  }

  void give(std::size_t parameter, std::span<const float> gradient) {
    try {
      exchange_->ready(parameter, gradient);
    } catch (const ConfigError& error) {
      // A peer may have reported this error. It then says nothing about the gradient here, so check the gradient.
      const float most = net::GradientCode(parts_, options_.fraction_bits).largest();
      const auto fits = [most](float one) { return std::abs(one) <= most; };
      if (std::all_of(gradient.begin(), gradient.end(), fits)) throw;
      end_diverged(done_ + 1, error);
    }
  }

  [[noreturn]] void end_diverged(std::int64_t iteration, const ConfigError& why) {
    report_.usage = gnn::usage_so_far() - before_;
    report_.digest = digest_of(network_);
    report_.diverged = iteration;
    throw Diverged(why, std::move(report_));
  }

  void change_weights() {
    const auto rate = static_cast<float>(options_.rate), momentum = static_cast<float>(options_.momentum),
               decay = static_cast<float>(options_.weight_decay);
    for (std::size_t i = 0; i < momenta_.size(); ++i) {
      const std::span<float> weights = network_.parameters()[i].weights;
      std::vector<float>& velocity = momenta_[i];
      gradient_.resize(weights.size());
      exchange_->gradient(i, gradient_);
      for (std::size_t k = 0; k < weights.size(); ++k) {
        velocity[k] = momentum * velocity[k] + (gradient_[k] + decay * weights[k]);
        weights[k] -= rate * velocity[k];
      }
    }
  }

  void note_loss(double loss) {
    if (!std::isfinite(loss)) {
      end_diverged(done_,
                   ConfigError(fmt::format("the loss is not finite in iteration {}: the training diverges; try a "
                                           "smaller --rate (without --batch-norm, 0.02) or --batch-norm",
                                           done_)));
    }
    last_losses_ += loss;
    if (done_ % kLossEvery != 0) return;
    report_.losses.push_back({done_, last_losses_ / kLossEvery});
    last_losses_ = 0;
    say_(fmt::format("iteration {}: loss {:.4f}, {:.2f} s an iteration", done_, report_.losses.back().loss,
                     report_.iterations.back().seconds));
  }

  void end_epoch(std::int64_t epoch, double train_loss) {
    TrainerReport::Epoch& ended = report_.epochs.emplace_back();
    ended.epoch = epoch;
    ended.train_loss = train_loss;
    if (report_.rank != 0) return;
    const gnn::Pictures& test = pictures_.test;
    for (std::int64_t begin = 0; begin < test.count(); begin += kTestBatchSize) {
      const std::int64_t count = std::min(kTestBatchSize, test.count() - begin);
      loaded_.resize(static_cast<std::size_t>(count));
      for (std::int64_t i = 0; i < count; ++i) {
        gnn::write_pixels(test.pixels(begin + i), {}, loaded_.pixels_of(static_cast<std::size_t>(i)));
        loaded_.labels[static_cast<std::size_t>(i)] = test.label(begin + i);
      }
      const Vgg11::Tested part = network_.test({loaded_.pixels, loaded_.labels});
      ended.test_loss += part.loss / static_cast<double>(test.count());
      ended.correct += part.correct;
    }
    ended.tested = test.count();
    say_(fmt::format("epoch {}: training loss {:.4f}, test loss {:.4f}, {} of {} right", epoch, train_loss,
                     ended.test_loss, ended.correct, ended.tested));
  }

  const TrainerOptions& options_;
  const gnn::PictureSets& pictures_;
  net::Mesh* mesh_;
  const std::function<void(const std::string&)>& say_;
  int parts_;  // ranks, or parts of the batch of one process
  gnn::PictureBatches batches_;
  Vgg11 network_;
  std::unique_ptr<GradientExchange> exchange_;
  std::vector<std::vector<float>> momenta_;
  std::vector<float> gradient_;
  Loaded loaded_;
  std::int64_t done_ = 0;  // iterations
  double last_losses_ = 0;
  gnn::Usage before_;
  TrainerReport report_;
};

}  // namespace

TrainerReport train(const TrainerOptions& options, const gnn::PictureSets& pictures, net::Mesh* mesh,
                    const std::function<void(const std::string&)>& say) {
  return Training(options, pictures, mesh, say).run();
}

}  // namespace tacit::bench
