#include "launcher/launch/run_keys.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "tests/gnn/data/refusal.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using gnn::refusal;
using testing::HasSubstr;

class KeysOfARun : public testing::Test {
 protected:
  fs::path run() const { return folder_.path() / "run"; }
  static Job job() {
    Job job;
    job.parties = 2;
    return job;
  }

  const TemporaryFolder folder_;
};

TEST_F(KeysOfARun, LieInAFolderOfTheirUsersOwnAndAreMadeOnce) {
  const RunKeys first = run_keys(job(), run());
  EXPECT_EQ(fs::status(run() / "keys").permissions(), fs::perms::owner_all);
  const auto written = fs::last_write_time(first.keys.at(0));
  EXPECT_EQ(run_keys(job(), run()).keys, first.keys);
  EXPECT_EQ(fs::last_write_time(first.keys.at(0)), written);
}

TEST_F(KeysOfARun, LieInAFolderThatOthersCannotChangeWhateverTheUmask) {
  const mode_t before = ::umask(0);
  run_keys(job(), run() / "of" / "today");
  ::umask(before);
  constexpr auto kForOthersToRead = static_cast<fs::perms>(0755);
  for (const fs::path& made : {run(), run() / "of", run() / "of" / "today"}) {
    EXPECT_EQ(fs::status(made).permissions(), kForOthersToRead) << made;
  }
  for (const auto& entry : fs::recursive_directory_iterator(run() / "of" / "today")) {
    EXPECT_EQ(entry.status().permissions() & static_cast<fs::perms>(0077), fs::perms::none) << entry.path();
  }
}

TEST_F(KeysOfARun, AreNotPutWhereEachRankWouldLookElsewhere) {
  EXPECT_THAT(refusal([&] { run_keys(job(), run() / "{rank}"); }), HasSubstr("{rank} in its name"));
  EXPECT_FALSE(fs::exists(run()));
}

TEST_F(KeysOfARun, AreNotPutWhereOthersCouldReplaceThem) {
  fs::create_directories(run() / "keys");
  fs::permissions(run() / "keys", fs::perms(0770));
  EXPECT_THAT(refusal([&] { run_keys(job(), run()); }), HasSubstr("so others on this machine may write to it"));
  fs::remove(run() / "keys");
  fs::create_directory(folder_.path() / "elsewhere");
  fs::create_directory_symlink(folder_.path() / "elsewhere", run() / "keys");
  EXPECT_THAT(refusal([&] { run_keys(job(), run()); }), HasSubstr("is a symbolic link"));
  EXPECT_TRUE(fs::is_empty(folder_.path() / "elsewhere"));
}

}  // namespace
}  // namespace tacit::launcher
