#include <gmock/gmock.h>

#include <fstream>

#include "gnn/data/graph_file.h"
#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::HasSubstr;

TEST(DataMake, WritesWhatItSays) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.npz";
  const Ran sensors = tacit({"data", "make", "sensors", "--stations", "50", "--seed", "3", "--out", file, "--json"});
  ASSERT_EQ(sensors.exit_code, 0) << sensors;
  EXPECT_EQ(sensors.json()["nodes"], 50);
  EXPECT_EQ(sensors.json()["edges"], gnn::read_graph(file).edges->size());
  const std::string other = folder.path() / "b.npz";
  const Ran communities = tacit({"data", "make", "communities", "--nodes", "200", "--classes", "4", "--features", "80",
                                 "--validate", "50", "--test", "50", "--out", other});
  ASSERT_EQ(communities.exit_code, 0) << communities;
  EXPECT_THAT(communities.out, HasSubstr("200 nodes, 80 features (sparse), classes"));
  EXPECT_EQ(gnn::read_graph(other).classes->size(), 200u);
}

TEST(DataMake, ReplacesNothingUnlessTold) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.npz";
  std::ofstream(file) << "mine";
  const std::vector<std::string> words = {"data", "make", "sensors", "--stations", "20", "--out", file};
  EXPECT_THAT(tacit(words).err, HasSubstr("is there already; choose another name, or say --force"));
  std::vector<std::string> forced = words;
  forced.push_back("--force");
  EXPECT_EQ(tacit(forced).exit_code, 0);
  EXPECT_EQ(gnn::read_graph(file).nodes, 20);
}

TEST(DataMake, NamesTheOptionThatMakesNoGraph) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.npz";
  EXPECT_THAT(tacit({"data", "make", "sensors", "--hour", "24", "--out", file}).err, HasSubstr("hour must be 0"));
  EXPECT_THAT(tacit({"data", "make", "communities", "--classes", "0", "--out", file}).err,
              HasSubstr("classes must be"));
  EXPECT_EQ(tacit({"data", "make", "sensors", "--out", "/nowhere/a.npz"}).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace tacit::launcher
