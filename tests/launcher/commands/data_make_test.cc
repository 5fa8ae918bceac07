#include <gmock/gmock.h>

#include <fstream>

#include "bench/data/pictures.h"
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

TEST(DataMake, DrawsACensusByTheChancesThatItTells) {
  const TemporaryFolder folder;
  const std::string raw = folder.path() / "raw.csv", rules = folder.path() / "rules.toml";
  const Ran made =
      tacit({"data", "make", "census", "--records", "40000", "--seed", "7", "--out", raw, "--rules", rules, "--json"});
  ASSERT_EQ(made.exit_code, 0) << made;
  const std::string part = folder.path() / "part.npz";
  ASSERT_EQ(tacit({"data", "clean", raw, "--rules", rules, "--out", part}).exit_code, 0);
  const gnn::GraphData graph = gnn::read_graph(part);
  ASSERT_EQ(graph.x->cols(), 9);
  // The best answer for each kind of person, of the records themselves, is a little better than that of the chances.
  std::vector<std::array<double, 2>> kinds(512);
  for (Eigen::Index row = 0; row < graph.nodes; ++row) {
    std::size_t kind = 0;
    for (Eigen::Index column = 0; column < 9; ++column) kind = 2 * kind + ((*graph.x)(row, column) == 1 ? 1 : 0);
    ++kinds[kind][static_cast<std::size_t>((*graph.classes)[static_cast<std::size_t>(row)])];
  }
  double best = 0, employed = 0;
  for (const auto& kind : kinds) {
    best += std::max(kind[0], kind[1]);
    employed += kind[1];
  }
  const auto rows = static_cast<double>(graph.nodes);
  EXPECT_NEAR(employed / rows, made.json()["employed"], 0.012);  // 5 standard deviations
  EXPECT_NEAR(best / rows, made.json()["best_accuracy_cleaned"], 0.015);
  EXPECT_EQ(tacit({"data", "make", "census", "--records", "0", "--out", part, "--force"}).exit_code, 2);
  EXPECT_THAT(tacit({"data", "make", "census", "--out", raw}).err, HasSubstr("--force"));
}

TEST(DataMake, WritesPicturesThatCanBeRead) {
  const TemporaryFolder folder;
  const std::string pictures = folder.path() / "pictures";
  const std::vector<std::string> words = {"data", "make",   "pictures", "--train",  "23",     "--test",
                                          "4",    "--seed", "9",        "--output", pictures, "--json"};
  const Ran made = tacit(words);
  ASSERT_EQ(made.exit_code, 0) << made;
  EXPECT_EQ(made.json()["bytes"], 27 * 3073);
  const gnn::PictureSets sets = gnn::read_pictures(pictures, 0, 0);
  EXPECT_EQ(sets.train.count(), 23);
  EXPECT_EQ(sets.test.count(), 4);
  EXPECT_THAT(tacit(words).err, HasSubstr("data_batch_1.bin is there already"));
  const Ran refused = tacit({"data", "make", "pictures", "--train", "4", "--output", pictures, "--force"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("train must be 5"));
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

TEST(DataMake, RefusesANameThatSaysAnotherFormat) {
  const TemporaryFolder folder;
  const std::pair<const char*, const char*> kinds[] = {
      {"sensors", ".npz"}, {"communities", ".npz"}, {"census", ".csv"}};
  for (const auto& [kind, ending] : kinds) {
    for (const char* name : {"a.txt", "a", "a.npz.gz", "a.NPZ", ".npz"}) {
      const std::string file = folder.path() / name;
      const Ran ran = tacit({"data", "make", kind, "--out", file});
      EXPECT_EQ(ran.exit_code, 2) << file;
      EXPECT_THAT(ran.err, HasSubstr(std::string("expected a name that ends in ") + ending));
      EXPECT_FALSE(std::filesystem::exists(file));
    }
  }
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

TEST(DataMake, RefusesASeedThatIsNegativeOrTooLarge) {
  const TemporaryFolder folder;
  for (const char* seed : {"-1", "1099511627777", "99999999999999999999"}) {
    const Ran ran = tacit({"data", "make", "sensors", "--seed", seed, "--out", folder.path() / "a.npz"});
    EXPECT_EQ(ran.exit_code, 2) << ran;
    EXPECT_THAT(ran.err, HasSubstr("not in range 0 to 1099511627776;")) << "and no number of 300 digits";
  }
}

}  // namespace
}  // namespace tacit::launcher
