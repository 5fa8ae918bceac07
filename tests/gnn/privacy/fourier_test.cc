#include "gnn/privacy/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tacit::gnn {
namespace {

// Against an exact transform in long double, at a few frequencies.
TEST(Fourier, HasNoLargerErrorsThanStated) {
  std::mt19937 random(5);
  for (const std::size_t size : {std::size_t{8}, std::size_t{1} << 13, std::size_t{1} << 18}) {
    std::vector<double> values(size);
    double all = 0;
    for (double& value : values) all += value = std::pow(std::uniform_real_distribution<double>()(random), 9);
    for (double& value : values) value /= all;
    Fourier transform(size);
    const std::vector<std::complex<double>> spectrum = transform.spectrum(values);
    ASSERT_EQ(spectrum.size(), size / 2 + 1);
    for (const std::size_t k : {std::size_t{1}, size / 3, size / 2 - 1}) {
      std::complex<long double> exact = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const long double turn = static_cast<long double>(i * k % size) / static_cast<long double>(size);
        exact += static_cast<long double>(values[i]) * std::polar(1.0L, -2 * 3.14159265358979323846264338328L * turn);
      }
      const auto error = static_cast<double>(std::abs(exact - std::complex<long double>(spectrum[k])));
      EXPECT_LE(error, Fourier::rounding(size)) << size << " " << k;
    }
    const std::vector<double> back = transform.values(spectrum);
    ASSERT_EQ(back.size(), size);
    double errors = 0;
    for (std::size_t i = 0; i < size; ++i) errors += std::abs(back[i] - values[i]);
    EXPECT_LE(errors, 2 * Fourier::rounding(size) * std::sqrt(static_cast<double>(size)));
  }
}

}  // namespace
}  // namespace tacit::gnn
