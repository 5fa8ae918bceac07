#include "mpc/random/pair_seed.h"

#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <span>

namespace tacit::mpc {

namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kCounterBytes = 16;
constexpr std::size_t kChunk = 2048;  // words: with what they are added to, in the first-level cache

// What a stream's key is made of, in this order.
struct NameBytes {
  std::int64_t operation;
  std::int64_t rows;
  std::int64_t cols;
  std::int32_t index;
  std::int16_t draw;
  std::int16_t bits;
};
static_assert(sizeof(NameBytes) == 32, "no padding");
static_assert(static_cast<unsigned>(Draw::kHashKey) < 8, "a bit of a byte for each");

Shape together(std::span<const BitTensor> tensors) {
  if (tensors.empty()) return {};
  const Shape shape = tensors.front().shape();
  return {shape.rows * static_cast<std::int64_t>(tensors.size()), shape.cols};
}

}  // namespace

class PairSeed::Cipher {
 public:
  Cipher() : context_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    TACIT_CHECK(context_ != nullptr);
    TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ctr(), nullptr, nullptr, nullptr) == 1);
  }

  void start(const unsigned char* key, const unsigned char* counter) {
    TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), nullptr, nullptr, key, counter) == 1);
  }

  // The next words of the stream.
  void next(std::span<std::uint64_t> words) {
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    const auto size = static_cast<int>(words.size_bytes());
    int written = 0;
    std::memset(bytes, 0, words.size_bytes());
    TACIT_CHECK(EVP_EncryptUpdate(context_.get(), bytes, &written, bytes, size) == 1 && written == size);
  }

  // Calls use(words of the stream, place of the first) for chunk after chunk.
  template <typename Use>
  void for_chunks(std::size_t count, const Use& use) {
    std::array<std::uint64_t, kChunk> buffer;
    for (std::size_t at = 0; at < count; at += kChunk) {
      const auto chunk = std::span(buffer).first(std::min(kChunk, count - at));
      next(chunk);
      use(chunk, at);
    }
    sodium_memzero(buffer.data(), sizeof buffer);
  }

 private:
  std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context_;
};

PairSeed::PairSeed(const net::Channel& channel, const Nonce& nonce)
    : PairSeed(channel.export_key("mpc seed", kSeedBytes), nonce) {}

PairSeed::PairSeed(net::Secret seed, const Nonce& nonce)
    : key_(std::move(seed)), nonce_(nonce), cipher_(std::make_unique<Cipher>()) {
  TACIT_CHECK(sodium_init() >= 0);
  TACIT_CHECK(key_.size() == kSeedBytes);
}

PairSeed PairSeed::own(const Nonce& nonce) {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret seed(kSeedBytes);
  randombytes_buf(seed.bytes().data(), seed.bytes().size());
  return PairSeed(std::move(seed), nonce);
}

PairSeed::PairSeed() = default;
PairSeed::~PairSeed() = default;
PairSeed::PairSeed(PairSeed&&) noexcept = default;

void PairSeed::begin(const StreamName& name, Shape shape, int bits) {
  TACIT_CHECK(cipher_ != nullptr);
  TACIT_CHECK(name.operation >= operation_);
  if (name.operation > operation_) used_.clear();
  operation_ = name.operation;
  const auto index = static_cast<std::size_t>(name.index);
  if (used_.size() <= index) used_.resize(index + 1);
  const auto draw = static_cast<unsigned char>(1U << static_cast<unsigned>(name.draw));
  TACIT_CHECK((used_[index] & draw) == 0);  // a stream is used once
  used_[index] |= draw;

  const NameBytes bytes{name.operation,
                        shape.rows,
                        shape.cols,
                        name.index,
                        static_cast<std::int16_t>(name.draw),
                        static_cast<std::int16_t>(bits)};
  std::array<unsigned char, kKeyBytes + kCounterBytes> made;
  crypto_generichash_state state;
  crypto_generichash_init(&state, reinterpret_cast<const unsigned char*>(key_.bytes().data()), key_.bytes().size(),
                          made.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(nonce_.data()), nonce_.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&bytes), sizeof bytes);
  if (name.seen) {
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(name.seen->data()), name.seen->size());
  }
  crypto_generichash_final(&state, made.data(), made.size());
  cipher_->start(made.data(), made.data() + kKeyBytes);
  sodium_memzero(made.data(), made.size());
  sodium_memzero(&state, sizeof state);
}

void PairSeed::fill(const StreamName& name, RingTensor& words) {
  begin(name, words.shape(), words.bits());
  const std::uint64_t mask = low_bits(words.bits());
  const auto all = words.words();
  for (std::size_t at = 0; at < all.size(); at += kChunk) {
    const auto chunk = all.subspan(at, std::min(kChunk, all.size() - at));
    cipher_->next(chunk);
    for (std::uint64_t& word : chunk) word &= mask;
  }
}

void PairSeed::fill(const StreamName& name, std::span<BitTensor> bits) {
  begin(name, together(bits), 1);
  for (BitTensor& tensor : bits) {
    const auto all = tensor.words();
    for (std::size_t at = 0; at < all.size(); at += kChunk) {
      cipher_->next(all.subspan(at, std::min(kChunk, all.size() - at)));
    }
    tensor.clear_padding();
  }
}

void PairSeed::add(const StreamName& name, RingTensor& words) {
  begin(name, words.shape(), words.bits());
  const std::uint64_t mask = low_bits(words.bits());
  cipher_->for_chunks(words.words().size(), [&](std::span<const std::uint64_t> stream, std::size_t at) {
    std::uint64_t* to = words.data() + at;
    for (std::size_t i = 0; i < stream.size(); ++i) to[i] = (to[i] + stream[i]) & mask;
  });
}

void PairSeed::subtract(const StreamName& name, RingTensor& words) {
  begin(name, words.shape(), words.bits());
  const std::uint64_t mask = low_bits(words.bits());
  cipher_->for_chunks(words.words().size(), [&](std::span<const std::uint64_t> stream, std::size_t at) {
    std::uint64_t* to = words.data() + at;
    for (std::size_t i = 0; i < stream.size(); ++i) to[i] = (to[i] - stream[i]) & mask;
  });
}

void PairSeed::flip(const StreamName& name, std::span<BitTensor> bits) {
  begin(name, together(bits), 1);
  for (BitTensor& tensor : bits) {
    const auto words = tensor.words();
    cipher_->for_chunks(words.size(), [&](std::span<const std::uint64_t> stream, std::size_t at) {
      for (std::size_t i = 0; i < stream.size(); ++i) words[at + i] ^= stream[i];
    });
    tensor.clear_padding();
  }
}

}  // namespace tacit::mpc
