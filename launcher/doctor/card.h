// Examines this machine's card (GPU) for the doctor: would a rank use it, are its products right, and how fast are
// they?
#pragma once

#include "launcher/doctor/finding.h"
#include "launcher/run/rank_device.h"

namespace tacit::launcher {

// The measured speed of a card.
struct CardSpeed {
  double multiplications = 0;  // multiply-adds a second, modulo 2^64
  double put = 0, got = 0;     // bytes a second, to the card and from it
};

// Compares products of the device with the processor's (ConfigError if they differ), then multiplies matrices of
// `side` x `side`.
CardSpeed measure_card(mpc::device::Device& device, std::int64_t side);

// `place`: the rank's place among the ranks of this machine, as for RankDevice.
Finding examine_card(const Sourced<DeviceChoice>& choice, int place, const CardSource& cards = {});

}  // namespace tacit::launcher
