// Secret holds bytes of keys and seeds and wipes them in the destructor. A Secret can be moved, but
// not copied or printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace tacit::net {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::int64_t size);  // zero-filled
  Secret(Secret&&) noexcept;
  Secret& operator=(Secret&&) noexcept;
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  ~Secret();

  std::int64_t size() const { return size_; }
  std::span<std::byte> bytes() { return {data_.get(), static_cast<std::size_t>(size_)}; }
  std::span<const std::byte> bytes() const { return {data_.get(), static_cast<std::size_t>(size_)}; }

 private:
  void wipe();

  std::unique_ptr<std::byte[]> data_;
  std::int64_t size_ = 0;
};

}  // namespace tacit::net
