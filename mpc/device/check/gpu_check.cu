// gpu_check check | small | time [JSON [COMMIT]] — compares every kernel, and the Device of a session, with the
// definitions on the first GPU, or times the kernels. `small` has few shapes, for compute-sanitizer. Exit code 0: all
// right; 1: wrong results; 2: no GPU that it can use, or bad arguments; 3: an error of CUDA.
#include <cstdio>
#include <exception>
#include <string>

#include "mpc/device/check/device_memory.h"
#include "mpc/device/check/findings.h"
#include "mpc/device/check/time_kernels.h"

int main(int argc, char** argv) {
  using namespace tacit::mpc::device;
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::string what = argc > 1 ? argv[1] : "check";
  if (what != "check" && what != "small" && what != "time") {
    std::printf("gpu_check: no work is named %s; choose check, small or time\n", what.c_str());
    return 2;
  }
  int cards = 0;
  const cudaError_t found = cudaGetDeviceCount(&cards);
  if (found != cudaSuccess || cards == 0) {
    std::printf("gpu_check: no GPU is ready: %s\n",
                found != cudaSuccess ? cudaGetErrorString(found) : "none was found");
    return 2;
  }
  if (what == "time") {
    time_kernels(argc > 2 ? argv[2] : "", "gpu_check time", argc > 3 ? argv[3] : "unknown");
    return 0;
  }
  Findings findings;
  check_products(findings, what == "small");
  check_words(findings);
  try {
    check_device(findings);
  } catch (const std::exception& error) {
    std::printf("gpu_check: the device failed: %s\n", error.what());
    return 3;
  }
  return findings.wrong() == 0 ? 0 : 1;
}
