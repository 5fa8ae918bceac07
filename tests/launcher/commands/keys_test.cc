#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"
#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Keys : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return folder_.path() / name; }
  std::string new_key(const std::string& name) const {
    const Ran ran = tacit({"keys", "new", file(name), "--json"});
    EXPECT_EQ(ran.exit_code, 0) << ran;
    return ran.json()["fingerprint"];
  }

  TemporaryFolder folder_;
};

TEST_F(Keys, AreMadeForTheirOwnerAloneShownAndNeverOverwritten) {
  for (const bool storage : {false, true}) {
    std::vector<std::string> words = {"keys", "new", file(storage ? "storage" : "identity")};
    if (storage) words.push_back("--storage");
    const Ran made = tacit(words);
    ASSERT_EQ(made.exit_code, 0) << made;
    struct stat about {};
    ASSERT_EQ(::stat(words[2].c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 07777, 0600u);
    const Ran again = tacit(words);
    EXPECT_EQ(again.exit_code, 2);
    EXPECT_THAT(again.err, HasSubstr("never overwritten"));
    words[1] = "show";
    EXPECT_THAT(made.out, StartsWith(tacit(words).out));
  }
}

TEST_F(Keys, HaveAFingerprintForProgramsAndOneToReadOverThePhone) {
  const std::string text = new_key("a");
  const net::Fingerprint fingerprint = net::Identity::load(file("a")).fingerprint();
  EXPECT_EQ(text, fingerprint.text());
  EXPECT_EQ(tacit({"keys", "show", file("a")}).out, fingerprint.text() + "\n" + fingerprint.grouped() + "\n");
}

TEST_F(Keys, OfOneKindAreNotShownAsTheOther) {
  new_key("a");
  EXPECT_EQ(tacit({"keys", "show", file("a"), "--storage"}).exit_code, 2);
  EXPECT_EQ(tacit({"keys", "new", file("s"), "--storage"}).exit_code, 0);
  EXPECT_EQ(tacit({"keys", "show", file("s")}).exit_code, 2);
  ::chmod(file("a").c_str(), 0644);
  EXPECT_THAT(tacit({"keys", "show", file("a")}).err, HasSubstr("chmod 600"));
}

TEST_F(Keys, MakeARosterThatEveryRankReadsAlike) {
  const std::string a = new_key("a"), b = new_key("b"), d = new_key("d");
  const std::vector<std::string> words = {"keys",     "roster", "--party", a,        "--party", b + "@node1:4711",
                                          "--dealer", d,        "--mine",  file("b")};
  const Ran made = tacit(words);
  ASSERT_EQ(made.exit_code, 0) << made;
  const net::Roster roster = net::Roster::parse(made.out, "roster");
  EXPECT_EQ(roster.parties(), 2);
  EXPECT_EQ(roster.size(), 3);
  EXPECT_EQ(roster.at(1).address->text(), "node1:4711");
  std::vector<std::string> in_json = words;
  in_json.push_back("--json");
  EXPECT_EQ(tacit(in_json).json()["own_rank"], 1);
  EXPECT_EQ(tacit(in_json).json()["roster"], made.out);
}

TEST_F(Keys, RepeatedMalformedOrUnknownMakeNoRoster) {
  const std::string a = new_key("a"), b = new_key("b"), other = new_key("other");
  const auto roster = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"keys", "roster"});
    const Ran ran = tacit(more);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_THAT(roster({"--party", a, "--party", b, "--dealer", a}),
              HasSubstr("ranks 0 and 2 have the same fingerprint"));
  EXPECT_THAT(roster({"--party", a.substr(1)}), HasSubstr("--party"));
  EXPECT_THAT(roster({"--party", a, "--dealer", b + "@nowhere"}), AllOf(HasSubstr("--dealer"), HasSubstr("nowhere")));
  EXPECT_THAT(roster({"--party", a, "--party", b, "--mine", file("other")}),
              AllOf(HasSubstr(other), HasSubstr("but no rank in the roster has it")));
  EXPECT_THAT(roster({"--dealer", a}), HasSubstr("--party"));
}

}  // namespace
}  // namespace tacit::launcher
