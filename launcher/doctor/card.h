// The doctor's look at this machine's card (GPU): whether a rank would use it, whether it multiplies rightly, and how fast.
#pragma once

#include "launcher/doctor/finding.h"
#include "launcher/run/rank_device.h"

namespace tacit::launcher {

// What a card was measured to do.
struct CardSpeed {
  double multiplications = 0;  // multiply-adds a second, modulo 2^64
  double put = 0, got = 0;     // bytes a second, to the card and from it
};

// Compares products of the device with the processor's (ConfigError if they differ), then multiplies matrices of
// `side` x `side`.
CardSpeed measure_card(mpc::device::Device& device, std::int64_t side);

// `place`: as for RankDevice.
Finding examine_card(const Sourced<DeviceChoice>& choice, int place, const CardSource& cards = {});

}  // namespace tacit::launcher
