#include "mpc/correlations/dealt_message.h"

#include <cstring>

namespace tacit::mpc {

std::array<std::byte, static_cast<std::size_t>(kDealtTagBytes)> DealtTag::bytes() const {
  std::array<std::byte, static_cast<std::size_t>(kDealtTagBytes)> bytes{};
  std::memcpy(bytes.data(), &operation, sizeof operation);
  std::memcpy(bytes.data() + 8, &message, sizeof message);
  bytes[12] = static_cast<std::byte>(what);
  return bytes;
}

}  // namespace tacit::mpc
