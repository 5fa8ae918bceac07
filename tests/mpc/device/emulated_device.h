// EmulatedDevice is a Device for tests. Kernels run on fibers of the calling thread, and the device's memory is the heap of the
// process. With a price of zero, a session sends every product to the device.
#pragma once

#include <map>
#include <memory>

#include "mpc/device/device.h"

namespace tacit::mpc::device {

class EmulatedDevice : public Device {
 public:
  struct Counts {
    std::int64_t products = 0, words_put = 0, words_got = 0;
  };

  // `bytes`: the size of its memory.
  explicit EmulatedDevice(std::int64_t bytes = std::int64_t{1} << 30, Price price = {})
      : bytes_(bytes), price_(price) {}
  ~EmulatedDevice() override;

  std::string about() const override { return "emulated"; }
  Memory memory() override { return {bytes_, bytes_ - used_}; }
  Price price() const override { return price_; }
  std::uint64_t* allocate(std::int64_t words) override;
  void release(std::uint64_t* words) noexcept override;  // fails unless the words are zeros
  void clear(std::uint64_t* words, std::int64_t count) noexcept override;
  void put(std::span<const std::uint64_t> from, std::uint64_t* to) override;
  void get(const std::uint64_t* from, std::span<std::uint64_t> to) override;
  void matmul(DeviceView a, DeviceView b, Into into, std::uint64_t* out, int bits) override;

  const Counts& counts() const { return counts_; }
  std::int64_t used() const { return used_; }  // bytes

 private:
  // Fails unless the words lie in one allocation.
  void expect_here(const std::uint64_t* words, std::int64_t count) const;
  void expect_here(const DeviceView& view) const;

  const std::int64_t bytes_;
  const Price price_;
  std::map<const std::uint64_t*, std::pair<std::unique_ptr<std::uint64_t[]>, std::int64_t>> held_;  // by its begin
  std::int64_t used_ = 0;
  Counts counts_;
};

}  // namespace tacit::mpc::device
