#include "mpc/ot/fixed_key_aes.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kMostBlocksAtOnce = std::size_t{1} << 20;  // OpenSSL counts bytes in an int

std::uint64_t* words_of(Block* blocks) { return reinterpret_cast<std::uint64_t*>(blocks); }
const std::uint64_t* words_of(const Block* blocks) { return reinterpret_cast<const std::uint64_t*>(blocks); }

}  // namespace

void FixedKeyAes::Free::operator()(evp_cipher_ctx_st* context) const { EVP_CIPHER_CTX_free(context); }

FixedKeyAes::FixedKeyAes(std::string_view purpose, Instructions instructions) : wide_(aes_blocks(instructions)) {
  std::array<unsigned char, sizeof(Block)> key{};
  TACIT_CHECK(purpose.size() <= key.size());
  std::copy(purpose.begin(), purpose.end(), key.begin());
  if (wide_ != nullptr) {
    aes_words(instructions)->start(key.data(), std::array<unsigned char, sizeof(Block)>{}.data(), state_);
    return;
  }
  context_.reset(EVP_CIPHER_CTX_new());
  TACIT_CHECK(context_ != nullptr);
  TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ecb(), nullptr, key.data(), nullptr) == 1);
  TACIT_CHECK(EVP_CIPHER_CTX_set_padding(context_.get(), 0) == 1);
}

FixedKeyAes::~FixedKeyAes() = default;
FixedKeyAes::FixedKeyAes(FixedKeyAes&&) noexcept = default;

void FixedKeyAes::permute(std::span<Block> blocks) {
  if (wide_ != nullptr) return wide_->permute(state_, words_of(blocks.data()), std::ssize(blocks));
  while (!blocks.empty()) {
    const auto some = blocks.first(std::min(blocks.size(), kMostBlocksAtOnce));
    blocks = blocks.subspan(some.size());
    auto* const bytes = reinterpret_cast<unsigned char*>(some.data());
    const int size = static_cast<int>(some.size_bytes());
    int done = 0;
    TACIT_CHECK(EVP_EncryptUpdate(context_.get(), bytes, &done, bytes, size) == 1 && done == size);
  }
}

void FixedKeyAes::hash(std::span<const Block> x, const Block& offset, std::uint64_t first, std::uint64_t name,
                       Block* out) {
  const std::int64_t n = std::ssize(x);
  if (wide_ != nullptr) {
    return wide_->hash(state_, words_of(x.data()), words_of(&offset), first, name, words_of(out), n);
  }
  if (inputs_.size() < n) inputs_ = SecretBlocks(n);
  Block* const inner = inputs_.data();
  for (std::int64_t k = 0; k < n; ++k) inner[k] = x[static_cast<std::size_t>(k)] ^ offset;
  permute({inner, inner + n});
  for (std::int64_t k = 0; k < n; ++k) out[k] = inner[k] ^ Block { first + static_cast<std::uint64_t>(k), name };
  permute({out, out + n});
  for (std::int64_t k = 0; k < n; ++k) out[k] ^= inner[k];
}

void FixedKeyAes::expand(std::span<const Block> seeds, std::uint64_t first, std::int64_t size, Block* out) {
  if (wide_ != nullptr) {
    return wide_->expand(state_, words_of(seeds.data()), std::ssize(seeds), first, size, words_of(out));
  }
  const std::int64_t n = std::ssize(seeds) * size;
  if (inputs_.size() < n) inputs_ = SecretBlocks(n);
  for (std::int64_t i = 0; i < n; ++i) {
    inputs_[i] = seeds[static_cast<std::size_t>(i / size)] ^ Block { 0, first + static_cast<std::uint64_t>(i % size) };
  }
  std::copy_n(inputs_.data(), n, out);
  permute({out, out + n});
  for (std::int64_t i = 0; i < n; ++i) out[i] ^= inputs_[i];
}

void FixedKeyAes::grow(Block* nodes, std::int64_t n, std::span<Block, 4> sums) {
  TACIT_CHECK(n % 4 == 0);
  if (wide_ != nullptr) return wide_->grow(state_, words_of(nodes), n, words_of(sums.data()));
  if (inputs_.size() < n) inputs_ = SecretBlocks(n);
  std::copy_n(nodes, n, nodes + n);
  for (std::int64_t k = 0; k < n; ++k) inputs_[k] = nodes[k] = {nodes[k].low ^ nodes[k].high, nodes[k].low};
  permute({nodes, nodes + n});
  for (std::int64_t k = 0; k < n; ++k) {
    nodes[k] ^= inputs_[k];
    nodes[n + k] ^= nodes[k];
    sums[static_cast<std::size_t>(k % 4)] ^= nodes[k];
  }
}

}  // namespace tacit::mpc
