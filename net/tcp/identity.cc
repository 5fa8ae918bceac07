#include "net/tcp/identity.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include <span>

#include "net/error.h"
#include "net/private_file.h"

namespace tacit::net {

namespace {

constexpr std::int64_t kMaxKeyFileBytes = 16 * 1024;
constexpr std::string_view kWhat = "private key";

using Bio = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Replaces OpenSSL's default, which asks for the password at the terminal.
int no_password(char*, int, int, void*) { return -1; }

}  // namespace

Fingerprint Fingerprint::parse(std::string_view text) {
  const auto refuse = [&](const char* why) {
    throw ConfigError(
        fmt::format("\"{}\" is not a fingerprint: {}; expected 64 hexadecimal digits, as `tacit keys show` prints",
                    text.substr(0, 100), why));
  };
  Digest digest{};
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '-' || c == ':' || c == ' ') continue;
    const int value = hex_value(c);
    if (value < 0) refuse("it holds a character that is not a hexadecimal digit");
    if (digits == 2 * digest.size()) refuse("it is too long");
    digest[digits / 2] = static_cast<std::uint8_t>(digest[digits / 2] * 16 + value);
    ++digits;
  }
  if (digits < 2 * digest.size()) refuse("it is too short");
  return Fingerprint(digest);
}

Fingerprint Fingerprint::of(const x509_st* certificate) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(X509_get0_pubkey(certificate), &der);
  if (size <= 0) throw NetError("the peer's certificate holds no public key");
  Digest digest{};
  SHA256(der, static_cast<std::size_t>(size), digest.data());
  OPENSSL_free(der);
  return Fingerprint(digest);
}

std::string Fingerprint::text() const {
  std::string text;
  for (const std::uint8_t byte : digest_) text += fmt::format("{:02x}", byte);
  return text;
}

std::string Fingerprint::grouped() const {
  const std::string plain = text();
  std::string grouped = plain.substr(0, 4);
  for (std::size_t at = 4; at < plain.size(); at += 4) grouped += "-" + plain.substr(at, 4);
  return grouped;
}

void Identity::Free::operator()(evp_pkey_st* key) const { EVP_PKEY_free(key); }
void Identity::Free::operator()(x509_st* certificate) const { X509_free(certificate); }

Identity::Identity(evp_pkey_st* key) : key_(key), certificate_(X509_new()) {
  X509* cert = certificate_.get();
  TACIT_CHECK(key != nullptr && cert != nullptr);
  X509_NAME* subject = X509_get_subject_name(cert);
  TACIT_CHECK(X509_set_version(cert, X509_VERSION_3) == 1 && ASN1_INTEGER_set(X509_get_serialNumber(cert), 1) == 1 &&
              ASN1_TIME_set_string(X509_getm_notBefore(cert), "19700101000000Z") == 1 &&
              ASN1_TIME_set_string(X509_getm_notAfter(cert), "99991231235959Z") == 1 &&
              X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>("tacit"),
                                         -1, -1, 0) == 1 &&
              X509_set_issuer_name(cert, subject) == 1 && X509_set_pubkey(cert, key) == 1 &&
              X509_sign(cert, key, nullptr) > 0);
  fingerprint_ = Fingerprint::of(cert);
}

Identity::Identity(Identity&&) noexcept = default;
Identity& Identity::operator=(Identity&&) noexcept = default;
Identity::~Identity() = default;

Identity Identity::generate() { return Identity(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")); }

Identity Identity::load(const std::string& path) {
  const Secret content = read_private_file(path, kWhat, kMaxKeyFileBytes);
  const Bio bio(BIO_new_mem_buf(content.bytes().data(), static_cast<int>(content.size())), BIO_free_all);
  TACIT_CHECK(bio != nullptr);
  EVP_PKEY* key = PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr);
  if (key == nullptr) {
    throw ConfigError(path +
                      " holds no private key that can be read (PEM, not encrypted); make one with `tacit keys new`");
  }
  if (EVP_PKEY_get_base_id(key) != EVP_PKEY_ED25519) {
    EVP_PKEY_free(key);
    throw ConfigError(path + " holds a key of another kind; expected Ed25519: make one with `tacit keys new`");
  }
  return Identity(key);
}

void Identity::save(const std::string& path) const {
  const Bio bio(BIO_new(BIO_s_secmem()), BIO_free_all);
  TACIT_CHECK(bio != nullptr);
  TACIT_CHECK(PEM_write_bio_PKCS8PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);

  write_private_file(path, kWhat, std::as_bytes(std::span(data, static_cast<std::size_t>(size))));
}

}  // namespace tacit::net
