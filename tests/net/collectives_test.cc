#include "net/collectives.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "net/cut.h"
#include "net/error.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_tensors.h"

namespace tacit::net {
namespace {

using Shapes = std::vector<WordShape>;

Cost measured(const Traffic& moved) { return {moved.rounds, moved.total().payload_sent, moved.total().messages_sent}; }

// Runs `step` and compares what it cost with `stated`.
template <typename Step>
void expect_cost(Mesh& mesh, const Cost& stated, Step step) {
  const Traffic before = mesh.traffic();
  step();
  const Cost cost = measured(mesh.traffic() - before);
  EXPECT_EQ(cost.rounds, stated.rounds);
  EXPECT_EQ(cost.bytes, stated.bytes);
  EXPECT_EQ(cost.messages, stated.messages);
}

std::vector<Shapes> lists() {
  return {{},
          {{0, 64}},
          {{1, 63}},
          {{17, 13}, {0, 7}, {1001, 51}, {5, 64}},
          {{40'000, 64}},
          {{kSegmentBytes / 4 + 5, 64}, {kSegmentBytes / 4, 38}}};
}

// A list of its own length for every party: rank 1 has nothing.
std::vector<Shapes> shapes_by_party(const Shapes& shapes, int parties) {
  std::vector<Shapes> all;
  for (int r = 0; r < parties; ++r) {
    all.push_back(shapes);
    for (WordShape& shape : all.back()) shape.count = r == 1 ? 0 : shape.count + r;
  }
  return all;
}

// What rank `holder` holds for each party.
class ByParty {
 public:
  ByParty(const std::vector<Shapes>& shapes, int holder) {
    for (std::size_t r = 0; r < shapes.size(); ++r) {
      samples_.emplace_back(shapes[r], holder * 100 + static_cast<int>(r));
      lists_.push_back(samples_.back().tensors());
    }
  }
  TensorsByParty lists() const { return lists_; }
  const SampleTensors& operator[](int r) const { return samples_[static_cast<std::size_t>(r)]; }

 private:
  std::vector<SampleTensors> samples_;
  std::vector<Tensors> lists_;
};

class CollectivesOver : public testing::TestWithParam<MeshKind> {
 protected:
  // Every list of shapes with every number of parties, in every rank.
  void for_all(const std::function<void(Mesh&, Group&, const Shapes&)>& check) {
    const bool memory = GetParam().name == "Memory";
    for (const int parties : memory ? std::vector{1, 2, 3, 5, 8} : std::vector{2, 3}) {
      run_ranks(GetParam().make(parties, 1), [&](Mesh& mesh) {
        if (!mesh.world().is_party()) return;
        Group group(mesh);
        for (const Shapes& shapes : lists()) {
          SCOPED_TRACE(describe(shapes) + " at rank " + std::to_string(mesh.rank()) + " of " + std::to_string(parties));
          check(mesh, group, shapes);
        }
      });
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Every, CollectivesOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(CollectivesOver, MeshBroadcastsTheRootsWords) {
  for_all([](Mesh& mesh, Group& group, const Shapes& shapes) {
    for (const int root : {0, mesh.parties() - 1}) {
      const SampleTensors sample(shapes, mesh.rank());
      expect_cost(mesh, broadcast_cost(shapes, mesh.parties(), root, mesh.rank()),
                  [&] { broadcast(group, root, sample.tensors()); });
      EXPECT_EQ(sample.values(), SampleTensors(shapes, root).values());
      EXPECT_TRUE(sample.reduced());
    }
  });
}

TEST_P(CollectivesOver, MeshGathersAtTheRootAndNowhereElse) {
  for_all([](Mesh& mesh, Group& group, const Shapes& shapes) {
    const int root = mesh.parties() - 1;
    const auto all = shapes_by_party(shapes, mesh.parties());
    const std::vector<std::span<const WordShape>> spans(all.begin(), all.end());
    const ByParty mine(all, mesh.rank());
    expect_cost(mesh, gather_cost(spans, root, mesh.rank()), [&] { gather(group, root, mine.lists()); });
    for (int r = 0; r < mesh.parties(); ++r) {
      const int source = mesh.rank() == root ? r : mesh.rank();
      EXPECT_EQ(mine[r].values(), ByParty(all, source)[r].values());
      EXPECT_TRUE(mesh.rank() != root || mine[r].reduced());
    }
  });
}

TEST_P(CollectivesOver, MeshScattersToEachItsOwn) {
  for_all([](Mesh& mesh, Group& group, const Shapes& shapes) {
    const int root = mesh.parties() / 2;
    const auto all = shapes_by_party(shapes, mesh.parties());
    const std::vector<std::span<const WordShape>> spans(all.begin(), all.end());
    const ByParty mine(all, mesh.rank());
    expect_cost(mesh, scatter_cost(spans, root, mesh.rank()), [&] { scatter(group, root, mine.lists()); });
    EXPECT_EQ(mine[mesh.rank()].values(), ByParty(all, root)[mesh.rank()].values());
    EXPECT_TRUE(mine[mesh.rank()].reduced());
  });
}

TEST_P(CollectivesOver, MeshGathersAtAll) {
  for_all([](Mesh& mesh, Group& group, const Shapes& shapes) {
    const auto all = shapes_by_party(shapes, mesh.parties());
    const std::vector<std::span<const WordShape>> spans(all.begin(), all.end());
    const ByParty mine(all, mesh.rank());
    expect_cost(mesh, all_gather_cost(spans, mesh.rank()), [&] { all_gather(group, mine.lists()); });
    for (int r = 0; r < mesh.parties(); ++r) {
      EXPECT_EQ(mine[r].values(), ByParty(all, r)[r].values());
      EXPECT_TRUE(mine[r].reduced());
    }
  });
}

TEST_P(CollectivesOver, MeshAddsUpForEachItsOwn) {
  for_all([](Mesh& mesh, Group& group, const Shapes& shapes) {
    const auto all = shapes_by_party(shapes, mesh.parties());
    const std::vector<std::span<const WordShape>> spans(all.begin(), all.end());
    const ByParty mine(all, mesh.rank());
    expect_cost(mesh, reduce_scatter_cost(spans, mesh.rank()), [&] { reduce_scatter(group, mine.lists()); });

    const Shapes& own = all[static_cast<std::size_t>(mesh.rank())];
    auto expected = ByParty(all, 0)[mesh.rank()].values();
    for (int r = 1; r < mesh.parties(); ++r) {
      const auto more = ByParty(all, r)[mesh.rank()].values();
      for (std::size_t t = 0; t < own.size(); ++t) {
        for (std::size_t i = 0; i < expected[t].size(); ++i) {
          expected[t][i] = (expected[t][i] + more[t][i]) & word_mask(own[t].bits);
        }
      }
    }
    EXPECT_EQ(mine[mesh.rank()].values(), expected);
    EXPECT_TRUE(mine[mesh.rank()].reduced());
    for (int r = 0; r < mesh.parties(); ++r) {
      if (r == mesh.rank()) continue;
      EXPECT_EQ(mine[r].values(), ByParty(all, mesh.rank())[r].values());
    }
  });
}

TEST_P(CollectivesOver, MeshBarrierHoldsAllUntilTheLastComes) {
  std::atomic<int> arrived = 0;
  run_ranks(GetParam().make(4, 0), [&](Mesh& mesh) {
    Group group(mesh);
    for (int last = 0; last < 4; ++last) {
      if (mesh.rank() == last) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ++arrived;
      expect_cost(mesh, barrier_cost(4), [&] { barrier(group); });
      EXPECT_GE(arrived.load(), 4 * (last + 1));
      barrier(group);  // nobody counts for the next time yet
    }
  });
}

TEST_P(CollectivesOver, MeshCarriesPlainBytes) {
  constexpr int kParties = 3;
  run_ranks(GetParam().make(kParties, 0), [](Mesh& mesh) {
    Group group(mesh);
    const auto value = [](int r, std::size_t size) { return std::vector(size, static_cast<std::byte>(r + 1)); };
    // Rank r has a list of r·70000 + 1 bytes.
    const auto fresh = [&](int filled_by) {
      std::vector<std::vector<std::byte>> lists;
      for (int r = 0; r < kParties; ++r) {
        const auto size = static_cast<std::size_t>(r) * 70'000 + 1;
        lists.push_back(value(r == mesh.rank() || filled_by == mesh.rank() ? r : 100, size));
      }
      return lists;
    };
    const auto expect = [&](const std::vector<std::vector<std::byte>>& lists, int r) {
      EXPECT_EQ(lists[static_cast<std::size_t>(r)], value(r, static_cast<std::size_t>(r) * 70'000 + 1));
    };

    auto lists = fresh(-1);
    std::vector<Bytes> views(lists.begin(), lists.end());
    gather(group, 1, views);
    for (int r = 0; r < kParties && mesh.rank() == 1; ++r) expect(lists, r);
    all_gather(group, views);
    for (int r = 0; r < kParties; ++r) expect(lists, r);

    auto scattered = fresh(2);
    if (mesh.rank() != 2)
      scattered[static_cast<std::size_t>(mesh.rank())].assign(static_cast<std::size_t>(mesh.rank()) * 70'000 + 1,
                                                              std::byte{0});
    views.assign(scattered.begin(), scattered.end());
    scatter(group, 2, views);
    expect(scattered, mesh.rank());

    auto word = value(mesh.rank(), 12);
    broadcast(group, 2, Bytes(word));
    EXPECT_EQ(word, value(2, 12));
  });
}

}  // namespace
}  // namespace tacit::net
