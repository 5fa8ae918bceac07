#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class DataCheck : public testing::Test {
 protected:
  DataCheck() {
    ::unsetenv("RANK");
    for (const char* job : {"sensors", "citations"}) {
      const std::string file = std::string(job) + ".toml";
      fs::copy_file(fs::path(TACIT_SOURCE_DIR) / "examples/jobs" / file, path(file));
    }
    tacit({"data", "make", "sensors", "--stations", "40", "--out", path("whole.npz")});
    tacit({"data", "split", path("whole.npz"), "--job", path("sensors.toml")});
  }
  ~DataCheck() override { ::unsetenv("RANK"); }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
};

TEST_F(DataCheck, FindsNothingWrongWithTheExamplesParts) {
  for (const char* rank : {"0", "1", "2"}) {
    const Ran ran = tacit({"data", "check", path("sensors.toml"), "--rank", rank});
    EXPECT_EQ(ran.exit_code, 0) << ran;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("the file fits the job"), testing::Not(HasSubstr("wrong:"))));
  }
  fs::create_directory(path("c"));
  fs::copy_file(path("citations.toml"), path("c/citations.toml"));
  tacit({"data", "make", "communities", "--nodes", "2708", "--features", "1433", "--out", path("c/whole.npz")});
  ASSERT_EQ(tacit({"data", "split", path("c/whole.npz"), "--job", path("c/citations.toml")}).exit_code, 0);
  for (const char* rank : {"0", "1"}) {
    EXPECT_EQ(tacit({"data", "check", path("c/citations.toml"), "--rank", rank}).exit_code, 0);
  }
}

// A user checks the part before the parties align their parts.
TEST_F(DataCheck, ChecksTheFileThatIsToBeAligned) {
  const std::vector<std::string> join = {"--set", "data.join=intersection"};
  const auto with_join = [&](std::vector<std::string> words) {
    words.insert(words.end(), join.begin(), join.end());
    return tacit(words);
  };
  const Ran check = with_join({"data", "check", path("sensors.toml"), "--rank", "1"});
  EXPECT_EQ(check.exit_code, 0) << check;
  EXPECT_THAT(check.out, AllOf(HasSubstr("rank1.npz, rank 1"), HasSubstr("note: the file is not aligned"),
                               HasSubstr("run `tacit data align JOB` at every rank first")));
  const Ran plan = with_join({"plan", path("sensors.toml")});
  EXPECT_EQ(plan.exit_code, 2) << plan;
  EXPECT_THAT(plan.err, AllOf(HasSubstr("rank0.aligned.npz"), HasSubstr("run `tacit data align JOB`")));
}

TEST_F(DataCheck, NamesTheMistakeInAnotherRanksFile) {
  const Ran ran = tacit({"data", "check", path("sensors.toml"), path("rank0.npz"), "--rank", "1", "--json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.json()["ok"], false);
  EXPECT_THAT(ran.json()["wrong"][0].get<std::string>(), HasSubstr("edge_index: the job says 'edges: rank 1'"));
}

TEST_F(DataCheck, TakesAllSettingsThatFollowSetAndNothingElse) {
  const Ran ran = tacit({"data", "check", "--set", "training.epochs=3", "training.seed=7", path("sensors.toml"),
                         "--rank", "0", "--explain"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out,
              AllOf(testing::ContainsRegex("epochs = 3 +# --set"), testing::ContainsRegex("seed = 7 +# --set")));
}

TEST_F(DataCheck, SaysWhereTheOrderOfRowsIsTakenOnTrust) {
  EXPECT_THAT(tacit({"data", "check", path("sensors.toml"), "--rank", "0"}).out,
              HasSubstr("note: no ids: the parties trust that the rows are the same nodes"));
}

TEST_F(DataCheck, TakesTheRankOfTheFlagThenOfTheEnvironment) {
  const std::vector<std::string> words = {"data", "check", path("sensors.toml"), "--json"};
  EXPECT_THAT(tacit(words).err, HasSubstr("RANK is not set"));
  ::setenv("RANK", "2", 1);
  EXPECT_EQ(tacit(words).json()["rank"], 2);
  std::vector<std::string> with_flag = words;
  with_flag.insert(with_flag.end(), {"--rank", "1"});
  EXPECT_EQ(tacit(with_flag).json()["rank"], 1);
  ::setenv("RANK", "3", 1);
  EXPECT_THAT(tacit(words).err,
              HasSubstr("this is rank 3 (RANK in the environment); expected a party's, 0 ... 2: the dealer has no"));
}

TEST_F(DataCheck, ExplainsWhereEverySettingCameFrom) {
  const Ran ran =
      tacit({"data", "check", path("sensors.toml"), "--rank", "0", "--set", "training.epochs=3", "--explain"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(testing::ContainsRegex("epochs = 3 +# --set training.epochs=3"),
                             testing::ContainsRegex("bits = 64 +# default"), HasSubstr("rank 0 (--rank)")));
}

TEST_F(DataCheck, OfAJobOrAFileThatIsNoneSaysSo) {
  EXPECT_THAT(tacit({"data", "check", path("whole.npz"), "--rank", "0"}).err, HasSubstr("whole.npz"));
  EXPECT_THAT(tacit({"data", "check", path("sensors.toml"), path("sensors.toml"), "--rank", "0"}).err,
              HasSubstr("sensors.toml"));
  EXPECT_THAT(tacit({"data", "check", path("sensors.toml"), path("none.npz"), "--rank", "0"}).err,
              HasSubstr("none.npz"));
}

}  // namespace
}  // namespace tacit::launcher
