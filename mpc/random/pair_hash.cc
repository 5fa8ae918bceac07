#include "mpc/random/pair_hash.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>

namespace tacit::mpc {

namespace {

constexpr std::size_t kBlock = 128;  // words
constexpr std::size_t kPolyKeyWords = crypto_onetimeauth_KEYBYTES / sizeof(std::uint64_t);
// Results of NH that go into Poly1305 at once.
constexpr std::size_t kAtOnce = 32;

__extension__ using Wide = unsigned __int128;

// Of an even number of words.
Wide nh(const std::uint64_t* words, const std::uint64_t* key, std::size_t count) {
  Wide sum = 0;
  for (std::size_t i = 0; i < count; i += 2) {
    sum += static_cast<Wide>(words[i] + key[i]) * static_cast<Wide>(words[i + 1] + key[i + 1]);
  }
  return sum;
}

const unsigned char* bytes_of(const void* memory) { return static_cast<const unsigned char*>(memory); }

}  // namespace

PairHash::PairHash(PairSeed& seed)
    : key_({static_cast<std::int64_t>(kBlock), 1}, kWordBits),
      state_(std::make_unique<crypto_onetimeauth_poly1305_state>()) {
  TACIT_CHECK(sodium_init() >= 0);
  seed.fill({0, Draw::kHashKey, 0}, key_);
  RingTensor poly({static_cast<std::int64_t>(kPolyKeyWords), 1}, kWordBits);
  seed.fill({0, Draw::kHashKey, 1}, poly);
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
  const std::uint64_t length[2] = {words.size(), 0};
  crypto_onetimeauth_update(state_.get(), bytes_of(length), sizeof length);
  std::array<Wide, kAtOnce> results;
  while (!words.empty()) {
    std::size_t filled = 0;
    for (; filled < kAtOnce && words.size() >= kBlock; ++filled) {
      results[filled] = nh(words.data(), key_.data(), kBlock);
      words = words.subspan(kBlock);
    }
    if (filled < kAtOnce && !words.empty()) {  // the last block: an even number of words, the last perhaps 0
      std::array<std::uint64_t, kBlock> last{};
      std::copy(words.begin(), words.end(), last.begin());
      results[filled++] = nh(last.data(), key_.data(), (words.size() + 1) / 2 * 2);
      words = {};
    }
    crypto_onetimeauth_update(state_.get(), bytes_of(results.data()), filled * sizeof(Wide));
  }
}

HashTag PairHash::tag() const {
  crypto_onetimeauth_poly1305_state copy = *state_;
  HashTag tag;
  crypto_onetimeauth_final(&copy, reinterpret_cast<unsigned char*>(tag.data()));
  sodium_memzero(&copy, sizeof copy);
  return tag;
}

}  // namespace tacit::mpc
