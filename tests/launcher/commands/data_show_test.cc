#include <gmock/gmock.h>

#include <fstream>

#include "tests/launcher/commands/command.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(DataShow, OfAnNpzFileHasALineForEachColumn) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.npz";
  tacit({"data", "make", "sensors", "--stations", "50", "--out", file});
  const Ran ran = tacit({"data", "show", file, "--columns", "3"});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("50 nodes, 8 features, 1 target"), HasSubstr("x 2 "), HasSubstr("y 0 "),
                             HasSubstr("and 5 more columns of x"), HasSubstr("out-degree")));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("x 3 ")));
  const Json json = tacit({"data", "show", file, "--json"}).json();
  EXPECT_EQ(json["summary"]["columns"].size(), 9u);
  EXPECT_EQ(json["summary"]["edges"]["loops"], 0);
}

TEST(DataShow, OfAFolderOfCsvFilesNamesIgnoredColumns) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "nodes.csv") << "id,height,class,train_mask\na,1.5,0,1\nb,2.5,1,0\nc,-1,1,0\n";
  std::ofstream(folder.path() / "edges.csv") << "from,to,\"we\x1b[2Jight\"\na,b,1\nb,a,1\nc,c,1\n";
  const Ran ran = tacit({"data", "show", folder.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("3 nodes with ids, 1 feature, classes, 3 edges, 1 to train on"),
                             HasSubstr("class 1            2 nodes"), HasSubstr("ignored: we\\x1b[2Jight"),
                             HasSubstr("1 from a node to itself")));
}

TEST(DataShow, WritesAPartOfAFolderAsAnNpzFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "nodes.csv") << "id,height\na,1.5\nb,\n";  // no labels, no masks, no edges
  const std::string file = folder.path() / "part.npz";
  EXPECT_EQ(tacit({"data", "show", folder.path(), "--npz", file}).exit_code, 0);
  EXPECT_THAT(tacit({"data", "show", file}).out,
              AllOf(HasSubstr("2 nodes with ids, 1 feature\n"), HasSubstr("1 missing")));
  EXPECT_EQ(tacit({"data", "show", folder.path(), "--npz", file}).exit_code, 2) << "the file is there already";
  EXPECT_EQ(tacit({"data", "show", folder.path(), "--npz", file, "--force"}).exit_code, 0);
}

TEST(DataShow, NamesTheColumnsOfCsvFilesAndCountsEdgesThatAreThereAgain) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "nodes.csv") << "height,particulate matter,class\n1.5,3,1\n2.5,4,0\n-1,5,0\n";
  std::ofstream(folder.path() / "edges.csv") << "from,to\n0,1\n1,0\n0,1\n0,1\n2,2\n";
  const Ran ran = tacit({"data", "show", folder.path()});
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("\n  height "), HasSubstr("\n  particulate matter "), testing::Not(HasSubstr("x 0")),
                    HasSubstr("1 from a node to itself, 2 are there again; 0 nodes have none")));
  const Json json = tacit({"data", "show", folder.path(), "--json"}).json();
  EXPECT_EQ(json["summary"]["columns"][1]["name"], "particulate matter");
  EXPECT_EQ(json["summary"]["edges"]["repeated"], 2);
}

}  // namespace
}  // namespace tacit::launcher
