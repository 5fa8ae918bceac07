// PlacedWords owns words in a device's memory. The destructor overwrites the words with zeros and frees the memory.
#pragma once

#include <utility>

#include "mpc/device/device.h"

namespace tacit::mpc::device {

class PlacedWords {
 public:
  // Not initialised. The device must outlive this object.
  PlacedWords(Device& device, std::int64_t count) : device_(&device), words_(device.allocate(count)), count_(count) {}
  PlacedWords(PlacedWords&& other) noexcept
      : device_(other.device_), words_(std::exchange(other.words_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  PlacedWords& operator=(PlacedWords&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(words_, other.words_);
    std::swap(count_, other.count_);
    return *this;
  }
  PlacedWords(const PlacedWords&) = delete;
  PlacedWords& operator=(const PlacedWords&) = delete;
  ~PlacedWords() {
    if (words_ == nullptr) return;
    device_->clear(words_, count_);
    device_->release(words_);
  }

  std::uint64_t* words() const { return words_; }
  std::int64_t count() const { return count_; }

 private:
  Device* device_;
  std::uint64_t* words_;
  std::int64_t count_;
};

}  // namespace tacit::mpc::device
