#include <gmock/gmock.h>

#include <fstream>

#include "bench/data/sensors.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/split.h"
#include "tests/gnn/data/small_graph.h"
#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DataSplit : public testing::Test {
 protected:
  DataSplit() {
    tacit({"data", "make", "sensors", "--stations", "40", "--out", path("whole.npz")});
    fs::copy_file(fs::path(TACIT_SOURCE_DIR) / "examples/jobs/sensors.toml", path("sensors.toml"));
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::vector<gnn::GraphData> parts(const std::string& under, int count) const {
    std::vector<gnn::GraphData> all;
    for (int rank = 0; rank < count; ++rank) {
      all.push_back(gnn::read_graph(fs::path(path(under)) / ("rank" + std::to_string(rank) + ".npz")));
    }
    return all;
  }

  TemporaryFolder folder_;
};

TEST_F(DataSplit, ByAJobGivesPartsThatMakeTheGraphAgain) {
  const Ran ran = tacit({"data", "split", path("whole.npz"), "--job", path("sensors.toml"), "--out", path("parts")});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, HasSubstr("rank 1: "));
  const gnn::GraphData whole = gnn::merge(parts("parts", 3), gnn::owned("columns", "rank 1", "rank 2", "public"));
  const gnn::GraphData made = gnn::make_sensors({.stations = 40});
  EXPECT_EQ(*whole.x, *made.x);
  EXPECT_EQ(whole.edges->from, made.edges->from);
  EXPECT_EQ(*whole.targets, *made.targets);
}

TEST_F(DataSplit, WithoutAFolderGoesWhereTheJobSaysTheFilesAre) {
  ASSERT_EQ(tacit({"data", "split", path("whole.npz"), "--job", path("sensors.toml")}).exit_code, 0);
  EXPECT_EQ(parts("", 3)[2].x->cols(), 2);
}

TEST_F(DataSplit, IntoAFolderHasTheNamesInTheJob) {
  const auto split = [&](const std::string& files, const std::string& folder) {
    return tacit({"data", "split", path("whole.npz"), "--job", path("sensors.toml"), "--set", "data.files=" + files,
                  "--out", path(folder)})
        .exit_code;
  };
  EXPECT_EQ(split("elsewhere/sp{rank}.npz", "named"), 0);
  for (const char* name : {"sp0.npz", "sp1.npz", "sp2.npz"}) EXPECT_TRUE(fs::exists(path("named") + "/" + name));
  EXPECT_EQ(split("part{rank}/data.npz", "alike"), 0);
  EXPECT_EQ(split("folder{rank}", "folders"), 0);
  for (const char* folder : {"alike", "folders"}) EXPECT_EQ(parts(folder, 3)[2].x->cols(), 2) << "rank0.npz and so on";
}

TEST_F(DataSplit, WithoutAJobGoesByItsOptions) {
  const Ran ran = tacit({"data", "split", path("whole.npz"), "--parties", "2", "--features", "rows", "--edges", "edges",
                         "--labels", "rows", "--out", path("two"), "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(ran.json()["parts"].size(), 2u);
  EXPECT_EQ(ran.json()["parts"][1]["own_rows"], Json({20, 20}));
}

TEST_F(DataSplit, ThatCannotBeDoneLeavesNothingBehind) {
  const auto split = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"data", "split", path("whole.npz"), "--out", path("parts")});
    const Ran ran = tacit(more);
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_FALSE(fs::exists(path("parts/rank0.npz")));
    return ran.err;
  };
  EXPECT_THAT(split({"--parties", "3"}), HasSubstr("--features is missing"));
  EXPECT_THAT(split({"--features", "columns"}), HasSubstr("--parties is 0"));
  EXPECT_THAT(split({"--parties", "3", "--features", "columns 9,9,9", "--edges", "none", "--labels", "rank 0"}),
              HasSubstr("more than the 8 there are"));
  EXPECT_THAT(split({"--parties", "3", "--features", "columns", "--edges", "rank 7", "--labels", "rank 0"}),
              HasSubstr("there is no such rank"));
  EXPECT_THAT(split({"--job", path("sensors.toml"), "--parties", "3"}), HasSubstr("--parties"));
  EXPECT_THAT(split({"--job", path("sensors.toml"), "--set", "data.features=rows 1,2,3"}), HasSubstr("rows"));
  EXPECT_THAT(split({"--job", path("none.toml")}), HasSubstr("none.toml"));
  const Ran one = tacit(
      {"data", "split", path("whole.npz"), "--job", path("sensors.toml"), "--set", "data.files=" + path("one.npz")});
  EXPECT_THAT(one.err, HasSubstr("two ranks would have this file"));
  EXPECT_FALSE(fs::exists(path("one.npz")));
}

TEST_F(DataSplit, KeepsFilesThatAreThereAndTakesBackItsOwnWhenOneCannotBeWritten) {
  fs::create_directories(path("parts"));
  std::ofstream(path("parts/rank2.npz")) << "mine";
  const std::vector<std::string> words = {"data",  "split",      path("whole.npz"), "--job", path("sensors.toml"),
                                          "--out", path("parts")};
  EXPECT_THAT(tacit(words).err, HasSubstr("rank2.npz is there already"));
  EXPECT_FALSE(fs::exists(path("parts/rank0.npz")));
  fs::remove(path("parts/rank2.npz"));
  fs::create_directory(path("parts/rank2.npz"));
  std::vector<std::string> forced = words;
  forced.push_back("--force");
  const Ran ran = tacit(forced);
  EXPECT_EQ(ran.exit_code, 2) << ran;
  EXPECT_FALSE(fs::exists(path("parts/rank0.npz"))) << "half a split serves nobody";
}

TEST_F(DataSplit, OfAPartIsRefused) {
  tacit({"data", "split", path("whole.npz"), "--parties", "2", "--features", "rows", "--edges", "edges", "--labels",
         "rows", "--out", path("two")});
  EXPECT_THAT(tacit({"data", "split", path("two/rank0.npz"), "--job", path("sensors.toml")}).err,
              HasSubstr("the file is a part already"));
}

}  // namespace
}  // namespace tacit::launcher
