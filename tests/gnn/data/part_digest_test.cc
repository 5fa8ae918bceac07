#include "gnn/data/part_digest.h"

#include <gmock/gmock.h>

#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "tests/gnn/data/small_graph.h"
#include "tests/temporary_folder.h"

namespace tacit::gnn {
namespace {

TEST(PartDigest, IsTheSameHoweverOftenAndInWhateverFormTheSameDataAreRead) {
  const TemporaryFolder folder;
  GraphData data = some_graph({});
  data.ids.emplace();
  for (std::int64_t node = 0; node < data.nodes; ++node) data.ids->push_back("node " + std::to_string(node));
  const mpc::Digest digest = part_digest(data);
  for (const Compression compression : {Compression::kStored, Compression::kDeflated}) {
    write_graph_npz(folder.path() / "part.npz", data, compression);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(part_digest(read_graph(folder.path() / "part.npz")), digest);
  }
}

TEST(PartDigest, DiffersWithEachPart) {
  using Change = void (*)(GraphData&);
  for (const Change change :
       {Change([](GraphData& d) { ++d.nodes; }), Change([](GraphData& d) {
          d.own_rows = NodeRange{0, 1};
        }),
        Change([](GraphData& d) { (*d.x)(3, 2) += 1e-9; }), Change([](GraphData& d) { d.x.reset(); }),
        Change([](GraphData& d) { std::swap(d.edges->to[0], d.edges->from[0]); }),
        Change([](GraphData& d) { (*d.targets)(10, 5) = 0; }), Change([](GraphData& d) { d.val_mask->flip(); }),
        Change([](GraphData& d) { std::swap(d.val_mask, d.test_mask); }), Change([](GraphData& d) {
          d.ids = {"a", "bc"};
        }),
        Change([](GraphData& d) {
          d.ids = {"ab", "d"};
        })}) {
    GraphData data = some_graph({});
    data.ids = {"ab", "c"};
    GraphData other = data;
    change(other);
    EXPECT_NE(part_digest(other), part_digest(data));
  }
}

}  // namespace
}  // namespace tacit::gnn
