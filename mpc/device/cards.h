// The cards (GPUs) of this machine that a rank can choose by --device cuda:N.
#pragma once

#include <memory>
#include <string>

#include "mpc/device/device.h"

namespace tacit::mpc::device {

struct Cards {
  int count = 0;
  std::string why_none;  // if count is 0: part of a sentence, such as "this machine has no NVIDIA driver"
};

Cards find_cards();

// Throws ConfigError, in one sentence, if this build or this machine has no such card, or the card is too old.
std::unique_ptr<Device> open_card(int number);

}  // namespace tacit::mpc::device
