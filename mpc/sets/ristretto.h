// ristretto255 is the group of prime order in which private sets are compared. The implementation
// is libsodium's.
//
// A Point is 32 bytes in the canonical encoding: two points are equal if and only if their
// encodings are. Bytes from outside become a point only in SecretScalar::multiply, which refuses
// other encodings and the identity.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "net/secret.h"

namespace tacit::mpc {

using Point = std::array<std::byte, 32>;
using PointKey = std::array<std::byte, 32>;  // binds points to a session and a purpose

// Maps a text to a point of unknown discrete logarithm: BLAKE2b of the text under the key, mapped to
// the group.
Point point_of(std::span<const std::byte> text, const PointKey& key);

// A uniform exponent, fresh from the operating system's generator, wiped in the destructor.
// Threads: any may call multiply().
class SecretScalar {
 public:
  SecretScalar();

  // Raises the point to the secret power. Returns false and leaves the point unchanged unless it is
  // the canonical encoding of a point other than the identity.
  [[nodiscard]] bool multiply(Point& point) const;

 private:
  net::Secret value_;
};

}  // namespace tacit::mpc
