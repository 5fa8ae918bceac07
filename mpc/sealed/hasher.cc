#include "mpc/sealed/hasher.h"

#include <sodium.h>

#include "net/error.h"

namespace tacit::mpc {

struct Hasher::State {
  crypto_generichash_state blake2b;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  TACIT_CHECK(sodium_init() >= 0);
  crypto_generichash_init(&state_->blake2b, nullptr, 0, sizeof(Digest));
}

Hasher::~Hasher() { sodium_memzero(state_.get(), sizeof(State)); }

void Hasher::add(std::span<const std::byte> bytes) {
  crypto_generichash_update(&state_->blake2b, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

Digest Hasher::digest() {
  Digest digest;
  crypto_generichash_final(&state_->blake2b, reinterpret_cast<unsigned char*>(digest.data()), digest.size());
  return digest;
}

}  // namespace tacit::mpc
