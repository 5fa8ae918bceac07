// Hasher computes BLAKE2b of bytes that arrive in pieces. The result equals digest_of() of all the
// bytes.
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
  Digest digest();  // call once, at the end

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tacit::mpc
