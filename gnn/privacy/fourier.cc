#include "gnn/privacy/fourier.h"

#include <cmath>
#include <unsupported/Eigen/FFT>

namespace tacit::gnn {

struct Fourier::Plan {
  Eigen::FFT<double> transform;
};

Fourier::Fourier(std::size_t size) : size_(size), plan_(std::make_unique<Plan>()) {
  plan_->transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
}

Fourier::~Fourier() = default;

std::vector<std::complex<double>> Fourier::spectrum(const std::vector<double>& values) {
  std::vector<std::complex<double>> spectrum;
  plan_->transform.fwd(spectrum, values);
  return spectrum;
}

std::vector<double> Fourier::values(const std::vector<std::complex<double>>& spectrum) {
  std::vector<double> values;
  plan_->transform.inv(values, spectrum, static_cast<Eigen::Index>(size_));
  return values;
}

// A butterfly of two levels has a product with a rounded factor, and three sums: less than 8 * 2^-53 for a level.
double Fourier::rounding(std::size_t size) { return (8 * std::log2(static_cast<double>(size)) + 16) * 0x1p-53; }

}  // namespace tacit::gnn
