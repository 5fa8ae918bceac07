#include "mpc/sealed/storage_key.h"

#include <sodium.h>

#include <cstring>

#include "net/error.h"
#include "net/private_file.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kKeyBytes = 32;
constexpr std::string_view kWhat = "storage key";

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

}  // namespace

Digest digest_of(std::span<const std::byte> bytes) {
  TACIT_CHECK(sodium_init() >= 0);
  Digest digest;
  crypto_generichash(raw(digest.data()), digest.size(), raw(bytes.data()), bytes.size(), nullptr, 0);
  return digest;
}

StorageKey StorageKey::load(const std::string& path) {
  net::Secret key = net::read_private_file(path, kWhat, 16 * 1024);
  if (key.size() != kKeyBytes) {
    throw ConfigError(path + " holds no storage key: expected a file of 32 random bytes, but this file has " +
                      std::to_string(key.size()) + " bytes; name the file that was made for this purpose");
  }
  return StorageKey(std::move(key));
}

void StorageKey::make(const std::string& path) {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret key(kKeyBytes);
  randombytes_buf(key.bytes().data(), key.bytes().size());
  net::write_private_file(path, kWhat, key.bytes());
}

net::Secret StorageKey::derived(const char* label) const {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret made(kKeyBytes);
  crypto_generichash(raw(made.bytes().data()), made.bytes().size(), reinterpret_cast<const unsigned char*>(label),
                     std::strlen(label), raw(key_.bytes().data()), key_.bytes().size());
  return made;
}

Digest StorageKey::name() const {
  const net::Secret made = derived("tacit name");
  Digest name;
  std::memcpy(name.data(), made.bytes().data(), name.size());
  return name;
}

Digest StorageKey::hash(const Digest& digest_of_data) const {
  const net::Secret key = derived("tacit inputs");
  Digest digest;
  crypto_generichash(raw(digest.data()), digest.size(), raw(digest_of_data.data()), digest_of_data.size(),
                     raw(key.bytes().data()), key.bytes().size());
  return digest;
}

}  // namespace tacit::mpc
