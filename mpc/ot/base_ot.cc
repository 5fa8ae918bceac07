#include "mpc/ot/base_ot.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <atomic>

#include "net/error.h"

namespace tacit::mpc {

namespace {

unsigned char* out(std::span<std::byte> bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }
const unsigned char* in(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

net::Secret random_exponent() {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret exponent(crypto_core_ristretto255_SCALARBYTES);
  crypto_core_ristretto255_scalar_random(out(exponent.bytes()));
  return exponent;
}

Point base_times(const net::Secret& exponent) {
  Point point;
  TACIT_CHECK(crypto_scalarmult_ristretto255_base(out(point), in(exponent.bytes())) == 0);
  return point;
}

// Returns false for bytes that are not the canonical encoding of a point other than the identity.
[[nodiscard]] bool multiply(const Point& point, const net::Secret& exponent, net::Secret& product) {
  product = net::Secret(crypto_core_ristretto255_BYTES);
  return crypto_scalarmult_ristretto255(out(product.bytes()), in(exponent.bytes()), in(point)) == 0;
}

[[noreturn]] void throw_no_point(int rank) {
  throw ProtocolError(fmt::format("rank {} sent bytes that are not a point of ristretto255 for a base transfer", rank),
                      rank);
}

struct KeyText {
  std::array<char, 16> purpose{'t', 'a', 'c', 'i', 't', ' ', 'b', 'a', 's', 'e', ' ', 'k', 'e', 'y'};
  std::int32_t sender = 0, receiver = 0;
  std::int64_t index = 0;
  Point a{}, b{};
};
static_assert(sizeof(KeyText) == 96, "no padding");

Block key_of(const BaseOtName& name, std::int64_t index, const Point& a, const Point& b, const net::Secret& secret) {
  KeyText text;
  text.sender = name.sender;
  text.receiver = name.receiver;
  text.index = index;
  text.a = a;
  text.b = b;
  crypto_generichash_state state;
  crypto_generichash_init(&state, in(name.nonce), name.nonce.size(), sizeof(Block));
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&text), sizeof text);
  crypto_generichash_update(&state, in(secret.bytes()), secret.bytes().size());
  Block key;
  crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(&key), sizeof key);
  sodium_memzero(&state, sizeof state);
  return key;
}

// `chosen` if the choice is 1, otherwise `other`.
Point select(std::byte choice, const Point& chosen, const Point& other) {
  const auto mask = static_cast<std::byte>(0 - std::to_integer<unsigned>(choice));
  Point selected;
  for (std::size_t i = 0; i < selected.size(); ++i) selected[i] = (chosen[i] & mask) | (other[i] & ~mask);
  return selected;
}

}  // namespace

BaseOtSender::BaseOtSender(const BaseOtName& name)
    : name_(name), exponent_(random_exponent()), a_(base_times(exponent_)) {
  TACIT_CHECK(multiply(a_, exponent_, square_));
}

SecretBlocks BaseOtSender::keys(std::span<const Point> points, Workers& workers) const {
  SecretBlocks keys(2 * std::ssize(points));
  std::atomic<bool> all_points = true;
  workers.for_each(std::ssize(points), [&](std::int64_t i) {
    const Point& b = points[static_cast<std::size_t>(i)];
    net::Secret first, second(crypto_core_ristretto255_BYTES);
    if (!multiply(b, exponent_, first)) {
      all_points = false;
      return;
    }
    const int difference = crypto_core_ristretto255_sub(out(second.bytes()), in(first.bytes()), in(square_.bytes()));
    TACIT_CHECK(difference == 0);
    keys[2 * i] = key_of(name_, i, a_, b, first);
    keys[2 * i + 1] = key_of(name_, i, a_, b, second);
  });
  if (!all_points) throw_no_point(name_.receiver);
  return keys;
}

BaseOtReceiver::BaseOtReceiver(const BaseOtName& name, const Point& a, std::span<const std::byte> choices,
                               Workers& workers)
    : points_(choices.size()), keys_(std::ssize(choices)) {
  std::atomic<bool> all_points = true;
  workers.for_each(std::ssize(choices), [&](std::int64_t i) {
    const net::Secret exponent = random_exponent();
    Point plain = base_times(exponent);
    Point shifted;
    net::Secret secret;
    if (!multiply(a, exponent, secret) || crypto_core_ristretto255_add(out(shifted), in(plain), in(a)) != 0) {
      all_points = false;
      return;
    }
    Point& b = points_[static_cast<std::size_t>(i)];
    b = select(choices[static_cast<std::size_t>(i)], shifted, plain);
    keys_[i] = key_of(name, i, a, b, secret);
    sodium_memzero(&shifted, sizeof shifted);
    sodium_memzero(&plain, sizeof plain);
  });
  if (!all_points) throw_no_point(name.sender);
}

}  // namespace tacit::mpc
