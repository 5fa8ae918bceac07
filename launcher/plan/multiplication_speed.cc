#include "launcher/plan/multiplication_speed.h"

#include <algorithm>
#include <chrono>

#include "mpc/kernels/matmul.h"

namespace tacit::launcher {

double multiplication_speed(int threads) {
  constexpr std::int64_t kSide = 192;
  constexpr int kRuns = 5;
  mpc::Workers workers(threads);
  const mpc::RingTensor a = mpc::RingTensor::zeros({kSide, kSide}, mpc::kWordBits);
  mpc::RingTensor out({kSide, kSide}, mpc::kWordBits);
  double least = 1;
  for (int run = 0; run < kRuns; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    mpc::matmul(a.view(), a.view(), mpc::Into::kSet, out, workers);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return static_cast<double>(kSide * kSide * kSide) / least;
}

}  // namespace tacit::launcher
