// Device is a second memory and the arithmetic on its words: a GPU, or the emulated device of tests.
//
// Words are the same bits in both memories, and so is every result. Only put() and get() move words between the memories.
// Work is queued and runs in the order of the calls. An error of the driver is a ConfigError of this or a later call, and so
// is a full memory: one sentence that names the device and a remedy. Thread: one, the session's.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "mpc/device/device_view.h"
#include "mpc/kernels/into.h"

namespace tacit::mpc::device {

class Device {
 public:
  struct Memory {
    std::int64_t total = 0, free = 0;  // bytes
  };
  // The time that a use takes, as the number of multiply-adds of one core of the host in the same time.
  struct Price {
    std::int64_t call = 0;  // to queue a product and wait for it
    std::int64_t word = 0;  // to move a word between the memories
  };

  Device() = default;
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual std::string about() const = 0;  // "NVIDIA H200, 139.8 GB"
  virtual Memory memory() = 0;
  virtual Price price() const = 0;

  // Memory of this device, not initialised. Throws ConfigError if it is full, with the bytes that are needed and free.
  virtual std::uint64_t* allocate(std::int64_t words) = 0;
  // Gives the memory back, for others. PlacedWords clears it first.
  virtual void release(std::uint64_t* words) noexcept = 0;
  // Overwrites words with zeros, after all queued work.
  virtual void clear(std::uint64_t* words, std::int64_t count) noexcept = 0;

  // Copies to the device. The caller's words may change when put() returns.
  virtual void put(std::span<const std::uint64_t> from, std::uint64_t* to) = 0;
  // Copies from the device, after all queued work.
  virtual void get(const std::uint64_t* from, std::span<std::uint64_t> to) = 0;

  // out = a·b, out += a·b or out -= a·b modulo 2^bits. `out` has a.rows · b.cols words without gaps and overlaps neither
  // operand. Words of operands may have more bits.
  virtual void matmul(DeviceView a, DeviceView b, Into into, std::uint64_t* out, int bits) = 0;
};

// "1.50 GB"
inline std::string gigabytes(std::int64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f GB", static_cast<double>(bytes) / 1e9);
  return text;
}

// The error text for a device with `free` bytes of memory, if `needed` bytes are needed.
inline std::string full_memory(const std::string& about, std::int64_t needed, std::int64_t free) {
  return "the memory of the device (" + about + ") is full: " + gigabytes(needed) + " are needed, and " +
         gigabytes(free) + " are free; go on with --device none, or take a smaller training.batch";
}

}  // namespace tacit::mpc::device
