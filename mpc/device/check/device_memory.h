// DeviceMemory — words on the device, for gpu_check. An error of CUDA ends the program with a sentence and exit code 3.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

inline void must(int status, const char* what) {
  if (status == 0) return;
  std::printf("gpu_check: %s failed: %s\n", what, cudaGetErrorString(static_cast<cudaError_t>(status)));
  std::exit(3);
}

// Waits for all kernels.
inline void settle() {
  must(cudaGetLastError(), "the launch of a kernel");
  must(cudaDeviceSynchronize(), "a kernel");
}

class DeviceMemory {
 public:
  explicit DeviceMemory(std::int64_t count) : count_(count) {
    must(cudaMalloc(&words_, static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * 8),
         "the allocation of memory");
  }
  explicit DeviceMemory(const std::vector<Word>& from) : DeviceMemory(std::ssize(from)) {
    must(cudaMemcpy(words_, from.data(), from.size() * 8, cudaMemcpyHostToDevice), "the copy to the device");
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { cudaFree(words_); }

  Word* words() const { return words_; }
  std::int64_t count() const { return count_; }
  std::vector<Word> read() const {
    std::vector<Word> to(static_cast<std::size_t>(count_));
    must(cudaMemcpy(to.data(), words_, to.size() * 8, cudaMemcpyDeviceToHost), "the copy from the device");
    return to;
  }

 private:
  Word* words_ = nullptr;
  std::int64_t count_;
};

// The card that is checked: device 0.
struct Card {
  int processors = 0;
  bool hopper = false;  // has the instructions of product_by_warpgroups
};

inline Card card() {
  cudaDeviceProp about{};
  must(cudaGetDeviceProperties(&about, 0), "the question for the device's properties");
  return {about.multiProcessorCount, about.major == 9 && about.minor == 0};
}

}  // namespace tacit::mpc::device
