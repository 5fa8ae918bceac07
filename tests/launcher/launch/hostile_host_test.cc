// `tacit launch --hosts` with malicious hosts: only the files of a rank's folder arrive here, and
// files that are sent to a host are readable by its user alone.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "launcher/json.h"
#include "tests/launcher/job/small_job.h"
#include "tests/net/process.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class HostileHost : public testing::Test {
 protected:
  static constexpr int kRanks = 4;

  HostileHost() {
    fs::create_directories(at("answers"));
    write("small.toml", std::string("output = \"/home/alice/runs\"\ncorrelations = \"dealer\"\n") +
                            std::string(kSmallJob) +
                            "[preprocessing]\nfeatures = \"none\"\ntargets = \"none\"\n"
                            "[keys]\nidentity = \"/home/alice/rank{rank}.key\"\n");
    std::string hosts;
    for (int rank = 0; rank < kRanks; ++rank) hosts += fmt::format("user@host{} {}\n", rank, at(there(rank)).string());
    write("hosts", hosts);
  }

  fs::path at(const std::string& name) const { return folder_.path() / name; }
  static std::string there(int rank) { return fmt::format("there{}", rank); }
  fs::path fetched(int rank, const std::string& name) const { return at("run") / fmt::format("rank{}", rank) / name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }
  std::string text_of(const fs::path& file) const {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static unsigned mode_of(const fs::path& file) {
    struct stat about {};
    EXPECT_EQ(::lstat(file.c_str(), &about), 0) << file;
    return about.st_mode & 07777U;
  }

  // The answer of rank 1's host when files are fetched: a shell script, in which $transfer is the
  // first line.
  void answer(const std::string& script) const { write("answers/host1", script + "\n"); }

  net::Ended launch(const std::vector<std::string>& more = {}, const std::string& ssh = TACIT_FAKE_SSH,
                    const std::string& program = TACIT_HOST_STAND_IN) const {
    std::vector<std::string> words = {TACIT, "launch",    at("small.toml"), "--hosts",  at("hosts"), "--ssh",
                                      ssh,   "--program", program,          "--output", at("run")};
    words.insert(words.end(), more.begin(), more.end());
    return net::Process({words, {{"FAKE_SSH", at("answers")}}, -1}).wait(30s);
  }

  // The launch ends with an error that names rank 1's host, for every answer of that host.
  void expect_refused(const std::string& because, int exit_code = 4) const {
    const net::Ended ended = launch();
    EXPECT_EQ(ended.exit_code, exit_code) << ended;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 1's host user@host1: "), HasSubstr(because)));
  }

  TemporaryFolder folder_;
};

TEST_F(HostileHost, ThatIsNoneGivesItsAccountAndNeitherKeysNorCheckpoints) {
  const net::Ended ended = launch();
  ASSERT_EQ(ended.exit_code, 0) << ended;
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_THAT(text_of(fetched(rank, "summary.json")), HasSubstr(fmt::format("\"rank\": {}", rank)));
    EXPECT_EQ(mode_of(fetched(rank, "events.jsonl")), 0600U);
    EXPECT_EQ(mode_of(fetched(rank, "")), 0700U);
    EXPECT_FALSE(fs::exists(fetched(rank, "storage.key")) || fs::exists(fetched(rank, "checkpoints")));
  }
  EXPECT_THAT(ended.out, HasSubstr("0.5000"));
}

// To copy or to print a deep value would take more stack than there is.
TEST_F(HostileHost, CannotEndTheLaunchByADeepAccount) {
  answer(R"(deep=$(head -c 300000 /dev/zero | tr '\0' '[')
text="{\"rank\": 1, \"epochs\": 7, \"a\": $deep$(tr '[' ']' <<<"$deep")}"
echo "$transfer"; printf 'file summary.json %d\n%s' ${#text} "$text"; echo end)");
  const net::Ended ended = launch({"--json"});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_TRUE(fs::exists(fetched(1, "summary.json")));
  EXPECT_TRUE(Json::parse(ended.out).at("ranks").at(1).is_null());
  EXPECT_EQ(Json::parse(ended.out).at("ranks").at(2).at("epochs"), 5);
}

TEST_F(HostileHost, GetsItsFilesForItsUserAloneEvenAsRoot) {
  fs::create_directory(at(there(2)));
  fs::permissions(at(there(2)), fs::perms(0755));
  write("part2.npz", std::string(100'000, 'x'));
  fs::permissions(at("part2.npz"), fs::perms(0644));
  ASSERT_EQ(launch({"--set", fmt::format("data.files={}/part{{rank}}.npz", folder_.path().string())}).exit_code, 0);
  EXPECT_EQ(mode_of(at(there(2))), 0700U);
  for (const char* name : {"job.toml", "roster", "part.npz"}) EXPECT_EQ(mode_of(at(there(2)) / name), 0600U) << name;
  EXPECT_EQ(text_of(at(there(2)) / "part.npz"), text_of(at("part2.npz")));
  EXPECT_FALSE(fs::exists(at(there(1)) / "part.npz"));
}

TEST_F(HostileHost, GetsAJobWithoutThisMachinesPathsAndOtherRanksSettings) {
  const net::Ended ended = launch({"--set", "data.files=parts/of{rank}.npz", "--set", "training.epochs=7"});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  EXPECT_THAT(ended.err, HasSubstr("the job's roster and keys.identity are not used"));
  const std::string job = text_of(at(there(1)) / "job.toml");
  EXPECT_THAT(job,
              AllOf(HasSubstr("epochs = 7\n"), Not(HasSubstr("/")), Not(HasSubstr("keys")), Not(HasSubstr("files"))));
  EXPECT_THAT(text_of(at(there(1)) / "arguments"), AllOf(HasSubstr("--data parts/of1.npz"), Not(HasSubstr("of0"))));
  EXPECT_THAT(text_of(at(there(3)) / "arguments"), Not(HasSubstr("--data")));
}

TEST_F(HostileHost, GetsTheSettingsOfAServiceOfItsOwnRank) {
  ASSERT_EQ(launch({"--serve", "--set", "serve.nodes_per_request=7", "--set", "serve.requests_per_minute=9", "--set",
                    "serve.folder=asks{rank}", "--set", "serve.http=127.0.0.1:8080"})
                .exit_code,
            0);
  const std::string arguments = text_of(at(there(1)) / "arguments");
  EXPECT_THAT(arguments, AllOf(HasSubstr("--set serve.nodes_per_request=7"), HasSubstr("serve.requests_per_minute=9"),
                               HasSubstr("serve.folder=asks1"), HasSubstr("serve.http=127.0.0.1:8080")));
  EXPECT_THAT(arguments, Not(HasSubstr("serve.socket")));
  EXPECT_THAT(text_of(at(there(3)) / "arguments"), Not(HasSubstr("serve.")));
}

// The folder there has the tables of the folder here, and none of an earlier part.
TEST_F(HostileHost, GetsAPartThatIsAFolderOfTables) {
  for (const char* folder : {"part2", "there2", "there2/part"}) fs::create_directory(at(folder));
  write("part2/nodes.csv", "id,a\nx,1\n");
  write("part2/edges.csv", "from,to\n");
  write("part2/notes.txt", "not of the graph");
  write("there2/part/pairs.csv", "from,to\n");
  ASSERT_EQ(launch({"--set", fmt::format("data.files={}/part{{rank}}", folder_.path().string())}).exit_code, 0);
  EXPECT_EQ(text_of(at("there2/part/nodes.csv")), "id,a\nx,1\n");
  EXPECT_EQ(text_of(at("there2/part/edges.csv")), "from,to\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(at("there2/part")), {}), 2);
  EXPECT_EQ(mode_of(at("there2/part")), 0700U);
  EXPECT_EQ(mode_of(at("there2/part/nodes.csv")), 0600U);
  EXPECT_THAT(text_of(at(there(2)) / "arguments"), HasSubstr("--data part "));
}

TEST_F(HostileHost, GetsThePathOfItsPrivacyLedgerUnlessTheLedgerIsHere) {
  write("small.toml", replaced(std::string(kPrivateJob), "parties = 2", "parties = 3") +
                          "epsilon = 1.0\nledger = \"ledgers/{rank}\"\n");
  ASSERT_EQ(launch().exit_code, 0);
  EXPECT_THAT(text_of(at(there(1)) / "arguments"), HasSubstr("--set privacy.ledger=ledgers/1"));
  EXPECT_THAT(text_of(at(there(3)) / "arguments"), Not(HasSubstr("ledger"))) << "the dealer has none";
  fs::create_directory(at("ledgers"));
  write("ledgers/1", "spent");
  fs::remove(at(there(1)) / "arguments");
  const net::Ended ended = launch();
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, AllOf(HasSubstr("rank 1's privacy ledger"), HasSubstr("move the ledger into the folder")));
  EXPECT_FALSE(fs::exists(at(there(1)) / "arguments"));
}

TEST_F(HostileHost, TrainsWithEachSeedInAFolderOfItsOwn) {
  const net::Ended ended = launch({"--seeds", "3,8"});
  ASSERT_EQ(ended.exit_code, 0) << ended;
  for (const char* seed : {"seed-3", "seed-8"}) {
    EXPECT_TRUE(fs::exists(at(there(1)) / "run" / seed / "rank1/summary.json")) << seed;
    EXPECT_TRUE(fs::exists(at("run") / seed / "rank1/summary.json")) << seed;
  }
}

TEST_F(HostileHost, ThatCannotBeReachedIsNamedWithTheCommandThatShouldReachIt) {
  write("hosts",
        fmt::format("user@host0 {0}\nuser@host1:2222 {0}\nuser@host2 {0}\nuser@host3 {0}\n", at("x").string()));
  write("ssh", "#!/bin/sh\necho no route >&2; exit 255\n");
  fs::permissions(at("ssh"), fs::perms::owner_all);
  const net::Ended ended = launch({}, at("ssh").string() + " -i my.key");
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.err, testing::ContainsRegex("`[^`]*ssh -i my.key( -p 2222 user@host1| user@host[023])` gets in"));
}

TEST_F(HostileHost, CannotWriteThroughALinkThatAnEarlierFetchLeft) {
  ASSERT_EQ(launch().exit_code, 0);
  fs::create_directory(at("victim"));
  fs::remove(fetched(1, "events.jsonl"));
  fs::create_symlink(at("victim"), fetched(1, "x"));  // an archive could make such a link
  fs::create_symlink(at("victim") / "authorized_keys", fetched(1, "events.jsonl"));
  answer(R"(echo "$transfer"; printf 'file events.jsonl 4\nevil'; printf 'file x/authorized_keys 4\nevil'; echo end)");
  expect_refused("it sent a file named \"x/authorized_keys\"");
  EXPECT_TRUE(fs::is_empty(at("victim")));
  EXPECT_FALSE(fs::is_symlink(fetched(1, "events.jsonl")));
  EXPECT_EQ(text_of(fetched(1, "events.jsonl")), "evil");
}

TEST_F(HostileHost, CannotKeepTheLaunchBusyBeforeItsRankStarts) {
  write("chatter", "#!/bin/sh\nif [ \"$2\" = show ]; then yes; else exec " TACIT_HOST_STAND_IN " \"$@\"; fi\n");
  fs::permissions(at("chatter"), fs::perms::owner_all);
  const net::Ended ended = launch({}, TACIT_FAKE_SSH, at("chatter").string());
  EXPECT_EQ(ended.exit_code, 4) << ended;
  EXPECT_THAT(ended.err, HasSubstr("making a key gave more than 10000 lines"));
}

TEST_F(HostileHost, CannotSendAnArchiveALinkASetUidFileOrAFifo) {
  answer(
      R"(cd "$FAKE_SSH" && mkfifo events.jsonl && cp /bin/true shell && chmod 4755 shell && tar -c events.jsonl shell)");
  expect_refused("it sent");
  EXPECT_TRUE(fs::is_empty(fetched(1, "")));
}

TEST_F(HostileHost, CannotNameAFolderAboveOrAnUnexpectedFile) {
  for (const char* name : {"../evil", "/tmp/evil", "rank.key", "checkpoints", "summary.json/x", ".", ""}) {
    answer(fmt::format("echo \"$transfer\"; printf 'file {} 4\\nevil'; echo end", name));
    expect_refused("it sent ");
    EXPECT_TRUE(fs::is_empty(fetched(1, ""))) << name;
  }
}

TEST_F(HostileHost, ThatSendsWithoutEndIsCutOff) {
  answer(R"(echo "$transfer"; echo 'file summary.json 99999999999'; cat /dev/zero)");
  expect_refused("its summary.json has 99999999999 bytes, and at most 16777216 are fetched", 2);
  answer(R"(echo "$transfer"; printf 'file summary.json 2\n{}'; cat /dev/zero)");
  expect_refused("it sent a line of more than 100 bytes");
  answer("yes greeting");
  expect_refused("it sent 64 KiB before any file");
  answer(R"(echo "$transfer"; printf 'file summary.json 2\n{}'; echo end; yes)");
  expect_refused("it sent more after its end");
}

TEST_F(HostileHost, WithWrongFramingIsRefused) {
  answer(R"(echo "$transfer"; printf 'file summary.json 100\nshort')");
  expect_refused("it sent less than it announced");
  EXPECT_TRUE(fs::is_empty(fetched(1, "")));
  for (const char* size : {"-1", "1e3", "0x10", "99999999999999999999999", ""}) {
    answer(fmt::format("echo \"$transfer\"; echo 'file summary.json {}'; echo end", size));
    expect_refused("it sent ");
  }
  answer(R"(echo "$transfer"; printf 'file job.toml 1\na'; printf 'file job.toml 1\nb'; echo end)");
  expect_refused("it sent job.toml twice");
  answer("echo 'files of 0123456789abcdef'; echo end");
  expect_refused("it sent less than it announced");
}

TEST_F(HostileHost, WithAFifoInItsFolderHereDoesNotHangTheLauncher) {
  ASSERT_EQ(launch().exit_code, 0);
  fs::remove(fetched(1, "events.jsonl"));
  ASSERT_EQ(::mkfifo(fetched(1, "events.jsonl").c_str(), 0600), 0);
  answer(R"(echo "$transfer"; printf 'file summary.json 13\n{"epochs": 5}'; echo end)");
  const net::Ended ended = launch();
  EXPECT_EQ(ended.exit_code, 0) << ended;
  EXPECT_FALSE(ended.overdue);
  const net::Ended report = net::Process({{TACIT, "report", at("run")}, {}, -1}).wait(20s);
  EXPECT_EQ(report.exit_code, 0) << report;
}

TEST_F(HostileHost, IsNotFetchedIntoAFolderThatOthersMayWriteTo) {
  fs::create_directories(fetched(1, ""));
  fs::permissions(fetched(1, ""), fs::perms(0777));
  const net::Ended ended = launch();
  EXPECT_EQ(ended.exit_code, 2) << ended;
  EXPECT_THAT(ended.err, HasSubstr("so others on this machine may write to it; expected 0700"));
}

}  // namespace
}  // namespace tacit::launcher
