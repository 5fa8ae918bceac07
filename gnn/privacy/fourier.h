// The discrete Fourier transform of real numbers, with a bound of its rounding errors.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace tacit::gnn {

class Fourier {
 public:
  explicit Fourier(std::size_t size);  // a power of two
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;
  ~Fourier();

  std::vector<std::complex<double>> spectrum(const std::vector<double>& values);  // size / 2 + 1 numbers
  std::vector<double> values(const std::vector<std::complex<double>>& spectrum);  // the inverse

  // The largest error of an output, divided by the sum of the absolute inputs. On its way to an output, an input takes part
  // in log2(size) products and sums, and each operation rounds.
  static double rounding(std::size_t size);

 private:
  struct Plan;

  std::size_t size_;
  std::unique_ptr<Plan> plan_;
};

}  // namespace tacit::gnn
