// StorageKey is the key under which a party seals its checkpoints: 32 bytes in a file with mode
// 0600, wiped from memory in the destructor. Digest is a hash of bytes that need not be secret.
//
// BLAKE2b under labels derives three independent keys: one seals, one makes the key's public name,
// and one hashes digests of the party's data (a plain digest would allow anyone to check guesses of
// the data).
#pragma once

#include <array>
#include <span>
#include <string>

#include "net/secret.h"

namespace tacit::mpc {

using Digest = std::array<std::byte, 32>;
Digest digest_of(std::span<const std::byte> bytes);

class StorageKey {
 public:
  // Throws ConfigError, with the remedy, for a file that other users may read, or without such a
  // key.
  static StorageKey load(const std::string& path);
  // Writes a new key with mode 0600. Throws ConfigError if the file exists.
  static void make(const std::string& path);

  Digest name() const;  // identifies the key and reveals nothing about it

  // A digest of data that only the key's owner can compute again.
  Digest hash(const Digest& digest_of_data) const;

 private:
  friend class Sealer;
  friend class Unsealer;
  explicit StorageKey(net::Secret key) : key_(std::move(key)) {}
  net::Secret derived(const char* label) const;

  net::Secret key_;
};

}  // namespace tacit::mpc
