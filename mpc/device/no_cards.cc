// A build without CUDA.
#include "mpc/device/cards.h"
#include "net/error.h"

namespace tacit::mpc::device {

Cards find_cards() { return {0, "this build has no kernels for a GPU: no nvcc was found when it was configured"}; }

std::unique_ptr<Device> open_card(int number) {
  throw ConfigError("there is no device cuda:" + std::to_string(number) + ": " + find_cards().why_none);
}

}  // namespace tacit::mpc::device
