#include "bench/baselines/hyper_parameters.h"

#include <fmt/format.h>

#include <cmath>

namespace tacit::gnn {

namespace {

struct Range {
  double least, most;
};

// For standardised data. The noise is at least 1/30,000 of the signal, so that covariances of thousands of nodes can
// be factorised.
constexpr Range kLength{0.02, 1000}, kSignal{0.01, 30}, kNoise{1e-3, 10};

std::string two_digits(double value) { return fmt::format(fmt::runtime(value < 100 ? "{:.2g}" : "{:.0f}"), value); }

}  // namespace

HyperParameters HyperParameterSpace::at(const Eigen::VectorXd& logs) const {
  const Eigen::Index count = lengths();
  const Eigen::VectorXd values = logs.array().exp();
  HyperParameters parameters;
  if (lengths_ == LengthScales::kPerFeature) {
    parameters.kernel.lengths = values.head(count);
  } else {
    parameters.kernel.lengths = Eigen::VectorXd::Constant(features_, values(0));
  }
  parameters.kernel.signal = values(count);
  parameters.noise = values(count + 1);
  return parameters;
}

Evaluation HyperParameterSpace::evaluation(const Likelihood& likelihood) const {
  const Eigen::Index count = lengths();
  Evaluation result{likelihood.value, Eigen::VectorXd(count + 2)};
  if (lengths_ == LengthScales::kPerFeature) {
    result.slope.head(count) = likelihood.kernel.lengths;
  } else {
    result.slope(0) = likelihood.kernel.lengths.sum();
  }
  result.slope.tail(2) << likelihood.kernel.signal, likelihood.noise;
  return result;
}

Box HyperParameterSpace::box() const {
  const Eigen::Index count = lengths();
  Box box{Eigen::VectorXd(count + 2), Eigen::VectorXd(count + 2)};
  const auto set = [&box](Eigen::Index at, Eigen::Index size, Range range) {
    box.low.segment(at, size).setConstant(std::log(range.least));
    box.high.segment(at, size).setConstant(std::log(range.most));
  };
  set(0, count, kLength);
  set(count, 1, kSignal);
  set(count + 1, 1, kNoise);
  return box;
}

// Standardised points are about sqrt(2 F) apart. The starts combine a smooth and a winding function with little and
// much noise.
std::vector<Eigen::VectorXd> HyperParameterSpace::starts() const {
  std::vector<Eigen::VectorXd> starts;
  const Eigen::Index count = lengths();
  for (const double length : {1.0, 3.0}) {
    for (const double noise : {0.1, 0.5}) {
      Eigen::VectorXd logs(count + 2);
      logs.head(count).setConstant(std::log(length * std::sqrt(static_cast<double>(features_))));
      logs.tail(2) << 0, std::log(noise);
      starts.push_back(std::move(logs));
    }
  }
  return starts;
}

std::string description(const HyperParameters& parameters, double unit) {
  const Eigen::VectorXd& lengths = parameters.kernel.lengths;
  const double least = lengths.minCoeff(), most = lengths.maxCoeff();
  const std::string scales = least == most
                                 ? fmt::format("length scale {}", two_digits(least))
                                 : fmt::format("length scales {} ... {}", two_digits(least), two_digits(most));
  return fmt::format("{} deviations, signal {}, noise {}", scales, two_digits(parameters.kernel.signal * unit),
                     two_digits(parameters.noise * unit));
}

}  // namespace tacit::gnn
