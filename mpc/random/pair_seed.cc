#include "mpc/random/pair_seed.h"

#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <span>

namespace tacit::mpc {

namespace {

constexpr std::size_t kKeyBytes = 16;
constexpr std::size_t kCounterBytes = 16;
constexpr std::int64_t kBlockWords = 2;   // AES makes this many for one value of the counter
constexpr std::int64_t kChunk = 2048;     // words: a chunk and its target fit the first-level cache
constexpr std::int64_t kGrain = 1 << 14;  // words that are worth waking a thread for
constexpr std::int64_t kPiecesPerThread = 4;

// The cipher's input. It stays in the cache, so a stream writes its words once.
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

Shape together(std::span<const BitTensor> tensors) {
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

class PairSeed::Cipher {
 public:
  Cipher() : context_(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free) {
    TACIT_CHECK(context_ != nullptr);
    TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), EVP_aes_128_ctr(), nullptr, nullptr, nullptr) == 1);
  }

  // At this word of a stream: the first of a block.
  void start(const Start& stream, std::int64_t word) {
    TACIT_CHECK(word % kBlockWords == 0);
    auto counter = stream.counter(static_cast<std::uint64_t>(word / kBlockWords));
    TACIT_CHECK(EVP_EncryptInit_ex(context_.get(), nullptr, nullptr, stream.key(), counter.data()) == 1);
    sodium_memzero(counter.data(), counter.size());
  }

  // The next words of the stream, at most kChunk.
  void next(std::span<std::uint64_t> words) {
    auto* bytes = reinterpret_cast<unsigned char*>(words.data());
    const auto size = static_cast<int>(words.size_bytes());
    int written = 0;
    TACIT_CHECK(words.size() <= kZeros.size());
    const auto* zeros = reinterpret_cast<const unsigned char*>(kZeros.data());
    TACIT_CHECK(EVP_EncryptUpdate(context_.get(), bytes, &written, zeros, size) == 1 && written == size);
  }

  // Calls use(words of the stream, place of the first) for chunk after chunk of begin … end.
  template <typename Use>
  void for_chunks(std::int64_t begin, std::int64_t end, const Use& use) {
    std::array<std::uint64_t, static_cast<std::size_t>(kChunk)> buffer;
    for (std::int64_t at = begin; at < end; at += kChunk) {
      const auto chunk = std::span(buffer).first(static_cast<std::size_t>(std::min(kChunk, end - at)));
      next(chunk);
      use(chunk, at);
    }
    sodium_memzero(buffer.data(), sizeof buffer);
  }

 private:
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
  const std::int64_t pieces = std::clamp<std::int64_t>(words / kGrain, 1, most);
  const std::int64_t each = (words / pieces + kChunk) / kChunk * kChunk;
  while (std::ssize(ciphers_) < pieces) ciphers_.push_back(std::make_unique<Cipher>());
  const auto piece = [&](std::int64_t i) {
    const std::int64_t begin = std::min(i * each, words), end = std::min(begin + each, words);
    Cipher& cipher = *ciphers_[static_cast<std::size_t>(i)];
    cipher.start(stream, begin);
    use(cipher, begin, end);
  };
  if (pieces == 1) return piece(0);
  workers_->for_each(pieces, piece);
}

// The same of tensors of one shape, one after the other: calls use(cipher, the words of one tensor in this piece).
template <typename Use>
void PairSeed::draw(const StreamName& name, std::span<BitTensor> bits, const Use& use) {
  for (const BitTensor& tensor : bits) TACIT_CHECK(tensor.shape() == bits.front().shape());
  const std::int64_t each = bits.empty() ? 0 : std::ssize(bits.front().words());
  draw(name, together(bits), 1, each * std::ssize(bits), [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      BitTensor& tensor = bits[static_cast<std::size_t>(begin / each)];
      const std::int64_t first = begin % each, count = std::min(each - first, end - begin);
      use(cipher, tensor.words().subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
      begin += count;
    }
  });
  for (BitTensor& tensor : bits) tensor.clear_padding();
}

void PairSeed::fill(const StreamName& name, RingTensor& words) {
  const std::uint64_t mask = low_bits(words.bits());
  const auto piece = [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    for (std::int64_t at = begin; at < end; at += kChunk) {
      const auto chunk =
          words.words().subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(std::min(kChunk, end - at)));
      cipher.next(chunk);
      for (std::uint64_t& word : chunk) word &= mask;
    }
  };
  draw(name, words.shape(), words.bits(), words.size(), piece);
}

void PairSeed::fill(const StreamName& name, std::span<BitTensor> bits) {
  draw(name, bits, [](Cipher& cipher, std::span<std::uint64_t> words) {
    for (; !words.empty(); words = words.subspan(std::min<std::size_t>(kChunk, words.size()))) {
      cipher.next(words.first(std::min<std::size_t>(kChunk, words.size())));
    }
  });
}

// words[i] = combine(words[i], stream[i]), reduced.
template <typename Combine>
void PairSeed::combine(const StreamName& name, Shape shape, int bits, std::uint64_t* words, const Combine& combine) {
  const std::uint64_t mask = low_bits(bits);
  const auto piece = [&](Cipher& cipher, std::int64_t begin, std::int64_t end) {
    cipher.for_chunks(begin, end, [&](std::span<const std::uint64_t> stream, std::int64_t at) {
      std::uint64_t* to = words + at;
      for (std::size_t i = 0; i < stream.size(); ++i) to[i] = combine(to[i], stream[i]) & mask;
    });
  };
  draw(name, shape, bits, shape.size(), piece);
}

void PairSeed::add(const StreamName& name, RingTensor& words) {
  combine(name, words.shape(), words.bits(), words.data(), std::plus());
}

void PairSeed::subtract(const StreamName& name, RingTensor& words) {
  combine(name, words.shape(), words.bits(), words.data(), std::minus());
}

void PairSeed::add(const StreamName& name, std::span<std::uint64_t> words) {
  combine(name, {1, std::ssize(words)}, kWordBits, words.data(), std::plus());
}

void PairSeed::subtract(const StreamName& name, std::span<std::uint64_t> words) {
  combine(name, {1, std::ssize(words)}, kWordBits, words.data(), std::minus());
}

void PairSeed::flip(const StreamName& name, std::span<BitTensor> bits) {
  draw(name, bits, [](Cipher& cipher, std::span<std::uint64_t> words) {
    cipher.for_chunks(0, std::ssize(words), [&](std::span<const std::uint64_t> stream, std::int64_t at) {
      for (std::size_t i = 0; i < stream.size(); ++i) words[static_cast<std::size_t>(at) + i] ^= stream[i];
    });
  });
}

}  // namespace tacit::mpc
