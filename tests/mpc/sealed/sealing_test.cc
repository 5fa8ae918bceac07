#include "mpc/sealed/sealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/temporary_folder.h"

namespace tacit::mpc {
namespace {

using Bytes = std::vector<std::byte>;

class Sealing : public testing::Test {
 protected:
  Sealing() : key_(new_key("a")), other_key_(new_key("b")) {}

  static Bytes random_bytes(std::int64_t size) {
    std::mt19937_64 random(static_cast<std::uint64_t>(size));
    Bytes bytes(static_cast<std::size_t>(size));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
  }
  Bytes sealed(const Bytes& content) const {
    Sealer sealer(key_, associated_);
    const auto half = content.size() / 2;
    sealer.append(std::span(content).first(half));
    sealer.append(std::span(content).subspan(half));
    return sealer.finish();
  }
  // Empty if the seal is broken.
  Bytes opened(const Bytes& message, std::int64_t size, const StorageKey& key, const Bytes& associated) const {
    Unsealer unsealer(key, associated, message);
    Bytes content(static_cast<std::size_t>(size));
    return unsealer.read(content) && unsealer.finish() ? content : Bytes();
  }
  Bytes opened(const Bytes& message, std::int64_t size) const { return opened(message, size, key_, associated_); }

  StorageKey new_key(const std::string& name) const {
    StorageKey::make(folder_.path() / name);
    return StorageKey::load(folder_.path() / name);
  }

  TemporaryFolder folder_;
  StorageKey key_, other_key_;
  const Bytes associated_ = random_bytes(77);
};

TEST_F(Sealing, GivesBackWhatWasSealedAndIsAsLongAsStated) {
  for (const std::int64_t size : {1, 100, 65535, 65536, 65537, 131072, 300000}) {
    const Bytes content = random_bytes(size);
    const Bytes message = sealed(content);
    EXPECT_EQ(std::ssize(message), sealed_bytes(size));
    EXPECT_EQ(opened(message, size), content);
  }
  EXPECT_EQ(std::ssize(sealed({})), sealed_bytes(0));
  EXPECT_TRUE(Unsealer(key_, associated_, sealed({})).finish());
}

TEST_F(Sealing, IsDifferentEveryTimeAndHidesItsContent) {
  const Bytes content(1000, std::byte{7});
  EXPECT_NE(sealed(content), sealed(content));
  const Bytes message = sealed(content);
  const std::array<std::byte, 8> run{content[0], content[0], content[0], content[0],
                                     content[0], content[0], content[0], content[0]};
  EXPECT_EQ(std::search(message.begin(), message.end(), run.begin(), run.end()), message.end());
}

TEST_F(Sealing, IsBrokenByAnotherKeyAnotherBesideAndAnyChange) {
  const std::int64_t size = 70000;
  const Bytes message = sealed(random_bytes(size));
  EXPECT_TRUE(opened(message, size, other_key_, associated_).empty());
  EXPECT_TRUE(opened(message, size, key_, random_bytes(78)).empty());
  for (std::size_t at = 0; at < message.size(); at += 997) {
    Bytes changed = message;
    changed[at] ^= std::byte{1};
    EXPECT_TRUE(opened(changed, size).empty()) << at;
  }
}

TEST_F(Sealing, IsBrokenByALostOrMovedOrFurtherChunk) {
  constexpr std::int64_t kSealedChunk = 65536 + 17;
  const std::int64_t size = 3 * 65536;
  const Bytes message = sealed(random_bytes(size));
  const auto chunk = [&](int i) { return message.begin() + 24 + i * kSealedChunk; };
  EXPECT_TRUE(opened(Bytes(message.begin(), chunk(2)), 2 * 65536).empty());  // the last piece is lost: no end
  Bytes swapped = message;
  std::swap_ranges(swapped.begin() + 24, swapped.begin() + 24 + kSealedChunk, swapped.begin() + 24 + kSealedChunk);
  EXPECT_TRUE(opened(swapped, size).empty());
  Bytes longer = message;
  longer.insert(longer.end(), chunk(2), message.end());
  EXPECT_TRUE(opened(longer, size).empty());
  EXPECT_TRUE(opened(message, size - 1).empty());  // more was sealed than is read
  EXPECT_TRUE(opened(message, size + 1).empty());
  EXPECT_TRUE(opened({}, 1).empty());
}

}  // namespace
}  // namespace tacit::mpc
