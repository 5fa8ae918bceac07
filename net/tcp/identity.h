// Identity is a rank's long-lived key. Fingerprint is the hash by which other ranks recognise it.
//
// The key is Ed25519. TLS requires a certificate, so the key travels in a self-signed one; only the
// public key in it is used. The fingerprint is the SHA-256 of the public key (SubjectPublicKeyInfo,
// DER).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;
struct x509_st;

namespace tacit::net {

class Fingerprint {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  Fingerprint() = default;
  explicit Fingerprint(const Digest& digest) : digest_(digest) {}

  // Parses 64 hexadecimal digits; skips "-", ":" and spaces between groups. Throws ConfigError.
  static Fingerprint parse(std::string_view text);
  static Fingerprint of(const x509_st* certificate);

  std::string text() const;     // 64 hexadecimal digits, for files
  std::string grouped() const;  // in groups of four, for people who compare keys by telephone
  const Digest& digest() const { return digest_; }
  auto operator<=>(const Fingerprint&) const = default;

 private:
  Digest digest_{};
};

class Identity {
 public:
  static Identity generate();

  // Refuses a file with permissions beyond 0600, a file that is not regular, a file of more than 16
  // KiB, and a file without an Ed25519 key. Throws ConfigError with the remedy.
  static Identity load(const std::string& path);

  // Writes the private key (PEM, PKCS #8) with mode 0600. Throws ConfigError if the file exists.
  void save(const std::string& path) const;

  Identity(Identity&&) noexcept;
  Identity& operator=(Identity&&) noexcept;
  ~Identity();

  const Fingerprint& fingerprint() const { return fingerprint_; }
  evp_pkey_st* key() const { return key_.get(); }
  x509_st* certificate() const { return certificate_.get(); }

 private:
  struct Free {
    void operator()(evp_pkey_st* key) const;
    void operator()(x509_st* certificate) const;
  };
  explicit Identity(evp_pkey_st* key);

  std::unique_ptr<evp_pkey_st, Free> key_;
  std::unique_ptr<x509_st, Free> certificate_;
  Fingerprint fingerprint_;
};

}  // namespace tacit::net
