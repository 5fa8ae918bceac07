// Hasher — BLAKE2b over bytes that come piece by piece: the digest is that of digest_of() over all of them.
#pragma once

#include <memory>
#include <span>

#include "mpc/sealed/storage_key.h"

namespace tacit::mpc {

class Hasher {
 public:
  Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  ~Hasher();

  void add(std::span<const std::byte> bytes);
  Digest digest();  // once, at the end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit::mpc
