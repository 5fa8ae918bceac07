#include "launcher/data/node_list.h"

#include <gmock/gmock.h>

#include <fstream>

#include "net/error.h"
#include "tests/temporary_folder.h"

namespace tacit::launcher {
namespace {

using testing::ElementsAre;

class NodeListTest : public testing::Test {
 protected:
  gnn::Rows read(const std::string& text) const {
    std::ofstream(folder_.path() / "who.txt") << text;
    return read_node_list(folder_.path() / "who.txt", part_, false);
  }

  TemporaryFolder folder_;
  gnn::GraphData part_ = [] {
    gnn::GraphData part;
    part.nodes = 4;
    part.ids = {"a", "a#1", "b c", "#d"};
    return part;
  }();
};

TEST_F(NodeListTest, AnIdMayHaveTheSignOfAComment) {
  EXPECT_THAT(read("a#1\n"), ElementsAre(1));
  EXPECT_THAT(read("a # 1\n"), ElementsAre(0));
  EXPECT_THAT(read("# all\n\n b c\t#2\r\n\ta#1 #\na#1\n"), ElementsAre(1, 2));
  EXPECT_THROW(read("a#2\n"), ConfigError);
}

}  // namespace
}  // namespace tacit::launcher
