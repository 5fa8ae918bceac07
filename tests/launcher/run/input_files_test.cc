// A party's input files are opened once, and a checkpoint belongs to the data that were read from
// them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <fstream>

#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Counts how often any process opens a file. The kernel merges equal consecutive events; a reader's
// accesses separate two openings.
class Openings {
 public:
  explicit Openings(const std::vector<fs::path>& files) : events_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    for (const fs::path& file : files) {
      watches_.push_back(::inotify_add_watch(events_.get(), file.c_str(), IN_OPEN | IN_ACCESS | IN_CLOSE));
    }
  }

  // The openings of each file, since the beginning or the last call.
  std::vector<int> counts() {
    std::vector<int> counts(watches_.size());
    alignas(inotify_event) std::array<char, 4096> bytes{};
    for (ssize_t n = 0; (n = ::read(events_.get(), bytes.data(), bytes.size())) > 0;) {
      for (ssize_t at = 0; at < n;) {
        const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
        const auto watch = std::find(watches_.begin(), watches_.end(), event->wd);
        if (watch != watches_.end() && (event->mask & IN_OPEN) != 0) {
          ++counts[static_cast<std::size_t>(watch - watches_.begin())];
        }
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return counts;
  }

 private:
  net::Descriptor events_;
  std::vector<int> watches_;
};

// Two owners of six nodes each, in folders of CSV files. Rank 0's edges end at ids that rank 1 gave away.
class InputFiles : public testing::Test {
 protected:
  InputFiles() {
    for (const int rank : {0, 1}) {
      std::string nodes = "id,height,width,y,train_mask,test_mask\n", edges = "from,to,to_rank\n", given = "id\n";
      for (int node = 0; node < 6; ++node) {
        nodes += fmt::format("n{}{},{},{},{},{},{}\n", rank, node, 0.3 * node - rank, (node * node) % 5, 0.5 * node,
                             node < 4, node >= 4);
        edges += fmt::format("n{}{},n{}{},\n", rank, node, rank, (node + 1) % 6);
        given += fmt::format("n1{}\n", node);
      }
      if (rank == 0) edges += "n00,n15,1\n";
      write(rank, "nodes.csv", nodes);
      write(rank, "edges.csv", edges);
      if (rank == 0) write(rank, "nodes_of_1.csv", given);
    }
  }

  fs::path file(int rank, const std::string& name) const { return ranks_.path(fmt::format("folder{}/{}", rank, name)); }
  void write(int rank, const std::string& name, const std::string& text) const {
    fs::create_directories(file(rank, name).parent_path());
    std::ofstream(file(rank, name)) << text;
  }
  std::string text_in(int rank, const std::string& name) const {
    std::ifstream in(file(rank, name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<net::Ended> train(int epochs, const Words& more = {}) const {
    Words words = sets({"data.files=" + ranks_.path("folder{rank}"), "data.features=rows 6,6", "data.edges=edges",
                        "data.labels=rows", "data.masks=rows", "training.epochs=" + std::to_string(epochs)});
    words.insert(words.end(), more.begin(), more.end());
    return ranks_.run_all("train", words);
  }

  const Ranks ranks_;
};

TEST_F(InputFiles, AreOpenedOnceThoughCheckpointsAreKept) {
  Openings npz({ranks_.path("rank0.npz"), ranks_.path("rank1.npz")});
  expect_success(ranks_.run_all("train", sets({"training.epochs=5"})));
  EXPECT_EQ(ranks_.events(0, "checkpoint").size(), 1u);
  EXPECT_THAT(npz.counts(), testing::ElementsAre(1, 1));
}

TEST_F(InputFiles, OfAFolderAreOpenedOnceAndAllBelongToTheCheckpoint) {
  Openings csv({file(0, "nodes.csv"), file(0, "edges.csv"), file(0, "nodes_of_1.csv"), file(1, "nodes.csv")});
  expect_success(train(5));
  EXPECT_THAT(csv.counts(), testing::ElementsAre(1, 1, 1, 1));

  // Two nodes of rank 1 exchange their ids, and rank 0 has the new list: its edge ends at another node.
  const std::string nodes = text_in(1, "nodes.csv");
  std::string exchanged = nodes;
  exchanged.replace(nodes.find("\nn10,"), 4, "\nn15").replace(nodes.find("\nn15,"), 4, "\nn10");
  write(1, "nodes.csv", exchanged);
  write(0, "nodes_of_1.csv", "id\nn15\nn11\nn12\nn13\nn14\nn10\n");
  const std::vector<net::Ended> changed = train(5, {"--resume"});
  EXPECT_EQ(changed[0].exit_code, 2) << changed[0];
  EXPECT_THAT(changed[0].err, HasSubstr("was made from other data than this party's files hold now"));

  write(0, "nodes_of_1.csv", "id\nn10\nn11\nn12\nn13\nn14\nn15\n");
  write(1, "nodes.csv", nodes);
  const std::vector<net::Ended> restored = train(5, {"--resume"});
  expect_success(restored);
  EXPECT_THAT(restored[0].err, HasSubstr("goes on after epoch 5"));
}

// Rank 1 moved its last node to the front, and rank 0 still has the older list.
TEST_F(InputFiles, WithAStaleListOfIdsEndAllRanksBeforeTheTraining) {
  write(0, "nodes_of_1.csv", "id\nn15\nn10\nn11\nn12\nn13\nn14\n");
  for (const net::Ended& one : train(5)) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, AllOf(HasSubstr("nodes_of_1.csv at rank 0 is not the list of rank 1's ids"),
                               HasSubstr("rank 1 should give rank 0 the column id of its nodes.csv again"),
                               Not(HasSubstr("n15"))));
  }
}

}  // namespace
}  // namespace tacit::launcher
