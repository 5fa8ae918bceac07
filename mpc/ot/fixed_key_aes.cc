#include "mpc/ot/fixed_key_aes.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kMostBlocksAtOnce = std::size_t{1} << 20;  // blocks: OpenSSL counts bytes in an int

}  // namespace

void FixedKeyAes::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

FixedKeyAes::FixedKeyAes(std::string_view purpose) : context_(EVP_CIPHER_CTX_new()) {
  std::array<unsigned char, sizeof(Block)> key{};
  TACIT_CHECK(context_ != nullptr && purpose.size() <= key.size());
  std::copy(purpose.begin(), purpose.end(), key.begin());
  TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ecb(), nullptr, key.data(), nullptr) == 1);
  TACIT_CHECK(EVP_CIPHER_CTX_set_padding(context_.get(), 0) == 1);
}

FixedKeyAes::~FixedKeyAes() = default;
FixedKeyAes::FixedKeyAes(FixedKeyAes&&) noexcept = default;

void FixedKeyAes::permute(std::span<Block> blocks) {
  while (!blocks.empty()) {
    const auto some = blocks.first(std::min(blocks.size(), kMostBlocksAtOnce));
    blocks = blocks.subspan(some.size());
    auto* const bytes = reinterpret_cast<unsigned char*>(some.data());
    const int size = static_cast<int>(some.size_bytes());
    int done = 0;
    TACIT_CHECK(EVP_EncryptUpdate(context_.get(), bytes, &done, bytes, size) == 1 && done == size);
  }
}

}  // namespace tacit::mpc
