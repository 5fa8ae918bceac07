// StorageKey — the key under which a party writes what it must find again: 32 bytes of its own, in a file with mode
// 0600, wiped from memory when it goes. Digest — a hash of bytes, of which it is no secret what they are.
//
// From the key follow, by BLAKE2b under labels, three that never meet: one seals, one makes the key's public name, one
// hashes digests of the party's data (whoever sees the plain digest could check guesses of the data).
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
  // Throws ConfigError, with the remedy, for a file that others may read, or that holds no such key.
  static StorageKey load(const std::string& path);
  // Writes a new key with mode 0600. Never overwrites: ConfigError if the file exists.
  static void make(const std::string& path);

  Digest name() const;  // tells keys apart, and nothing about them

  // A digest of data that only this key's owner can compute again.
  Digest hash(const Digest& digest_of_data) const;

 private:
  friend class Sealer;
  friend class Unsealer;
  explicit StorageKey(net::Secret key) : key_(std::move(key)) {}
  net::Secret derived(const char* label) const;

  net::Secret key_;
};

}  // namespace tacit::mpc
