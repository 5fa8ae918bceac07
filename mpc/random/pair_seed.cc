#include "mpc/random/pair_seed.h"

#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

#include "mpc/kernels/loops.h"
#include "net/fetch_ahead.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kCounterBytes = 16;
constexpr std::int64_t kBlockWords = 2;  // AES makes this many for one value of the counter
constexpr std::int64_t kChunk = 2048;    // words: a chunk and its target fit the first-level cache
constexpr std::int64_t kPart = 512;  // words: a part, its summand and their sum do, also with the lines that come ahead
constexpr std::int64_t kGrain = 1 << 14;  // words that are worth waking a thread for
constexpr std::int64_t kPiecesPerThread = 4;

// The cipher's input, which stays in the cache, so a stream writes its words once.
constexpr std::array<std::uint64_t, static_cast<std::size_t>(kChunk)> kZeros{};

// The inputs of a stream's key, in this order.
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

Shape shape_together(std::span<const BitTensor> tensors) {
  if (tensors.empty()) return {};
  const Shape shape = tensors.front().shape();
  return {shape.rows * static_cast<std::int64_t>(tensors.size()), shape.cols};
}

}  // namespace

// The cipher's key for one stream, and the first value of its counter. Wiped.
class PairSeed::Start {
 public:
  Start() = default;
  ~Start() { sodium_memzero(bytes_.data(), bytes_.size()); }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  std::span<unsigned char> bytes() { return bytes_; }
  const unsigned char* key() const { return bytes_.data(); }

  // The counter at a later block: a big-endian number of 128 bits, modulo 2^128, as the cipher counts.
  std::array<unsigned char, kCounterBytes> counter(std::uint64_t block) const {
    std::array<unsigned char, kCounterBytes> counter;
    std::copy_n(bytes_.data() + kKeyBytes, kCounterBytes, counter.data());
    std::uint64_t carry = block;
    for (std::size_t i = kCounterBytes; i-- > 0 && carry > 0;) {
      const std::uint64_t sum = counter[i] + (carry & 0xff);
      counter[i] = static_cast<unsigned char>(sum);
      carry = (carry >> 8) + (sum >> 8);
    }
    return counter;
  }

 private:
  std::array<unsigned char, kKeyBytes + kCounterBytes> bytes_;
};

// A reader of a stream: of the processor's widest instructions, or OpenSSL's.
class PairSeed::Cipher {
 public:
  Cipher() : wide_(aes_words(best_instructions())), context_(nullptr, EVP_CIPHER_CTX_free) {
    if (wide_ != nullptr) return;
    context_.reset(EVP_CIPHER_CTX_new());
    TACIT_CHECK(context_ != nullptr);
    TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ctr(), nullptr, nullptr, nullptr) == 1);
  }
  ~Cipher() { sodium_memzero(&state_, sizeof state_); }
  Cipher(const Cipher&) = delete;
  Cipher& operator=(const Cipher&) = delete;

  // Begins at `word` of a stream, which must be the first word of a block.
  void start(const Start& stream, std::int64_t word) {
    TACIT_CHECK(word % kBlockWords == 0);
    auto counter = stream.counter(static_cast<std::uint64_t>(word / kBlockWords));
    if (wide_ != nullptr) {
      wide_->start(stream.key(), counter.data(), state_);
    } else {
      TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), nullptr, nullptr, stream.key(), counter.data()) == 1);
    }
    sodium_memzero(counter.data(), counter.size());
  }

  // words = combine(words, the next words of the stream), each & mask. A call before the last one takes whole blocks.
  void draw(Combine how, std::span<std::uint64_t> words, std::uint64_t mask) {
    if (wide_ != nullptr) return wide_->draw(state_, how, words.data(), std::ssize(words), mask);
    std::array<std::uint64_t, static_cast<std::size_t>(kChunk)> buffer;
    const auto used = std::span(buffer).first(std::min(words.size(), buffer.size()));
    while (!words.empty()) {
      const auto chunk = words.first(std::min(words.size(), buffer.size()));
      words = words.subspan(chunk.size());
      const auto stream = std::span(buffer).first(chunk.size());
      next(stream);
      combine(how, chunk, stream, mask);
    }
    sodium_memzero(used.data(), used.size_bytes());
  }

 private:
  static void combine(Combine how, std::span<std::uint64_t> words, std::span<const std::uint64_t> stream,
                      std::uint64_t mask) {
    const auto each = [&](const auto& combined) {
      for (std::size_t i = 0; i < words.size(); ++i) words[i] = combined(words[i], stream[i]) & mask;
    };
    switch (how) {
      case Combine::kFill:
        return each([](std::uint64_t, std::uint64_t drawn) { return drawn; });
      case Combine::kAdd:
        return each(std::plus());
      case Combine::kSubtract:
        return each(std::minus());
      case Combine::kFlip:
        return each(std::bit_xor());
    }
  }

  // Takes at most kChunk words.
  void next(std::span<std::uint64_t> words) {
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    const auto size = static_cast<int>(words.size_bytes());
    int written = 0;
    TACIT_CHECK(words.size() <= kZeros.size());
    const auto* zeros = reinterpret_cast<const unsigned char*>(kZeros.data());
    TACIT_CHECK(EVP_EncryptUpdate(context_.get(), bytes, &written, zeros, size) == 1 && written == size);
  }

  const AesWords* wide_;
  AesState state_{};
  std::unique_ptr<EVP_CIPHER_CTX, void (*)(EVP_CIPHER_CTX*)> context_;
};

PairSeed::PairSeed(const net::Channel& channel, const Nonce& nonce, Workers* workers)
    : PairSeed(channel.export_key("mpc seed", kSeedBytes), nonce, workers) {}

PairSeed::PairSeed(net::Secret seed, const Nonce& nonce, Workers* workers)
    : key_(std::move(seed)), nonce_(nonce), workers_(workers) {
  TACIT_CHECK(sodium_init() >= 0);
  TACIT_CHECK(key_.size() == kSeedBytes);
}

PairSeed PairSeed::own(const Nonce& nonce, Workers* workers) {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret seed(kSeedBytes);
  randombytes_buf(seed.bytes().data(), seed.bytes().size());
  return PairSeed(std::move(seed), nonce, workers);
}

PairSeed::PairSeed() = default;
PairSeed::~PairSeed() = default;
PairSeed::PairSeed(PairSeed&&) noexcept = default;

void PairSeed::begin(const StreamName& name, Shape shape, int bits, Start& stream) {
  TACIT_CHECK(key_.size() == kSeedBytes);
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
  const std::span<unsigned char> made = stream.bytes();
  crypto_generichash_state state;
  crypto_generichash_init(&state, reinterpret_cast<const unsigned char*>(key_.bytes().data()), key_.bytes().size(),
                          made.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(nonce_.data()), nonce_.size());
  crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(&bytes), sizeof bytes);
  if (name.seen) {
    crypto_generichash_update(&state, reinterpret_cast<const unsigned char*>(name.seen->data()), name.seen->size());
  }
  crypto_generichash_final(&state, made.data(), made.size());
  sodium_memzero(&state, sizeof state);
}

// Calls use(cipher, begin, end) for pieces that together are the words 0 … words of the stream. The cipher is at the
// piece's first word. Pieces run on all threads; the words do not depend on the pieces.
template <typename Use>
void PairSeed::draw(const StreamName& name, Shape shape, int bits, std::int64_t words, const Use& use) {
  Start stream;
  begin(name, shape, bits, stream);
  const int threads = workers_ == nullptr ? 1 : workers_->threads();
  const std::int64_t most = threads == 1 ? 1 : kPiecesPerThread * threads;
  const std::int64_t wanted = std::clamp<std::int64_t>(words * Workers::kFinest / kGrain, 1, most);
  const std::int64_t each = std::max(kChunk, (words + wanted * kChunk - 1) / (wanted * kChunk) * kChunk);
  const std::int64_t pieces = std::max<std::int64_t>(1, (words + each - 1) / each);  // each begins with a whole block
  while (std::ssize(ciphers_) < pieces) ciphers_.push_back(std::make_unique<Cipher>());
  const auto piece = [&](std::int64_t i) {
    const std::int64_t begin = std::min(i * each, words), end = std::min(begin + each, words);
    Cipher& cipher = *ciphers_[static_cast<std::size_t>(i)];
    cipher.start(stream, begin);
    use(cipher, begin, end);
  };
  if (pieces == 1) return piece(0);
  workers_->for_each(pieces, piece, Workers::who(words, kGrain));
}

void PairSeed::draw(const StreamName& name, Shape shape, int bits, Combine how, std::span<std::uint64_t> words) {
  draw(name, shape, bits, std::ssize(words), [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    cipher.draw(how, words.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)),
                low_bits(bits));
  });
}

// Tensors of one shape, one after the other. An odd number of words puts two tensors into one block.
void PairSeed::draw(const StreamName& name, Combine how, std::span<BitTensor> bits) {
  for (const BitTensor& tensor : bits) TACIT_CHECK(tensor.shape() == bits.front().shape());
  const std::int64_t each = bits.empty() ? 0 : std::ssize(bits.front().words());
  const std::int64_t all = each * std::ssize(bits);
  const std::span<std::uint64_t> together = BitTensor::together(bits);
  draw(name, shape_together(bits), 1, all, [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t first = begin % each;
      const std::int64_t count = std::min(together.empty() ? each - first : all, end - begin);
      const auto words = together.empty() ? bits[static_cast<std::size_t>(begin / each)].words() : together;
      const std::int64_t from = together.empty() ? first : begin;
      cipher.draw(how, words.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(count)),
                  low_bits(kWordBits));
      begin += count;
    }
  });
  for (BitTensor& tensor : bits) tensor.clear_padding();
}

void PairSeed::fill(const StreamName& name, RingTensor& words) {
  draw(name, words.shape(), words.bits(), Combine::kFill, words.words());
}

void PairSeed::fill(const StreamName& name, std::span<BitTensor> bits) { draw(name, Combine::kFill, bits); }

Permutation PairSeed::order(const StreamName& name, std::int64_t count) {
  RingTensor words({words_for_permutation(count), 1}, kWordBits);
  fill(name, words);
  return permutation_from(words.words(), count);
}

void PairSeed::add(const StreamName& name, RingTensor& words) {
  draw(name, words.shape(), words.bits(), Combine::kAdd, words.words());
}

void PairSeed::subtract(const StreamName& name, RingTensor& words) {
  draw(name, words.shape(), words.bits(), Combine::kSubtract, words.words());
}

void PairSeed::fill_and_add(const StreamName& name, RingTensor& words, const RingTensor& x, std::uint64_t constant,
                            RingTensor& sum) {
  TACIT_CHECK(x.shape() == words.shape() && sum.shape() == words.shape());
  const auto add = loops(best_instructions()).add_with_constant;
  draw(name, words.shape(), words.bits(), words.size(), [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += kPart) {
      const std::int64_t count = std::min(kPart, end - at);
      cipher.draw(Combine::kFill, words.words().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)),
                  low_bits(words.bits()));
      const auto bytes = static_cast<std::int64_t>(sizeof(std::uint64_t)) * count;
      net::fetch_ahead(x.data() + at, bytes);
      net::fetch_ahead(sum.data() + at, bytes);
      add(x.data() + at, words.data() + at, constant, sum.data() + at, count, low_bits(sum.bits()));
    }
  });
}

void PairSeed::add(const StreamName& name, std::span<std::uint64_t> words) {
  draw(name, {1, std::ssize(words)}, kWordBits, Combine::kAdd, words);
}

void PairSeed::subtract(const StreamName& name, std::span<std::uint64_t> words) {
  draw(name, {1, std::ssize(words)}, kWordBits, Combine::kSubtract, words);
}

void PairSeed::flip(const StreamName& name, std::span<BitTensor> bits) { draw(name, Combine::kFlip, bits); }

}  // namespace tacit::mpc
