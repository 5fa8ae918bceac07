#include "launcher/doctor/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <vector>

#include "launcher/unit_text.h"
#include "mpc/device/placed_words.h"
#include "mpc/session/matrix_products.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

using Kind = Finding::Kind;
using mpc::device::Device;
using mpc::device::DeviceView;
using mpc::device::PlacedWords;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t kSide = 4096;
constexpr int kRuns = 3;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The driver's version as the kernel module states it: "580.65.06". "" if it does not.
std::string driver_version() {
  std::ifstream in("/proc/driver/nvidia/version");
  for (std::string word; in >> word;) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return "";
}

Finding about_speed(Device& device, std::int64_t side) {
  const CardSpeed speed = measure_card(device, side);
  const std::string driver = driver_version();
  return {Kind::kOk, "GPU",
          fmt::format(
              "{}{}, {} free: products checked, {:.3g} G multiply-adds/s; {}/s to it, {}/s from it; masks are drawn "
              "on the processor",
              device.about(), driver.empty() ? "" : ", driver " + driver, mpc::device::gigabytes(device.memory().free),
              speed.multiplications / 1e9, bytes_text(speed.put), bytes_text(speed.got))};
}

}  // namespace

CardSpeed measure_card(Device& device, std::int64_t side) {
  mpc::Workers workers;
  const mpc::MatrixProducts checked(workers, &device);
  const std::vector<std::uint64_t> words(static_cast<std::size_t>(side * side), 0x0123456789ABCDEF);
  std::vector<std::uint64_t> back(words.size());
  const PlacedWords a(device, side * side), out(device, side * side);
  const DeviceView view{a.words(), side, side, side, 1};
  const double bytes = static_cast<double>(words.size() * sizeof words.front());
  CardSpeed best;
  for (int run = 0; run < kRuns; ++run) {
    Clock::time_point begin = Clock::now();
    device.put(words, a.words());
    device.get(a.words(), std::span(back).first(1));  // waits
    best.put = std::max(best.put, bytes / seconds_since(begin));
    begin = Clock::now();
    device.matmul(view, view, mpc::Into::kSet, out.words(), mpc::kWordBits);
    device.get(out.words(), std::span(back).first(1));
    best.multiplications =
        std::max(best.multiplications, static_cast<double>(side * side * side) / seconds_since(begin));
    begin = Clock::now();
    device.get(out.words(), back);
    best.got = std::max(best.got, bytes / seconds_since(begin));
  }
  return best;
}

Finding examine_card(const Sourced<DeviceChoice>& choice, int place, const CardSource& cards) {
  const mpc::device::Cards found = cards.find();
  const bool needed = choice.value.kind == DeviceChoice::Kind::kCuda;
  if (!needed && found.count == 0) return {Kind::kOk, "GPU", fmt::format("none is used: {}", found.why_none)};
  if (choice.value.kind == DeviceChoice::Kind::kNone) {
    return {Kind::kOk, "GPU",
            fmt::format("none is used: {} none is the default; with {} auto, large jobs take one of this machine's {}",
                        kDeviceFlag, kDeviceFlag, found.count)};
  }
  try {
    RankDevice device({{DeviceChoice::Kind::kCuda, choice.value.card}, choice.source}, place, cards);
    return about_speed(*device.get(), kSide);
  } catch (const ConfigError& error) {
    return {needed ? Kind::kWrong : Kind::kNote, "GPU", error.what()};
  }
}

}  // namespace tacit::launcher
