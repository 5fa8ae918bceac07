// Sealer, Unsealer — secret bytes under a party's StorageKey: what comes out may lie on a disk.
//
// XChaCha20-Poly1305 in chunks of 64 KiB (libsodium's secretstream), with a random nonce: chunks cannot be changed, cut
// off, moved or taken from another file. What lies beside it in the clear goes in as associated data, and is bound to
// it.
#pragma once

#include <memory>
#include <vector>

#include "mpc/sealed/storage_key.h"

struct crypto_secretstream_xchacha20poly1305_state;

namespace tacit::mpc {

// So much longer than its content a sealed message is.
std::int64_t sealed_bytes(std::int64_t content);

class Sealer {
 public:
  Sealer(const StorageKey& key, std::span<const std::byte> associated);
  ~Sealer();

  void append(std::span<const std::byte> content);
  std::vector<std::byte> finish();

 private:
  void push(bool last);

  std::unique_ptr<crypto_secretstream_xchacha20poly1305_state> state_;
  std::vector<std::byte> associated_;  // of the first chunk
  net::Secret chunk_;
  std::int64_t filled_ = 0;
  std::vector<std::byte> sealed_;
};

class Unsealer {
 public:
  // The memory of `sealed` must outlive it.
  Unsealer(const StorageKey& key, std::span<const std::byte> associated, std::span<const std::byte> sealed);
  ~Unsealer();

  // The next bytes. False, at once and for good, if anything is not as it was sealed under this key, or was not sealed.
  [[nodiscard]] bool read(std::span<std::byte> content);
  // Whether that was all.
  [[nodiscard]] bool finish();

 private:
  bool pull();

  std::unique_ptr<crypto_secretstream_xchacha20poly1305_state> state_;
  std::vector<std::byte> associated_;
  std::span<const std::byte> sealed_;
  net::Secret chunk_;
  std::int64_t taken_ = 0, filled_ = 0;
  bool last_ = false, broken_ = false;
};

}  // namespace tacit::mpc
