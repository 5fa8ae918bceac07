// Sealer and Unsealer encrypt and decrypt secret bytes under a party's StorageKey. The sealed bytes
// may be written to a disk.
//
// XChaCha20-Poly1305 in chunks of 64 KiB (libsodium's secretstream), with a random nonce. Chunks
// cannot be changed, truncated, moved or taken from another file. Plaintext beside them can be
// bound to them as associated data.
#pragma once

#include <memory>
#include <vector>

#include "mpc/sealed/storage_key.h"

struct crypto_secretstream_xchacha20poly1305_state;

namespace tacit::mpc {

// The length of a sealed message with `content` bytes of content.
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
  std::vector<std::byte> associated_;  // authenticated with the first chunk
  net::Secret chunk_;
  std::int64_t filled_ = 0;
  std::vector<std::byte> sealed_;
};

class Unsealer {
 public:
  // The memory of `sealed` must outlive this object.
  Unsealer(const StorageKey& key, std::span<const std::byte> associated, std::span<const std::byte> sealed);
  ~Unsealer();

  // Reads the next bytes. Returns false, now and from then on, if the bytes were not sealed under
  // this key or were changed.
  [[nodiscard]] bool read(std::span<std::byte> content);
  // Returns true if all content was read.
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
