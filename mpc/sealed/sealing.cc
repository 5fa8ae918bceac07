#include "mpc/sealed/sealing.h"

#include <sodium.h>

#include <algorithm>
#include <cstring>

#include "net/error.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kChunk = 64 * 1024;
constexpr std::int64_t kHeader = crypto_secretstream_xchacha20poly1305_HEADERBYTES;
constexpr std::int64_t kTag = crypto_secretstream_xchacha20poly1305_ABYTES;
constexpr const char* kLabel = "tacit seal";

using State = crypto_secretstream_xchacha20poly1305_state;

unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
const unsigned char* raw(const std::byte* bytes) { return reinterpret_cast<const unsigned char*>(bytes); }

void wipe(State& state) { sodium_memzero(&state, sizeof state); }

}  // namespace

std::int64_t sealed_bytes(std::int64_t content) {
  const std::int64_t chunks = std::max<std::int64_t>(1, (content + kChunk - 1) / kChunk);
  return kHeader + content + chunks * kTag;
}

Sealer::Sealer(const StorageKey& key, std::span<const std::byte> associated)
    : state_(std::make_unique<State>()),
      associated_(associated.begin(), associated.end()),
      chunk_(kChunk),
      sealed_(static_cast<std::size_t>(kHeader)) {
  const net::Secret seal = key.derived(kLabel);
  TACIT_CHECK(crypto_secretstream_xchacha20poly1305_init_push(state_.get(), raw(sealed_.data()),
                                                              raw(seal.bytes().data())) == 0);
}

Sealer::~Sealer() { wipe(*state_); }

void Sealer::append(std::span<const std::byte> content) {
  while (!content.empty()) {
    if (filled_ == kChunk) push(false);
    const auto taken = std::min(content.size(), static_cast<std::size_t>(kChunk - filled_));
    std::memcpy(chunk_.bytes().data() + filled_, content.data(), taken);
    filled_ += static_cast<std::int64_t>(taken);
    content = content.subspan(taken);
  }
}

void Sealer::push(bool last) {
  const std::size_t at = sealed_.size();
  sealed_.resize(at + static_cast<std::size_t>(filled_ + kTag));
  const unsigned char tag =
      last ? crypto_secretstream_xchacha20poly1305_TAG_FINAL : crypto_secretstream_xchacha20poly1305_TAG_MESSAGE;
  TACIT_CHECK(crypto_secretstream_xchacha20poly1305_push(
                  state_.get(), raw(sealed_.data() + at), nullptr, raw(chunk_.bytes().data()),
                  static_cast<unsigned long long>(filled_), raw(associated_.data()), associated_.size(), tag) == 0);
  associated_.clear();
  filled_ = 0;
}

std::vector<std::byte> Sealer::finish() {
  push(true);
  return std::move(sealed_);
}

Unsealer::Unsealer(const StorageKey& key, std::span<const std::byte> associated, std::span<const std::byte> sealed)
    : state_(std::make_unique<State>()), associated_(associated.begin(), associated.end()), chunk_(kChunk) {
  const net::Secret seal = key.derived(kLabel);
  broken_ = std::ssize(sealed) < kHeader + kTag || crypto_secretstream_xchacha20poly1305_init_pull(
                                                       state_.get(), raw(sealed.data()), raw(seal.bytes().data())) != 0;
  if (!broken_) sealed_ = sealed.subspan(static_cast<std::size_t>(kHeader));
}

Unsealer::~Unsealer() { wipe(*state_); }

bool Unsealer::pull() {
  const auto size = std::min<std::int64_t>(kChunk + kTag, std::ssize(sealed_));
  unsigned char tag = 0;
  broken_ = broken_ || last_ || size < kTag ||
            crypto_secretstream_xchacha20poly1305_pull(state_.get(), raw(chunk_.bytes().data()), nullptr, &tag,
                                                       raw(sealed_.data()), static_cast<unsigned long long>(size),
                                                       raw(associated_.data()), associated_.size()) != 0;
  if (broken_) return false;
  associated_.clear();
  sealed_ = sealed_.subspan(static_cast<std::size_t>(size));
  last_ = tag == crypto_secretstream_xchacha20poly1305_TAG_FINAL;
  taken_ = 0;
  filled_ = size - kTag;
  return true;
}

bool Unsealer::read(std::span<std::byte> content) {
  while (!content.empty()) {
    if (taken_ == filled_ && !pull()) return false;
    const auto taken = std::min(content.size(), static_cast<std::size_t>(filled_ - taken_));
    std::memcpy(content.data(), chunk_.bytes().data() + taken_, taken);
    taken_ += static_cast<std::int64_t>(taken);
    content = content.subspan(taken);
  }
  return !broken_;
}

bool Unsealer::finish() {
  if (taken_ == filled_ && !last_ && !pull()) return false;
  return !broken_ && last_ && taken_ == filled_ && sealed_.empty();
}

}  // namespace tacit::mpc
