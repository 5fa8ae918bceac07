// Identity — a party's long-lived key; Fingerprint — what others pin it by.
//
// The key is Ed25519. It travels in a self-signed certificate only because TLS wants one; nothing in that certificate
// but the public key is ever looked at. The fingerprint is the SHA-256 of the public key (SubjectPublicKeyInfo, DER).
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

  // 64 hexadecimal digits, in groups or not ("-", ":" and spaces are skipped). Throws ConfigError.
  static Fingerprint parse(std::string_view text);
  static Fingerprint of(const x509_st* certificate);

  std::string text() const;     // 64 hexadecimal digits, for files
  std::string grouped() const;  // in groups of four, to read over the phone
  const Digest& digest() const { return digest_; }
  auto operator<=>(const Fingerprint&) const = default;

 private:
  Digest digest_{};
};

class Identity {
 public:
  static Identity generate();

  // Refuses a file that others may read or write (anything laxer than 0600), that is not a regular file, is larger
  // than 16 KiB, or holds no Ed25519 key. Throws ConfigError with the remedy.
  static Identity load(const std::string& path);

  // Writes the private key (PEM, PKCS #8) with mode 0600. Never overwrites: ConfigError if the file exists.
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
