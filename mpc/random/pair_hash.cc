#include "mpc/random/pair_hash.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "net/fetch_ahead.h"

namespace tacit::mpc {

namespace {

constexpr std::size_t kBlock = 128;  // words
constexpr std::size_t kBlockBytes = kBlock * sizeof(std::uint64_t);
constexpr std::size_t kPolyKeyWords = crypto_onetimeauth_KEYBYTES / sizeof(std::uint64_t);
// Results of NH that go into Poly1305 at once.
constexpr std::size_t kAtOnce = 32;

__extension__ using Wide = unsigned __int128;

std::uint64_t load(const std::byte* from) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}

// NH of an even number of words.
Wide nh(const std::byte* words, const std::uint64_t* key, std::size_t count) {
  net::fetch_ahead(words, static_cast<std::int64_t>(count * sizeof(std::uint64_t)));
  Wide sum = 0;
  for (std::size_t i = 0; i < count; i += 2, words += 2 * sizeof(std::uint64_t)) {
    sum +=
        static_cast<Wide>(load(words) + key[i]) * static_cast<Wide>(load(words + sizeof(std::uint64_t)) + key[i + 1]);
  }
  return sum;
}

const unsigned char* bytes_of(const void* memory) { return static_cast<const unsigned char*>(memory); }

// NH of the blocks of one message, on its way into Poly1305.
class Blocks {
 public:
  Blocks(const std::uint64_t* key, crypto_onetimeauth_poly1305_state* state) : key_(key), state_(state) {}

  void add(net::ConstBytes piece) {
    if (begun_ > 0) {
      const net::ConstBytes part = piece.first(std::min(piece.size(), kBlockBytes - begun_));
      begin_block(part);
      piece = piece.subspan(part.size());
      if (begun_ == kBlockBytes) end_block();
    }
    for (; piece.size() >= kBlockBytes; piece = piece.subspan(kBlockBytes)) add_block(piece.data(), kBlock);
    begin_block(piece);
  }

  void finish() {
    if (begun_ > 0) end_block();
    flush();
  }

 private:
  void begin_block(net::ConstBytes part) {
    std::copy(part.begin(), part.end(), block_.begin() + static_cast<std::ptrdiff_t>(begun_));
    begun_ += part.size();
  }

  // The last one of a message is padded with zeros to an even number of words.
  void end_block() {
    constexpr std::size_t kTwoWords = 2 * sizeof(std::uint64_t);
    const std::size_t padded = (begun_ + kTwoWords - 1) / kTwoWords * kTwoWords;
    std::fill(block_.begin() + static_cast<std::ptrdiff_t>(begun_),
              block_.begin() + static_cast<std::ptrdiff_t>(padded), std::byte{0});
    add_block(block_.data(), padded / sizeof(std::uint64_t));
    begun_ = 0;
  }

  void add_block(const std::byte* words, std::size_t count) {
    results_[filled_++] = nh(words, key_, count);
    if (filled_ == kAtOnce) flush();
  }

  void flush() {
    crypto_onetimeauth_update(state_, bytes_of(results_.data()), filled_ * sizeof(Wide));
    filled_ = 0;
  }

  const std::uint64_t* key_;
  crypto_onetimeauth_poly1305_state* state_;
  std::array<std::byte, kBlockBytes> block_;  // the first `begun_` bytes are filled
  std::size_t begun_ = 0;
  std::array<Wide, kAtOnce> results_;
  std::size_t filled_ = 0;
};

}  // namespace

PairHash::PairHash(PairSeed& seed, int number)
    : key_({static_cast<std::int64_t>(kBlock), 1}, kWordBits),
      state_(std::make_unique<crypto_onetimeauth_poly1305_state>()) {
  TACIT_CHECK(sodium_init() >= 0);
  seed.fill({0, Draw::kHashKey, 2 * number}, key_);
  RingTensor poly({static_cast<std::int64_t>(kPolyKeyWords), 1}, kWordBits);
  seed.fill({0, Draw::kHashKey, 2 * number + 1}, poly);
  crypto_onetimeauth_init(state_.get(), bytes_of(poly.data()));
  sodium_memzero(poly.data(), poly.words().size_bytes());
}

PairHash::~PairHash() {
  if (!state_) return;
  sodium_memzero(state_.get(), sizeof *state_);
  sodium_memzero(key_.data(), key_.words().size_bytes());
}

PairHash::PairHash(PairHash&&) noexcept = default;

void PairHash::absorb(std::span<const std::uint64_t> words) {
  const net::ConstBytes bytes = std::as_bytes(words);
  absorb(std::span(&bytes, 1));
}

void PairHash::absorb(std::span<const net::ConstBytes> message) {
  std::uint64_t length[2] = {};
  for (const net::ConstBytes piece : message) length[0] += piece.size();
  crypto_onetimeauth_update(state_.get(), bytes_of(length), sizeof length);
  Blocks blocks(key_.data(), state_.get());
  for (const net::ConstBytes piece : message) blocks.add(piece);
  blocks.finish();
}

std::int64_t PairHash::digest_entries(std::int64_t words) {
  constexpr auto kWords = static_cast<std::int64_t>(kBlock);
  return 1 + (words + kWords - 1) / kWords;
}

void PairHash::digest(std::span<const std::uint64_t> words, std::span<Entry> digest) const {
  TACIT_CHECK(std::ssize(digest) == digest_entries(std::ssize(words)));
  digest.front() = words.size_bytes();  // as absorb: the length in the lower half
  std::size_t at = 1;
  for (; words.size() >= kBlock; words = words.subspan(kBlock)) {
    digest[at++] = nh(std::as_bytes(words).data(), key_.data(), kBlock);
  }
  if (words.empty()) return;
  std::array<std::uint64_t, kBlock> last{};  // zeros after the words, up to an even number of words
  std::copy(words.begin(), words.end(), last.begin());
  digest[at] = nh(std::as_bytes(std::span(last)).data(), key_.data(), (words.size() + 1) / 2 * 2);
}

void PairHash::absorb_digests(std::span<const Entry> digests) {
  crypto_onetimeauth_update(state_.get(), bytes_of(digests.data()), digests.size_bytes());
}

HashTag PairHash::tag() const {
  crypto_onetimeauth_poly1305_state copy = *state_;
  HashTag tag;
  crypto_onetimeauth_final(&copy, reinterpret_cast<unsigned char*>(tag.data()));
  sodium_memzero(&copy, sizeof copy);
  return tag;
}

}  // namespace tacit::mpc
