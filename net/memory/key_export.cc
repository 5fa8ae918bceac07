#include "net/memory/key_export.h"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <memory>
#include <string>

#include "net/error.h"

namespace tacit::net {

namespace {

struct Free {
  void operator()(EVP_KDF* kdf) const { EVP_KDF_free(kdf); }
  void operator()(EVP_KDF_CTX* context) const { EVP_KDF_CTX_free(context); }
};

unsigned char* raw(std::span<std::byte> bytes) { return reinterpret_cast<unsigned char*>(bytes.data()); }

}  // namespace

Secret random_secret(std::int64_t size) {
  Secret secret(size);
  if (RAND_bytes(raw(secret.bytes()), static_cast<int>(size)) != 1) {
    throw NetError("the operating system gives no random bytes");
  }
  return secret;
}

Secret derive_key(const Secret& secret, std::string_view label, std::int64_t size) {
  static constexpr std::int64_t kMax = 255 * 32;  // RFC 5869, 2.3
  TACIT_CHECK(size > 0 && size <= kMax);
  // The label's length comes first, so that two different pairs of label and size never give the
  // same text.
  std::string info = std::to_string(label.size()) + ":" + std::string(label) + ":" + std::to_string(size);
  std::string digest = "SHA256", mode = "EXPAND_ONLY";
  Secret key_in(secret.size());  // OSSL_PARAM requires writable memory
  std::copy(secret.bytes().begin(), secret.bytes().end(), key_in.bytes().begin());
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MODE, mode.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key_in.bytes().data(),
                                        static_cast<std::size_t>(key_in.size())),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end(),
  };
  const std::unique_ptr<EVP_KDF, Free> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  TACIT_CHECK(kdf != nullptr);
  const std::unique_ptr<EVP_KDF_CTX, Free> context(EVP_KDF_CTX_new(kdf.get()));
  Secret key(size);
  TACIT_CHECK(context != nullptr &&
              EVP_KDF_derive(context.get(), raw(key.bytes()), static_cast<std::size_t>(size), parameters) == 1);
  return key;
}

}  // namespace tacit::net
