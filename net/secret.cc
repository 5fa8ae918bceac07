#include "net/secret.h"

#include <openssl/crypto.h>

#include <utility>

namespace tacit::net {

Secret::Secret(std::int64_t size) : data_(std::make_unique<std::byte[]>(static_cast<std::size_t>(size))), size_(size) {}

Secret::Secret(Secret&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}

Secret& Secret::operator=(Secret&& other) noexcept {
  if (this != &other) {
    wipe();
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

Secret::~Secret() { wipe(); }

void Secret::wipe() {
  if (data_) OPENSSL_cleanse(data_.get(), static_cast<std::size_t>(size_));
}

}  // namespace tacit::net
