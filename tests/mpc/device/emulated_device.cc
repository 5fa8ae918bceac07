#include "tests/mpc/device/emulated_device.h"

#include <algorithm>
#include <array>

#include "mpc/device/ring_product.h"
#include "net/error.h"

namespace tacit::mpc::device {

namespace {

constexpr std::int64_t kWordBytes = 8;
constexpr int kProcessors = 2;
constexpr std::uint64_t kPoison = 0xA5A5A5A5A5A5A5A5;  // a result that depends on memory that nobody wrote is wrong

}  // namespace

EmulatedDevice::~EmulatedDevice() { TACIT_CHECK(held_.empty()); }

std::uint64_t* EmulatedDevice::allocate(std::int64_t words) {
  if (words * kWordBytes > bytes_ - used_) {
    throw ConfigError(full_memory(about(), words * kWordBytes, bytes_ - used_));
  }
  auto made = std::make_unique<std::uint64_t[]>(static_cast<std::size_t>(std::max<std::int64_t>(words, 1)));
  std::fill_n(made.get(), words, kPoison);
  std::uint64_t* const begin = made.get();
  held_.emplace(begin, std::pair(std::move(made), words));
  used_ += words * kWordBytes;
  return begin;
}

void EmulatedDevice::release(std::uint64_t* words) noexcept {
  const auto held = held_.find(words);
  TACIT_CHECK(held != held_.end());
  const std::int64_t count = held->second.second;
  TACIT_CHECK(std::all_of(words, words + count, [](std::uint64_t word) { return word == 0; }));
  held_.erase(held);
  used_ -= count * kWordBytes;
}

void EmulatedDevice::clear(std::uint64_t* words, std::int64_t count) noexcept {
  expect_here(words, count);
  std::fill_n(words, count, 0);
}

void EmulatedDevice::put(std::span<const std::uint64_t> from, std::uint64_t* to) {
  expect_here(to, std::ssize(from));
  std::copy(from.begin(), from.end(), to);
  counts_.words_put += std::ssize(from);
}

void EmulatedDevice::get(const std::uint64_t* from, std::span<std::uint64_t> to) {
  expect_here(from, std::ssize(to));
  std::copy_n(from, to.size(), to.begin());
  counts_.words_got += std::ssize(to);
}

// By both kernels of the matrix units in turn: the kernel for GPUs before Hopper, and the kernel for Hopper.
void EmulatedDevice::matmul(DeviceView a, DeviceView b, Into into, std::uint64_t* out, int bits) {
  expect_here(a);
  expect_here(b);
  expect_here(out, a.rows * b.cols);
  constexpr std::array kWays = {product_by_warps, product_by_warpgroups};
  const auto way = kWays[static_cast<std::size_t>(counts_.products++ % std::ssize(kWays))];
  TACIT_CHECK(way(a, b, into, out, bits, kProcessors, Stream{}) == 0);
}

void EmulatedDevice::expect_here(const std::uint64_t* words, std::int64_t count) const {
  auto after = held_.upper_bound(words);
  TACIT_CHECK(after != held_.begin());
  const auto& [begin, held] = *std::prev(after);
  TACIT_CHECK(words + count <= begin + held.second);
}

void EmulatedDevice::expect_here(const DeviceView& view) const {
  if (view.rows == 0 || view.cols == 0) return;
  expect_here(view.words, (view.rows - 1) * view.row_stride + (view.cols - 1) * view.col_stride + 1);
}

}  // namespace tacit::mpc::device
