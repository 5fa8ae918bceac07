#include "bench/trainer/gradient_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "mpc/random/pairwise_masking.h"
#include "net/error.h"
#include "net/synchronise/gradient_code.h"
#include "net/synchronise/late_gradients.h"

namespace tacit::bench {

namespace {

using Floats = std::vector<std::vector<float>>;

Floats floats_of(const ParameterList& parameters) {
  Floats all;
  for (const std::int64_t size : parameters.sizes) all.emplace_back(static_cast<std::size_t>(size));
  return all;
}

// Plain gradients of one batch in one process.
class Plain : public GradientExchange {
 public:
  explicit Plain(const ParameterList& parameters) : gradients_(floats_of(parameters)) {}

  void ready(std::size_t parameter, std::span<const float> gradient) override {
    std::copy(gradient.begin(), gradient.end(), gradients_[parameter].begin());
  }
  void finish() override {}
  void gradient(std::size_t parameter, std::span<float> out) const override {
    std::copy(gradients_[parameter].begin(), gradients_[parameter].end(), out.begin());
  }

 private:
  Floats gradients_;
};

// The parts of a batch, one after the other in one process.
class Parts : public GradientExchange {
 public:
  Parts(const TrainerOptions& options, const ParameterList& parameters)
      : names_(parameters.names), code_(options.micro_batches, options.fraction_bits) {
    for (const std::int64_t size : parameters.sizes) {
      sums_.emplace_back(static_cast<std::size_t>(size) * net::GradientCode::kBytes);
    }
    taken_.resize(sums_.size());
  }

  void ready(std::size_t parameter, std::span<const float> gradient) override {
    const bool first = taken_[parameter]++ % code_.contributions() == 0;
    const auto misfit = first ? code_.encode(gradient, sums_[parameter]) : code_.add(gradient, sums_[parameter]);
    if (!misfit) return;
    throw ConfigError(
        fmt::format("the gradient of {} is {}, beyond the {} that fixed point holds here: the training "
                    "diverges, or needs fewer --fraction-bits; a smaller --rate helps against the first",
                    names_[parameter], gradient[*misfit], code_.largest()));
  }
  void finish() override {}
  void gradient(std::size_t parameter, std::span<float> out) const override { code_.mean(sums_[parameter], out); }

 private:
  std::vector<std::string> names_;
  net::GradientCode code_;
  std::vector<std::vector<std::byte>> sums_;
  std::vector<std::int64_t> taken_;  // parts, by parameter
};

// All ranks' mean, in one of the synchronous ways.
class Summed : public GradientExchange {
 public:
  Summed(net::Mesh& mesh, const TrainerOptions& options, const ParameterList& parameters)
      : sum_(mesh, parameters.sizes, settings(options, parameters),
             options.way == name(net::SyncWay::kSecureSum) ? mpc::pairwise_masking(mesh) : nullptr) {}

  void ready(std::size_t parameter, std::span<const float> gradient) override { sum_.ready(parameter, gradient); }
  void finish() override { sum_.finish(); }
  void gradient(std::size_t parameter, std::span<float> out) const override { sum_.mean(parameter, out); }
  net::SyncTimes times() const override { return sum_.times(); }

 private:
  static net::SyncSettings settings(const TrainerOptions& options, const ParameterList& parameters) {
    net::SyncSettings made;
    made.way = net::parse_sync_way(options.way);
    made.bucket_bytes = options.bucket_bytes;
    made.fraction_bits = options.fraction_bits;
    made.names = parameters.names;
    return made;
  }

  net::GradientSum sum_;
};

// In each step a rank applies its own gradient and all gradients of peers that have arrived since its last step, each
// divided by the number of ranks: over a whole epoch the same gradients have the same weight as in a synchronous way.
class Late : public GradientExchange {
 public:
  Late(net::Mesh& mesh, const TrainerOptions& options, const ParameterList& parameters)
      : late_(mesh, parameters.sizes, {.staleness = options.staleness, .names = parameters.names}),
        share_(1 / static_cast<float>(mesh.parties())),
        own_(floats_of(parameters)),
        sums_(own_) {
    for (const auto& gradient : own_) views_.emplace_back(gradient);
  }

  void begin_epoch(std::int64_t steps) override { late_.begin(steps); }
  void ready(std::size_t parameter, std::span<const float> gradient) override {
    std::copy(gradient.begin(), gradient.end(), own_[parameter].begin());
  }
  void finish() override {
    const auto waited = late_.waited();
    sums_ = own_;
    late_.send(views_);
    late_.receive([this](const net::ArrivedGradient& arrived) { add(arrived); });
    times_.waiting = late_.waited() - waited;
  }
  void gradient(std::size_t parameter, std::span<float> out) const override {
    std::transform(sums_[parameter].begin(), sums_[parameter].end(), out.begin(),
                   [share = share_](float sum) { return sum * share; });
  }
  bool end_epoch() override {
    for (auto& sum : sums_) std::fill(sum.begin(), sum.end(), 0.0F);
    bool any = false;
    late_.drain([&](const net::ArrivedGradient& arrived) {
      add(arrived);
      any = true;
    });
    return any;
  }
  net::SyncTimes times() const override { return times_; }
  std::int64_t oldest_step() const override { return late_.oldest(); }

 private:
  void add(const net::ArrivedGradient& arrived) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      std::transform(sums_[i].begin(), sums_[i].end(), arrived.gradients[i].begin(), sums_[i].begin(), std::plus<>());
    }
  }

  net::LateGradients late_;
  float share_;
  Floats own_, sums_;
  std::vector<std::span<const float>> views_;  // views of own_
  net::SyncTimes times_;
};

}  // namespace

std::unique_ptr<GradientExchange> alone(const TrainerOptions& options, const ParameterList& parameters) {
  if (options.micro_batches == 1) return std::make_unique<Plain>(parameters);
  return std::make_unique<Parts>(options, parameters);
}

std::unique_ptr<GradientExchange> over_mesh(net::Mesh& mesh, const TrainerOptions& options,
                                            const ParameterList& parameters) {
  if (options.way == kAsync) return std::make_unique<Late>(mesh, options, parameters);
  return std::make_unique<Summed>(mesh, options, parameters);
}

}  // namespace tacit::bench
