// The program that users make keys and rosters with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

Ended tacit_keys(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), TACIT_KEYS);
  return Process(Command{arguments, {}, -1}).wait(20s);
}

TEST(TacitKeys, MakesAKeyShowsItAndNeverOverwritesIt) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "key";
  const Ended made = tacit_keys({"new", file});
  ASSERT_EQ(made.exit_code, 0) << made;
  const Fingerprint fingerprint = Identity::load(file).fingerprint();
  EXPECT_EQ(made.out, fingerprint.text() + "\n" + fingerprint.grouped() + "\n");
  struct stat about {};
  ASSERT_EQ(::stat(file.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
  EXPECT_EQ(tacit_keys({"show", file}).out, made.out);
  const Ended again = tacit_keys({"new", file});
  EXPECT_EQ(again.exit_code, 2) << again;
  EXPECT_THAT(again.err, HasSubstr("never overwritten"));
  EXPECT_EQ(Identity::load(file).fingerprint(), fingerprint);
}

TEST(TacitKeys, PutsARosterTogether) {
  const std::string a = Identity::generate().fingerprint().text();
  const std::string b = Identity::generate().fingerprint().grouped();
  const std::string c = Identity::generate().fingerprint().text();
  const Ended ended = tacit_keys({"roster", "--party", a, "--dealer", c, "--party", b + "@node1:4711"});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  const Roster roster = Roster::parse(ended.out, "roster");
  EXPECT_EQ(roster.parties(), 2);
  EXPECT_EQ(roster.at(1).fingerprint, Fingerprint::parse(b));
  EXPECT_EQ(roster.at(1).address, (Endpoint{"node1", 4711}));
  EXPECT_EQ(roster.rank_of(Fingerprint::parse(c)), 2);
}

TEST(TacitKeys, WrongUseIsAConfigErrorThatSaysWhatIsWrong) {
  const Ended nothing = tacit_keys({});
  EXPECT_EQ(nothing.exit_code, 2) << nothing;
  const Ended twice = tacit_keys({"roster", "--party", std::string(64, 'a'), "--party", std::string(64, 'a')});
  EXPECT_EQ(twice.exit_code, 2) << twice;
  EXPECT_THAT(twice.err, HasSubstr("same fingerprint"));
  EXPECT_EQ(tacit_keys({"--help"}).exit_code, 0);
}

}  // namespace
}  // namespace tacit::net
