// ristretto255 — the group of prime order in which private sets are compared, by libsodium.
//
// A Point is 32 bytes, the canonical encoding: two encodings are equal where the points are. Bytes from outside become
// a point nowhere but in SecretScalar::multiply, which refuses what is no canonical encoding, and the identity.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "net/secret.h"

namespace tacit::mpc {

using Point = std::array<std::byte, 32>;
using PointKey = std::array<std::byte, 32>;  // binds points to a session and a purpose

// A point whose discrete logarithm nobody knows: BLAKE2b of the text under the key, mapped to the group.
Point point_of(std::span<const std::byte> text, const PointKey& key);

// A uniform exponent, fresh from the operating system's generator; wiped when it goes. Threads: multiply() from any.
class SecretScalar {
 public:
  SecretScalar();

  // Raises the point. False, and the point is what it was, unless it is a canonical encoding of a point other than the
  // identity.
  [[nodiscard]] bool multiply(Point& point) const;

 private:
  net::Secret value_;
};

}  // namespace tacit::mpc
