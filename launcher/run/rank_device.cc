#include "launcher/run/rank_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/error.h"

namespace tacit::launcher {

namespace {

using Kind = DeviceChoice::Kind;
using mpc::device::gigabytes;

std::string lack_of_room(const mpc::device::Device& device, std::int64_t needed, std::int64_t free) {
  return fmt::format("this rank may need {} on {}, and {} are free there", gigabytes(needed), device.about(),
                     gigabytes(free));
}

// "--device cuda:1", "TACIT_DEVICE=cuda:1"
std::string as_said(const Sourced<DeviceChoice>& choice) {
  const bool variable = choice.source.kind == Source::Kind::kEnvironment;
  return fmt::format("{}{}", variable ? fmt::format("{}=", kDeviceVariable) : fmt::format("{} ", kDeviceFlag),
                     choice.value.text());
}

}  // namespace

RankDevice::RankDevice(const Sourced<DeviceChoice>& choice, int place, CardSource cards)
    : choice_(choice.value), place_(place), cards_(std::move(cards)) {
  if (choice_.kind != Kind::kCuda) return;
  try {
    device_ = cards_.open(number());
  } catch (const ConfigError& error) {
    throw ConfigError(
        fmt::format("{}: {}; {} none multiplies on the processor", as_said(choice), error.what(), kDeviceFlag));
  }
}

int RankDevice::number() const { return choice_.card.value_or(place_ % std::max(1, cards_.find().count)); }

std::string RankDevice::decide(std::int64_t multiplications, const MemoryNeed::OnDevice& need) {
  if (choice_.kind == Kind::kNone) return "";
  if (choice_.kind == Kind::kAuto) return chosen_itself(multiplications, need.most);
  const std::int64_t free = device_->memory().free;
  if (need.stays > free) {
    throw ConfigError(fmt::format("{}: take {} none, another card, or a smaller training.batch",
                                  lack_of_room(*device_, need.stays, free), kDeviceFlag));
  }
  return fmt::format("multiplies large matrices on {}", device_->about());
}

std::string RankDevice::chosen_itself(std::int64_t multiplications, std::int64_t most) {
  if (multiplications < kWorthACard) return "";
  const auto instead = [](const std::string& why) { return fmt::format("multiplies on the processor: {}", why); };
  const mpc::device::Cards found = cards_.find();
  if (found.count == 0) return instead(found.why_none);
  try {
    device_ = cards_.open(number());
  } catch (const ConfigError& error) {
    return instead(error.what());
  }
  const std::int64_t free = device_->memory().free;
  if (most <= free) return fmt::format("multiplies large matrices on {}", device_->about());
  const std::string why = lack_of_room(*device_, most, free);
  device_.reset();
  return instead(why);
}

}  // namespace tacit::launcher
