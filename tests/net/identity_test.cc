#include "net/tcp/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "net/error.h"
#include "tests/no_room.h"

namespace tacit::net {
namespace {

using testing::HasSubstr;

class IdentityFile : public testing::Test {
 protected:
  IdentityFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tacit-identity-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~IdentityFile() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  static std::string refusal(const std::function<void()>& step) {
    try {
      step();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path folder_;
};

TEST_F(IdentityFile, SavedKeyIsTheSameWhenLoaded) {
  const Identity made = Identity::generate();
  made.save(path("key"));
  EXPECT_EQ(Identity::load(path("key")).fingerprint(), made.fingerprint());
}

TEST_F(IdentityFile, IsCreatedReadableByItsOwnerOnly) {
  const mode_t before = ::umask(0);
  Identity::generate().save(path("key"));
  ::umask(before);
  struct stat about {};
  ASSERT_EQ(::stat(path("key").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
}

TEST_F(IdentityFile, IsNeverOverwritten) {
  const Identity first = Identity::generate();
  first.save(path("key"));
  EXPECT_THAT(refusal([&] { Identity::generate().save(path("key")); }), HasSubstr("never overwritten"));
  EXPECT_EQ(Identity::load(path("key")).fingerprint(), first.fingerprint());
}

TEST_F(IdentityFile, ThatCannotBeWrittenNamesTheRemedyAndIsNotThere) {
  std::string said;
  {
    const NoRoom full(8);
    said = refusal([&] { Identity::generate().save(path("full")); });
  }
  EXPECT_THAT(said, HasSubstr("File too large; free some space there"));
  EXPECT_FALSE(std::filesystem::exists(path("full")));
  EXPECT_THAT(refusal([&] { Identity::generate().save(path("none/key")); }), HasSubstr("make the folder for it"));
}

TEST_F(IdentityFile, LaxerModesAreRefusedWithTheRemedy) {
  Identity::generate().save(path("key"));
  for (const mode_t mode : {0640u, 0604u, 0620u, 0601u, 0644u, 0666u}) {
    ASSERT_EQ(::chmod(path("key").c_str(), mode), 0);
    EXPECT_THAT(refusal([&] { Identity::load(path("key")); }), HasSubstr("chmod 600")) << mode;
  }
  ASSERT_EQ(::chmod(path("key").c_str(), 0400), 0);
  EXPECT_NO_THROW(Identity::load(path("key")));
}

TEST_F(IdentityFile, WhatIsNoKeyIsRefused) {
  const auto write = [&](const std::string& content) {
    std::ofstream(path("bad")) << content;
    ::chmod(path("bad").c_str(), 0600);
  };
  EXPECT_THAT(refusal([&] { Identity::load(path("missing")); }), HasSubstr("No such file"));
  EXPECT_THAT(refusal([&] { Identity::load(folder_); }), HasSubstr("not a regular file"));
  write("");
  EXPECT_THAT(refusal([&] { Identity::load(path("bad")); }), HasSubstr("no private key"));
  write("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
  EXPECT_THAT(refusal([&] { Identity::load(path("bad")); }), HasSubstr("no private key"));
  write(std::string(20000, 'x'));
  EXPECT_THAT(refusal([&] { Identity::load(path("bad")); }), HasSubstr("too many"));
}

TEST(Fingerprint, ReadsWhatItPrints) {
  const Fingerprint f = Identity::generate().fingerprint();
  EXPECT_EQ(Fingerprint::parse(f.text()), f);
  EXPECT_EQ(Fingerprint::parse(f.grouped()), f);
  EXPECT_EQ(f.text().size(), 64u);
}

TEST(Fingerprint, RefusesOtherTexts) {
  const std::string good = Identity::generate().fingerprint().text();
  EXPECT_THROW(Fingerprint::parse(""), ConfigError);
  EXPECT_THROW(Fingerprint::parse(good.substr(1)), ConfigError);
  EXPECT_THROW(Fingerprint::parse(good + "0"), ConfigError);
  EXPECT_THROW(Fingerprint::parse("g" + good.substr(1)), ConfigError);
}

TEST(Fingerprint, DiffersFromKeyToKey) {
  EXPECT_NE(Identity::generate().fingerprint(), Identity::generate().fingerprint());
}

}  // namespace
}  // namespace tacit::net
