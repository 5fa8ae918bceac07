#include "mpc/sets/ristretto.h"

#include <sodium.h>

#include "net/error.h"

namespace tacit::mpc {

namespace {

static_assert(std::tuple_size_v<Point> == crypto_core_ristretto255_BYTES);

unsigned char* out(std::span<std::byte> bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }
const unsigned char* in(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

Point point_of(std::span<const std::byte> text, const PointKey& key) {
  std::array<std::byte, crypto_core_ristretto255_HASHBYTES> hash;
  crypto_generichash(out(hash), hash.size(), in(text), text.size(), in(key), key.size());
  Point point;
  crypto_core_ristretto255_from_hash(out(point), in(hash));
  return point;
}

SecretScalar::SecretScalar() : value_(crypto_core_ristretto255_SCALARBYTES) {
  TACIT_CHECK(sodium_init() >= 0);
  crypto_core_ristretto255_scalar_random(out(value_.bytes()));
}

bool SecretScalar::multiply(Point& point) const {
  Point product;
  if (crypto_scalarmult_ristretto255(out(product), in(value_.bytes()), in(point)) != 0) return false;
  point = product;
  return true;
}

}  // namespace tacit::mpc
