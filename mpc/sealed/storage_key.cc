#include "mpc/sealed/storage_key.h"

#include <sodium.h>

#include <cstring>
#include <fstream>

#include "net/error.h"
#include "net/private_file.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kKeyBytes = 32;
constexpr std::string_view kWhat = "storage key";

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

Digest digest_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, sizeof(Digest));
  std::vector<char> piece(1 << 16);
  while (file) {
    file.read(piece.data(), std::ssize(piece));
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(piece.data()),
                              static_cast<unsigned long long>(file.gcount()));
  }
  if (!file.eof()) throw ConfigError("cannot read the input file " + path.string() + "; check its path and its mode");
  Digest digest;
  crypto_generichash_final(&state, raw(digest.data()), digest.size());
  return digest;
}

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
    throw ConfigError(path + " holds no storage key: expected a file of 32 random bytes, of which this one has " +
                      std::to_string(key.size()) + "; give the file that was made for this purpose");
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

Digest StorageKey::digest_of_files(std::span<const std::filesystem::path> files) const {
  const net::Secret key = derived("tacit inputs");
  crypto_generichash_state state;
  crypto_generichash_init(&state, raw(key.bytes().data()), key.bytes().size(), sizeof(Digest));
  for (const std::filesystem::path& file : files) {
    const Digest one = digest_of_file(file);
    crypto_generichash_update(&state, raw(one.data()), one.size());
  }
  Digest digest;
  crypto_generichash_final(&state, raw(digest.data()), digest.size());
  return digest;
}

}  // namespace tacit::mpc
