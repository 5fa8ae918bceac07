// Messages about a matrix that one party knows are uniform words and uniform orders, at its owner and at all other ranks.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/own_matrix_sum.h"
#include "net/collectives/pack.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {
namespace {

constexpr Shape kOwnShape{64, 64};
constexpr std::int64_t kMostOwnEntries = 100;
constexpr int kOwnRing = 41, kOwnColumns = 24;

// The entries of a star, of a path, or none: with the same public shape and number.
enum class OwnGraph { kNone, kStar, kPath };

SparseMatrix graph_of(OwnGraph graph) {
  SparseMatrix m{kOwnShape, {0}, {}, {}, 3};
  for (std::int64_t row = 0; row < kOwnShape.rows; ++row) {
    if (graph == OwnGraph::kStar) m.cols.push_back(0);
    if (graph == OwnGraph::kPath && row > 0) m.cols.push_back(static_cast<std::int32_t>(row - 1));
    m.row_begin.push_back(m.entries());
  }
  m.values.assign(m.cols.size(), 8);
  return m;
}

struct OwnCase {
  const char* name;
  int parties;
  OwnGraph graph;
  double value;  // of the share, everywhere
};

class OwnMatrixMessages : public testing::TestWithParam<OwnCase> {};

INSTANTIATE_TEST_SUITE_P(Secrets, OwnMatrixMessages,
                         testing::Values(OwnCase{"ZerosAlongAStarAtTwo", 2, OwnGraph::kStar, 0},
                                         OwnCase{"LargeAlongAPathAtTwo", 2, OwnGraph::kPath, 30000},
                                         OwnCase{"ZerosWithoutEntriesAtThree", 3, OwnGraph::kNone, 0},
                                         OwnCase{"LargeAlongAStarAtThree", 3, OwnGraph::kStar, -30000}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(OwnMatrixMessages, AreUniformAndGoToTheOwnerAlone) {
  const OwnCase& tested = GetParam();
  const int owner = 1;
  net::Record record;
  const SparseMatrix m = graph_of(tested.graph);
  const Matrix x = Matrix::Constant(kOwnShape.cols, kOwnColumns, tested.value);
  run_recorded(tested.parties, record, [&](Session& s, net::Mesh& mesh) {
    const Share of_x = input(s, 0, shape_of(x), {kOwnRing, 4}, &x, "x");
    const OwnMatrix own = own_matrix(s, owner, kOwnShape, kMostOwnEntries, 3, mesh.rank() == owner ? &m : nullptr);
    mesh.set_step("product");
    matmul(s, own, of_x);
  });
  int told = 0, dealt = 0;
  for (const net::SentMessage& message : record.messages()) {
    if (message.step != "product") continue;
    ++(message.from == tested.parties ? dealt : told);
    if (message.from == tested.parties) {
      std::vector<std::uint64_t> bytes;
      for (auto at = static_cast<std::size_t>(kDealtTagBytes); at < message.bytes.size(); ++at) {
        bytes.push_back(std::to_integer<std::uint64_t>(message.bytes[at]));
      }
      EXPECT_LT(unevenness_of_words(bytes, 8), kTooUneven);
      continue;
    }
    EXPECT_EQ(message.to, owner);
    EXPECT_NE(message.from, owner);
    EXPECT_LT(unevenness_of_words(unpacked(message.bytes, kOwnRing), kOwnRing), kTooUneven);
  }
  EXPECT_GE(told, tested.parties - 1);
  EXPECT_EQ(dealt, 3);
}

// A sum of products sends each owner its own masked rows, under masks of its own: a rank that owns no matrix gets none.
TEST_P(OwnMatrixMessages, OfSeveralOwnersAreUniformAndGoToEachOwner) {
  const OwnCase& tested = GetParam();
  net::Record record;
  const SparseMatrix one = graph_of(tested.graph), other = graph_of(OwnGraph::kPath);
  const Matrix x = Matrix::Constant(kOwnShape.cols, kOwnColumns, tested.value);
  run_recorded(tested.parties, record, [&](Session& s, net::Mesh& mesh) {
    const Share of_x = input(s, 0, shape_of(x), {kOwnRing, 4}, &x, "x");
    const std::array owned{own_matrix(s, 0, kOwnShape, kMostOwnEntries, 3, mesh.rank() == 0 ? &one : nullptr),
                           own_matrix(s, 1, kOwnShape, kMostOwnEntries + 7, 3, mesh.rank() == 1 ? &other : nullptr)};
    mesh.set_step("product");
    sum_of_products(s, owned, of_x);
  });
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> told;
  int dealt = 0;
  for (const net::SentMessage& message : record.messages()) {
    if (message.step != "product") continue;
    if (message.from == tested.parties) {
      ++dealt;
      continue;
    }
    EXPECT_LT(message.to, 2);
    const std::vector<std::uint64_t> words = unpacked(message.bytes, kOwnRing);
    EXPECT_LT(unevenness_of_words(words, kOwnRing), kTooUneven);
    std::vector<std::uint64_t>& all = told[{message.from, message.to}];
    all.insert(all.end(), words.begin(), words.end());
  }
  EXPECT_EQ(std::ssize(told), 2 * (tested.parties - 1));
  EXPECT_EQ(dealt, 2 * 3);
  if (tested.parties < 3) return;
  // The same rank tells both owners rows of the same share.
  const std::vector<std::uint64_t>&to_first = told[{2, 0}], &to_second = told[{2, 1}];
  std::vector<std::uint64_t> differences;
  for (std::size_t i = 0; i < std::min(to_first.size(), to_second.size()); ++i) {
    differences.push_back((to_first[i] - to_second[i]) & ((std::uint64_t{1} << kOwnRing) - 1));
  }
  EXPECT_LT(unevenness_of_words(differences, kOwnRing), kTooUneven);
}

// All orders of the first map's rows, and of the second's, are equally frequent, whatever the matrix is.
TEST(OwnMatrixOrders, AreUniformForEveryMatrix) {
  constexpr int kRuns = 4800;
  const SparseMatrix empty{{2, 2}, {0, 0, 0}, {}, {}, 0}, full{{2, 2}, {0, 1, 2}, {1, 0}, {1, 1}, 0};
  for (const SparseMatrix* m : {&empty, &full}) {
    net::Record record;
    run_recorded(2, record, [&](Session& s, net::Mesh& mesh) {
      mesh.set_step("orders");
      for (int run = 0; run < kRuns; ++run) own_matrix(s, 0, {2, 2}, 2, 0, m);
    });
    constexpr int kRows = 4, kMaps = 3, kBits = 3, kOrders = 24;
    const std::size_t size = static_cast<std::size_t>(net::packed_bytes(kRows * kMaps, kBits));
    std::map<std::vector<std::uint64_t>, std::int64_t> seen[kMaps];
    for (const net::SentMessage& message : record.messages()) {
      if (message.from != 0 || message.to != 1 || message.bytes.size() != size) continue;
      std::vector<std::uint64_t> told(kRows * kMaps);
      net::unpack(message.bytes, {told, kBits});
      for (int map = 0; map < kMaps; ++map) {
        ++seen[map][std::vector(told.begin() + map * kRows, told.begin() + (map + 1) * kRows)];
      }
    }
    for (const auto& orders : seen) {
      std::vector<std::int64_t> counts;
      std::int64_t all = 0;
      for (const auto& [order, count] : orders) counts.push_back(count);
      for (const std::int64_t count : counts) all += count;
      EXPECT_EQ(all, kRuns);
      EXPECT_EQ(std::ssize(counts), kOrders);
      EXPECT_LT(unevenness(counts), kTooUneven);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
