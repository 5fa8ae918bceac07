// `tacit data align`: a training refuses parties with different orders of rows. Such parties align their rows, and
// then train as if the orders had been equal.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>

#include "gnn/data/align.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/graph_npz.h"
#include "tests/launcher/run/ranks.h"

namespace tacit::launcher {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const Words kJoin = sets({"data.join=intersection"});

std::vector<std::string> names_of(std::int64_t nodes) {
  std::vector<std::string> names;
  for (std::int64_t node = 0; node < nodes; ++node) names.push_back(fmt::format("Station {}", node * 37 % 1009));
  return names;
}

// The parts of ranks with ids. Rank 1's part runs from the last row to the first and lacks the
// first `fewer` nodes.
void name_and_shuffle(const Ranks& ranks, std::int64_t fewer = 0) {
  for (const int rank : {0, 1}) {
    const std::string file = ranks.path(fmt::format("rank{}.npz", rank));
    gnn::GraphData part = gnn::read_graph(file);
    part.ids = names_of(part.nodes);
    if (rank == 1) {
      std::vector<std::int64_t> rows(static_cast<std::size_t>(part.nodes - fewer));
      std::iota(rows.begin(), rows.end(), fewer);
      std::reverse(rows.begin(), rows.end());
      part = gnn::aligned(part, rows).data;
      for (std::string& id : *part.ids) id = "  " + id + " ";
    }
    gnn::write_graph_npz(file, part);
  }
}

double rmse_told(const Json& summary) {
  for (const Json& reading : summary["readings"]) {
    if (reading["what"] == "test rmse") return reading["value"];
  }
  return -1;
}

std::string bytes_in(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Starts `tacit data align` at every rank.
std::vector<net::Process> start_align(const Ranks& ranks, const Words& settings = kJoin) {
  std::vector<net::Process> all;
  for (int rank = 0; rank < Ranks::kSize; ++rank) {
    net::Command command = ranks.command("align", rank, settings);
    command.arguments.insert(command.arguments.begin() + 1, "data");
    all.emplace_back(command);
  }
  return all;
}

TEST(Align, PartsInDifferentOrdersAreRefusedAndAlignedTrainAsTheOrderedOnes) {
  const Ranks ranks;
  const double expected = ranks.twin({"training.epochs=30"}).rmse;
  name_and_shuffle(ranks);
  for (const net::Ended& one : ranks.run_all("train", sets({"training.epochs=30"}))) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, AllOf(HasSubstr("the ids of ranks 0 and 1 are not the same list"),
                               HasSubstr("`tacit data align JOB`"), Not(HasSubstr("Station"))));
  }
  const Words settings = sets({"training.epochs=30", "data.join=intersection"});
  Words afresh = settings;
  afresh.emplace_back("--afresh");
  for (const net::Ended& one : ranks.run_all("train", afresh)) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("run `tacit data align JOB` at every rank"));
  }
  std::vector<net::Process> all = start_align(ranks);
  const std::vector<net::Ended> ends = ends_of(all);
  expect_success(ends);
  EXPECT_THAT(ends[0].out, HasSubstr("rank0.aligned.npz: 50 nodes that all 2 parties have; left out: 0 of 50 nodes"));
  EXPECT_THAT(ends[2].out, HasSubstr("the dealer has no nodes"));
  expect_success(ranks.run_all("train", afresh));
  EXPECT_NEAR(rmse_told(ranks.summary(0)), expected, 0.03 * expected);
  EXPECT_EQ(ranks.summary(1)["row_order"]["compared"], Json({0, 1}));
  // A file that is newer than the aligned one is told, until the parties align again.
  const fs::path aligned = ranks.path("rank0.aligned.npz");
  fs::last_write_time(aligned, fs::last_write_time(aligned) - std::chrono::hours(1));
  const auto note = HasSubstr("rank0.npz was changed after");
  const std::vector<net::Ended> stale = ranks.run_all("train", afresh);
  EXPECT_THAT(stale[0].err, note);
  EXPECT_THAT(stale[1].err, Not(HasSubstr("was changed after")));
  all = start_align(ranks);
  expect_success(ends_of(all));
  EXPECT_THAT(ranks.run_all("train", afresh)[0].err, Not(note));
}

TEST(Align, NodesThatOnePartyLacksAreLeftOutEverywhere) {
  const Ranks ranks;
  name_and_shuffle(ranks, 4);
  std::vector<net::Process> all = start_align(ranks);
  expect_success(ends_of(all));
  const gnn::GraphData first = gnn::read_graph(ranks.path("rank0.aligned.npz")),
                       second = gnn::read_graph(ranks.path("rank1.aligned.npz"));
  EXPECT_EQ(first.nodes, 46);
  ASSERT_EQ(second.nodes, 46);
  for (std::size_t row = 0; row < 46; ++row) EXPECT_EQ("  " + (*first.ids)[row] + " ", (*second.ids)[row]);
}

// An intersection finds another random order each time. Checkpoints are of rows in the first one.
TEST(Align, AgainKeepsTheOrderOfTheFilesThatAreThere) {
  const Ranks ranks;
  name_and_shuffle(ranks);
  const auto align = [&] {
    std::vector<net::Process> all = start_align(ranks);
    std::vector<net::Ended> ends = ends_of(all);
    expect_success(ends);
    return ends;
  };
  const std::vector<std::string> files = {ranks.path("rank0.aligned.npz"), ranks.path("rank1.aligned.npz")};
  align();
  const std::vector<std::string> first = {bytes_in(files[0]), bytes_in(files[1])};
  const std::vector<net::Ended> second = align();
  for (const std::size_t rank : {0u, 1u}) {
    EXPECT_THAT(second[rank].out, HasSubstr("the file is aligned already, and was not changed"));
    EXPECT_EQ(bytes_in(files[rank]), first[rank]);
  }
  // A party that lacks its file gets the order.
  fs::remove(files[0]);
  EXPECT_THAT(align()[0].out, HasSubstr("in the order of the parties' aligned files"));
  EXPECT_EQ(bytes_in(files[0]), first[0]);
  // Other values of the same nodes are written in the order.
  gnn::GraphData part = gnn::read_graph(ranks.path("rank0.npz"));
  *part.x *= 0.5;
  gnn::write_graph_npz(ranks.path("rank0.npz"), part);
  const gnn::GraphData before = gnn::read_graph(files[0]);
  align();
  const gnn::GraphData after = gnn::read_graph(files[0]);
  EXPECT_EQ(after.ids, before.ids);
  EXPECT_EQ(*after.x, 0.5 * *before.x);
  EXPECT_EQ(bytes_in(files[1]), first[1]);
}

TEST(Align, ReplacesAFileWithOtherNodesOnlyIfItsPartyForcesIt) {
  const Ranks ranks;
  name_and_shuffle(ranks);
  std::vector<net::Process> all = start_align(ranks);
  expect_success(ends_of(all));
  const std::vector<std::string> files = {ranks.path("rank0.aligned.npz"), ranks.path("rank1.aligned.npz")};
  const std::vector<std::string> first = {bytes_in(files[0]), bytes_in(files[1])};
  gnn::GraphData part = gnn::read_graph(ranks.path("rank1.npz"));
  std::vector<std::int64_t> rows(static_cast<std::size_t>(part.nodes - 4));
  std::iota(rows.begin(), rows.end(), 0);
  gnn::write_graph_npz(ranks.path("rank1.npz"), gnn::aligned(part, rows).data);
  std::vector<net::Process> again = start_align(ranks);
  for (const net::Ended& one : ends_of(again)) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err,
                AllOf(HasSubstr("the aligned files of ranks 0 and 1 would be replaced"), HasSubstr("--force")));
  }
  for (const std::size_t rank : {0u, 1u}) EXPECT_EQ(bytes_in(files[rank]), first[rank]);
  Words forced = kJoin;
  forced.emplace_back("--force");
  std::vector<net::Process> last = start_align(ranks, forced);
  expect_success(ends_of(last));
  for (const std::string& file : files) EXPECT_EQ(gnn::read_graph(file).nodes, 46);
}

TEST(Align, LeavesFeaturesMissingIfTheJobFillsThem) {
  const Ranks ranks;
  name_and_shuffle(ranks);
  const std::string file = ranks.path("rank0.npz");
  gnn::GraphData part = gnn::read_graph(file);
  part.missing_features = true;
  (*part.x)(2, 0) = std::numeric_limits<double>::quiet_NaN();
  gnn::write_graph_npz(file, part);
  std::vector<net::Process> all = start_align(ranks, sets({"data.join=intersection", "preprocessing.missing=mean"}));
  expect_success(ends_of(all));
  EXPECT_TRUE(gnn::read_graph(ranks.path("rank0.aligned.npz"), {.missing_features = true}).x->hasNaN());
}

TEST(Align, AKilledRankEndsIt) {
  const Ranks ranks;
  name_and_shuffle(ranks);
  std::vector<net::Process> two;
  for (const int rank : {0, 1}) {
    net::Command command = ranks.command("align", rank, kJoin);
    command.arguments.insert(command.arguments.begin() + 1, "data");
    two.emplace_back(command);
  }
  ASSERT_TRUE(two[0].prints("rank 1 (party, ", kSoon));
  two[1].signal(SIGKILL);
  const net::Ended ended = two[0].wait(kSoon);
  EXPECT_EQ(ended.exit_code, 3) << ended;
  EXPECT_THAT(ended.err, HasSubstr("rank 1"));
  EXPECT_FALSE(fs::exists(ranks.path("rank0.aligned.npz")));
}

TEST(Align, ThatIsInterruptedEndsAllRanksWithASentenceAndLeavesNoPartOfAFile) {
  constexpr std::int64_t kNodes = 100'000;  // half a minute of exponentiations
  const Ranks ranks;
  for (const int rank : {0, 1}) {
    gnn::GraphData part = gnn::read_graph(ranks.path(fmt::format("rank{}.npz", rank)));
    gnn::GraphData large;
    large.nodes = kNodes;
    large.x = gnn::Matrix::Ones(kNodes, part.x->cols());
    large.ids.emplace();
    for (std::int64_t node = 0; node < kNodes; ++node) large.ids->push_back(fmt::format("node {}", node));
    gnn::write_graph_npz(ranks.path(fmt::format("rank{}.npz", rank)), large, gnn::Compression::kStored);
  }
  std::ofstream(ranks.path(".rank1.aligned.npz.Ab3dEf")) << "from a process that was killed";
  std::vector<net::Process> all = start_align(ranks);
  for (const char* other : {"rank 1 (party, ", "rank 2 (dealer, "}) {
    ASSERT_TRUE(all[0].prints(other, kSoon)) << other << all[0].wait(std::chrono::seconds(1));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  all[1].signal(SIGINT);
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_EQ(ends[1].exit_code, 130) << ends[1];
  for (const net::Ended& one : ends) EXPECT_THAT(one.err, HasSubstr("rank 1 was interrupted by its user"));
  for (const std::size_t other : {0u, 2u}) EXPECT_EQ(ends[other].exit_code, 3) << ends[other];
  for (const auto& entry : fs::directory_iterator(ranks.path(""))) {
    const std::string name = entry.path().filename();
    EXPECT_TRUE(name.find("aligned") == std::string::npos || name == ".rank1.aligned.npz.Ab3dEf") << name;
  }
}

TEST(Align, APartWithoutIdsEndsItAtEveryRankWithTheReason) {
  const Ranks ranks;
  std::vector<net::Process> all = start_align(ranks);
  for (const net::Ended& one : ends_of(all)) {
    EXPECT_EQ(one.exit_code, 2) << one;
    EXPECT_THAT(one.err, HasSubstr("has no ids"));
  }
}

TEST(Align, APartOfSeveralGraphsEndsItAtEveryRankWithTheReason) {
  const Ranks ranks;
  name_and_shuffle(ranks);
  gnn::GraphData part, whole = gnn::read_graph(ranks.path("rank1.npz"));
  part.nodes = whole.nodes;
  part.x = whole.x;
  part.ids = whole.ids;
  part.graphs.assign(static_cast<std::size_t>(part.nodes), 0);
  part.graphs.back() = 1;
  gnn::write_graph_npz(ranks.path("rank1.npz"), part);
  std::vector<net::Process> all = start_align(ranks);
  const std::vector<net::Ended> ends = ends_of(all);
  EXPECT_THAT(ends[1].err, HasSubstr("rank1.npz: the file has several graphs, and their nodes are not aligned"));
  for (const net::Ended& one : ends) EXPECT_EQ(one.exit_code, 2) << one;
}

TEST(Align, OfAllPartiesAtOnceTakesFoldersOfCsvFilesAndFiveParties) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "job.toml") << "name = \"five\"\nparties = 5\n[data]\nfeatures = \"columns\"\n"
                                               "edges = \"rank 1\"\nlabels = \"rank 2\"\nmasks = \"public\"\n"
                                               "join = \"intersection\"\nfiles = \"part{rank}\"\n"
                                               "[model]\ngcn = { hidden = 4 }\n";
  for (int rank = 0; rank < 5; ++rank) {
    const fs::path part = folder.path() / fmt::format("part{}", rank);
    fs::create_directory(part);
    std::ofstream nodes(part / "nodes.csv");
    nodes << "id,a" << rank << (rank == 2 ? ",y" : "") << ",train_mask\n";
    for (int i = 0; i < 20; ++i) {
      const int node = rank % 2 == 0 ? i : 19 - i;
      if (node == rank) continue;  // each party lacks another one
      nodes << "node " << node << "," << node << (rank == 2 ? fmt::format(",{}", 2 * node) : "") << "," << (node % 2)
            << "\n";
    }
    if (rank != 1) continue;
    std::ofstream(part / "edges.csv") << "from,to\nnode 5,node 6\nnode 0,node 7\nnode 9,node 8\n";
  }
  const net::Ended ended =
      net::Process({{TACIT, "data", "align", folder.path() / "job.toml", "--all", "--json"}, {}, -1}).wait(kSoon);
  EXPECT_EQ(ended.exit_code, 0) << ended;
  const Json parts = Json::parse(ended.out)["parts"];
  EXPECT_EQ(parts[1]["nodes"], 15);
  EXPECT_EQ(parts[1]["edges_left_out"], 1);
  EXPECT_EQ(parts[4]["nodes_by_party"], Json({19, 19, 19, 19, 19}));
  const gnn::GraphData labels = gnn::read_graph(folder.path() / "part2.aligned.npz"),
                       first = gnn::read_graph(folder.path() / "part0.aligned.npz");
  EXPECT_EQ(labels.ids, first.ids);
  EXPECT_EQ(*labels.targets, 2 * *first.x);
  const net::Ended check =
      net::Process({{TACIT, "data", "check", folder.path() / "job.toml", "--rank", "1"}, {}, -1}).wait(kSoon);
  EXPECT_EQ(check.exit_code, 0) << check;
}

}  // namespace
}  // namespace tacit::launcher
