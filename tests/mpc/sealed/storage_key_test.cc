#include "mpc/sealed/storage_key.h"

#include <gmock/gmock.h>

#include <fstream>

#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::mpc {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class StorageKeys : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() / name; }
  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    fs::permissions(path(name), fs::perms::owner_read | fs::perms::owner_write);
    return path(name);
  }
  static std::string refusal(const std::string& key) {
    try {
      StorageKey::load(key);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(StorageKeys, AreMadeForTheirOwnerAloneAndNeverOverwritten) {
  StorageKey::make(path("a"));
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::file_size(path("a")), 32U);
  EXPECT_THROW(StorageKey::make(path("a")), ConfigError);
}

TEST_F(StorageKeys, HaveNamesThatTellThemApart) {
  StorageKey::make(path("a"));
  StorageKey::make(path("b"));
  EXPECT_EQ(StorageKey::load(path("a")).name(), StorageKey::load(path("a")).name());
  EXPECT_NE(StorageKey::load(path("a")).name(), StorageKey::load(path("b")).name());
}

TEST_F(StorageKeys, ThatOthersMayReadAreRefused) {
  StorageKey::make(path("a"));
  fs::permissions(path("a"), fs::perms::group_read, fs::perm_options::add);
  EXPECT_THAT(refusal(path("a")), HasSubstr("chmod 600"));
}

TEST_F(StorageKeys, OfAnotherLengthAreRefused) {
  EXPECT_THAT(refusal(file("short", "1234567890")), HasSubstr("expected a file of 32 random bytes"));
  EXPECT_THAT(refusal(path("missing")), HasSubstr("cannot read storage key"));
}

TEST_F(StorageKeys, HashDigestsOfDataEachInItsOwnWay) {
  StorageKey::make(path("a"));
  StorageKey::make(path("b"));
  const StorageKey key = StorageKey::load(path("a"));
  const auto plain = [](const std::string& text) { return digest_of(std::as_bytes(std::span(text))); };
  EXPECT_EQ(key.hash(plain("features")), StorageKey::load(path("a")).hash(plain("features")));
  EXPECT_NE(key.hash(plain("features")), key.hash(plain("labels")));
  EXPECT_NE(key.hash(plain("features")), StorageKey::load(path("b")).hash(plain("features")));
  EXPECT_NE(key.hash(plain("features")), plain("features"));
}

}  // namespace
}  // namespace tacit::mpc
