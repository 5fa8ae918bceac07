#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/include_rules.h"
#include "tests/temporary_folder.h"

namespace tacit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

class SmallTree {
 public:
  void with(const std::string& path, const std::string& text) {
    fs::create_directories((folder_.path() / path).parent_path());
    std::ofstream(folder_.path() / path) << text;
  }
  std::vector<std::string> broken() const { return check_includes(folder_.path()).broken; }
  std::vector<std::string> circle() const { return check_includes(folder_.path()).circle; }

 private:
  TemporaryFolder folder_;
};

TEST(Layers, OfThisTreeIncludeDownwardsOnlyAndEachDependencyAtItsHome) {
  const IncludeCheck check = check_includes(TACIT_SOURCE_DIR);
  EXPECT_GT(check.includes, 50) << "hardly a source was found under " << TACIT_SOURCE_DIR;
  EXPECT_THAT(check.broken, IsEmpty());
}

TEST(Layers, FoldersOfThisTreeMakeNoCircle) { EXPECT_THAT(check_includes(TACIT_SOURCE_DIR).circle, IsEmpty()); }

TEST(Layers, FoldersThatIncludeEachOtherAreACircle) {
  SmallTree tree;
  tree.with("gnn/graph/view.h", "#include \"gnn/model/spec.h\"\n");
  tree.with("gnn/model/spec.h", "#include \"gnn/loss/loss.h\"\n");
  tree.with("gnn/loss/loss.h", "#include \"mpc/ring.h\"\n");
  tree.with("mpc/ring.h", "");
  EXPECT_THAT(tree.circle(), IsEmpty());
  tree.with("gnn/loss/other_loss.h", "#include \"gnn/graph/view.h\"\n");
  EXPECT_THAT(tree.circle(), ElementsAre("gnn/graph", "gnn/model", "gnn/loss"));
}

TEST(Layers, AnIncludeThatGoesUpIsFoundWithFileAndLine) {
  SmallTree tree;
  tree.with("net/wire.cc", "#include <vector>\n#include \"mpc/ring.h\"\n");
  EXPECT_THAT(tree.broken(), ElementsAre(StartsWith("net/wire.cc:2: includes mpc/ring.h, but mpc/ is above net/")));
}

TEST(Layers, EveryArrowThatGoesUpIsFoundAndNoneThatGoesDown) {
  const std::vector<std::string> layers = {"net", "mpc", "gnn", "launcher"};
  for (std::size_t from = 0; from < layers.size(); ++from) {
    for (std::size_t to = 0; to < layers.size(); ++to) {
      SmallTree tree;
      tree.with(layers[from] + "/a.h", "#include \"" + layers[to] + "/b.h\"\n");
      EXPECT_EQ(tree.broken().size(), to > from ? 1U : 0U) << layers[from] << " includes " << layers[to];
    }
  }
}

TEST(Layers, UnusualSpellingsOfAnIncludeAreSeenThrough) {
  SmallTree tree;
  tree.with("mpc/ring.h", "");
  tree.with("net/dots.h", "#include \"../mpc/ring.h\"\n");
  tree.with("net/blanks.h", "  #  include\t\"mpc/ring.h\"\n");
  tree.with("net/angles.cc", "#include <mpc/ring.h>\n");
  tree.with("net/deep/down.cc", "#include \"mpc/ring.h\"\n");
  EXPECT_EQ(tree.broken().size(), 4U);
}

TEST(Layers, TestsAndToolsAreIncludedByNoLayerButIncludeAnything) {
  SmallTree tree;
  tree.with("launcher/main.cc", "#include \"tests/net/loopback.h\"\n#include \"tools/a.h\"\n");
  tree.with("tests/a.cc", "#include \"launcher/main.h\"\n#include <openssl/ssl.h>\n");
  EXPECT_THAT(tree.broken(), ElementsAre(StartsWith("launcher/main.cc:1"), StartsWith("launcher/main.cc:2")));
}

TEST(Layers, TheLaboratoryIsIncludedByTheCommandAloneAndIncludesAllLayersBelowThat) {
  SmallTree tree;
  tree.with("bench/data/city.h", "#include \"gnn/data/graph_data.h\"\n#include \"launcher/job/job.h\"\n");
  tree.with("bench/data/verb.h", "#include \"launcher/commands/verb.h\"\n#include \"tests/ranks.h\"\n");
  tree.with("bench/programs/ring_bench.cc", "#include \"tests/ranks.h\"\n");
  tree.with("gnn/data/graph_data.h", "#include \"bench/data/city.h\"\n");
  tree.with("launcher/commands/make.cc", "#include \"bench/data/city.h\"\n");
  tree.with("launcher/run/rank.cc", "#include \"bench/data/city.h\"\n");
  EXPECT_THAT(tree.broken(), ElementsAre(StartsWith("bench/data/verb.h:1"), StartsWith("bench/data/verb.h:2"),
                                         StartsWith("gnn/data/graph_data.h:1"), StartsWith("launcher/run/rank.cc:1")));
}

TEST(Layers, TheBindingsOfPythonIncludeAllLayersAndAreIncludedByNone) {
  SmallTree tree;
  tree.with("python/bindings/net.cc", "#include <pybind11/pybind11.h>\n#include \"net/connect.h\"\n");
  tree.with("python/bindings/mpc.cc", "#include \"tests/ranks.h\"\n#include \"bench/data/city.h\"\n");
  tree.with("launcher/run/rank.cc", "#include \"python/bindings/mpc.h\"\n#include <pybind11/numpy.h>\n");
  EXPECT_THAT(tree.broken(),
              ElementsAre(StartsWith("launcher/run/rank.cc:1"), StartsWith("launcher/run/rank.cc:2"),
                          StartsWith("python/bindings/mpc.cc:1"), StartsWith("python/bindings/mpc.cc:2")));
}

TEST(Layers, SocketsAndTheRendezvousAreForNetAndTheLauncher) {
  SmallTree tree;
  tree.with("net/rendezvous/links.cc", "#include \"net/tcp/wire.h\"\n");
  tree.with("net/tcp/lane.cc", "#include \"net/rendezvous/hello.h\"\n");
  tree.with("net/collectives/group.cc", "#include \"net/mesh.h\"\n#include \"net/tcp/frame.h\"\n");
  tree.with("mpc/session.cc", "#include \"net/collectives/group.h\"\n#include \"net/tcp/tcp_mesh.h\"\n");
  tree.with("launcher/main.cc", "#include \"net/rendezvous/roster.h\"\n");
  EXPECT_THAT(tree.broken(), ElementsAre(StartsWith("mpc/session.cc:2: includes net/tcp/tcp_mesh.h"),
                                         StartsWith("net/collectives/group.cc:2: includes net/tcp/frame.h"),
                                         StartsWith("net/tcp/lane.cc:1: includes net/rendezvous/hello.h")));
}

TEST(Layers, ADependencyOutsideItsHomeIsFound) {
  SmallTree tree;
  tree.with("net/tcp/tls.cc", "#include <openssl/ssl.h>\n#include <openssl/evp.h>\n");
  tree.with("net/tcp/identity.cc", "#include <openssl/evp.h>\n#include <openssl/x509.h>\n");
  tree.with("net/mesh.cc", "#include <openssl/ssl.h>\n#include <google/protobuf/message.h>\n#include <sodium.h>\n");
  tree.with("mpc/random.cc", "#include <sodium.h>\n#include <Eigen/Core>\n");
  tree.with("mpc/kernel.cu", "#include <cuda_runtime.h>\n");
  tree.with("mpc/ring.cc", "#include <cuda_runtime.h>\n#include <sys/socket.h>\n");
  EXPECT_THAT(tree.broken(),
              ElementsAre(StartsWith("mpc/ring.cc:1: includes cuda_runtime.h, but its home is mpc/*"),
                          StartsWith("mpc/ring.cc:2: includes sys/socket.h"),
                          StartsWith("net/mesh.cc:1: includes openssl/ssl.h, but its home is net/tcp/tls*"),
                          StartsWith("net/mesh.cc:2: includes google/protobuf/message.h"),
                          StartsWith("net/mesh.cc:3: includes sodium.h")));
}

}  // namespace
}  // namespace tacit
