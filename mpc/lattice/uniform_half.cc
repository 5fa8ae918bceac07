#include "mpc/lattice/uniform_half.h"

#include <sodium.h>

#include <algorithm>

#include "mpc/lattice/sampling.h"

namespace tacit::mpc::lattice {

namespace {

// Public, but of the type of a seed.
net::Secret seed_of_names(const Nonce& nonce, int holder, const Modulus& modulus) {
  const std::array<std::int32_t, 2> name{holder, modulus.bits};
  constexpr std::string_view kPurpose = "tacit lattice a";
  net::Secret seed(PairSeed::kSeedBytes);
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, static_cast<std::size_t>(seed.size()));
  const auto add = [&state](const auto& data) {
    const auto bytes = std::as_bytes(std::span(data));
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  };
  add(kPurpose);
  add(nonce);
  add(name);
  crypto_generichash_final(&state, reinterpret_cast<unsigned char*>(seed.bytes().data()), seed.bytes().size());
  return seed;
}

}  // namespace

UniformHalves::UniformHalves(const Nonce& nonce, int holder, const Modulus& modulus)
    : nonce_(nonce), names_(seed_of_names(nonce, holder, modulus), nonce) {}

net::Secret UniformHalves::seed(std::int64_t number) {
  net::Secret seed(PairSeed::kSeedBytes);
  std::array<std::uint64_t, PairSeed::kSeedBytes / sizeof(std::uint64_t)> words{};
  names_.add({.operation = number, .draw = Draw::kOwn}, words);
  std::ranges::copy(std::as_bytes(std::span(words)), seed.bytes().begin());
  return seed;
}

Limbs UniformHalves::expand(const net::Secret& seed, const Ring& ring) const {
  net::Secret copy(seed.size());
  std::ranges::copy(seed.bytes(), copy.bytes().begin());
  Stream random(PairSeed(std::move(copy), nonce_));
  Limbs out(ring.limbs());
  for (std::int64_t limb = 0; limb < ring.limbs(); ++limb) draw_uniform(random, ring.prime(limb), out[limb]);
  return out;
}

}  // namespace tacit::mpc::lattice
