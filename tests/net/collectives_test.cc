#include "net/collectives/collectives.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "net/collectives/cut.h"
#include "net/error.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_tensors.h"

namespace tacit::net {
namespace {

using Shapes = std::vector<WordShape>;

Cost measured(const Traffic& moved) { return {moved.rounds, moved.total().payload_sent, moved.total().messages_sent}; }

// Runs `step` and compares its cost with `stated`.
template <typename Step>
void expect_cost(Mesh& mesh, const Cost& stated, Step step) {
  const Traffic before = mesh.traffic();
  step();
  const Cost cost = measured(mesh.traffic() - before);
  EXPECT_EQ(cost.rounds, stated.rounds);
  EXPECT_EQ(cost.bytes, stated.bytes);
  EXPECT_EQ(cost.messages, stated.messages);
}

std::vector<Shapes> lists(int parties) {
  std::vector<Shapes> all = {{}, {{0, 64}}, {{1, 63}}, {{17, 13}, {0, 7}, {1001, 51}, {5, 64}}, {{40'000, 64}}};
  // Several segments, unless there are too many parties to make them for.
  if (parties <= 3) all.push_back({{kSegmentBytes / 4 + 5, 64}, {kSegmentBytes / 4, 38}});
  return all;
}

// A list of a different length for every party; rank 1 has an empty list.
std::vector<Shapes> shapes_by_party(const Shapes& shapes, int parties) {
  std::vector<Shapes> all;
  for (int r = 0; r < parties; ++r) {
    all.push_back(shapes);
    for (WordShape& shape : all.back()) shape.count = r == 1 ? 0 : shape.count + r;
  }
  return all;
}

// One rank's lists, one for each party.
class ByParty {
 public:
  ByParty(const std::vector<Shapes>& shapes, int holder) {
    for (std::size_t r = 0; r < shapes.size(); ++r) {
      samples_.emplace_back(shapes[r], holder * 100 + static_cast<int>(r));
    }
    for (const SampleTensors& sample : samples_) lists_.push_back(sample.tensors());
  }
  ByParty(ByParty&&) = default;
  ByParty(const ByParty& other) : samples_(other.samples_) {
    for (const SampleTensors& sample : samples_) lists_.push_back(sample.tensors());
  }

  TensorsByParty lists() const { return lists_; }
  const SampleTensors& operator[](int r) const { return samples_[static_cast<std::size_t>(r)]; }

 private:
  std::vector<SampleTensors> samples_;
  std::vector<Tensors> lists_;
};

// The inputs of all ranks, made only once.
struct Collective {
  Collective(const Shapes& list, int parties) : shapes(list), by_party(shapes_by_party(list, parties)) {
    spans.assign(by_party.begin(), by_party.end());
    for (int r = 0; r < parties; ++r) held.emplace_back(by_party, r);
  }
  Collective(Collective&&) = default;

  const ByParty& of(int holder) const { return held[static_cast<std::size_t>(holder)]; }
  std::vector<std::vector<std::uint64_t>> values(int holder, int party) const { return of(holder)[party].values(); }

  // The sum of all ranks' lists for this party.
  std::vector<std::vector<std::uint64_t>> sum_for(int party) const {
    auto sum = values(0, party);
    const Shapes& list = by_party[static_cast<std::size_t>(party)];
    for (int r = 1; r < std::ssize(held); ++r) {
      const auto more = values(r, party);
      for (std::size_t t = 0; t < sum.size(); ++t) {
        for (std::size_t i = 0; i < sum[t].size(); ++i) {
          sum[t][i] = (sum[t][i] + more[t][i]) & word_mask(list[t].bits);
        }
      }
    }
    return sum;
  }

  Shapes shapes;
  std::vector<Shapes> by_party;
  std::vector<std::span<const WordShape>> spans;  // views into by_party
  std::vector<ByParty> held;                      // by holder
};

class CollectivesOver : public testing::TestWithParam<MeshKind> {
 protected:
  // Every example with every number of parties, in every rank.
  void for_all(const std::function<void(Mesh&, Group&, const Collective&)>& check) {
    const bool memory = GetParam().name == "Memory";
    for (const int parties : memory ? std::vector{1, 2, 3, 5, 8} : std::vector{2, 3}) {
      std::vector<Collective> examples;
      for (const Shapes& shapes : lists(parties)) examples.emplace_back(shapes, parties);
      run_ranks(GetParam().make(parties, 1), [&](Mesh& mesh) {
        if (!mesh.world().is_party()) return;
        Group group(mesh);
        for (const Collective& example : examples) {
          SCOPED_TRACE(describe(example.shapes) + " at rank " + std::to_string(mesh.rank()) + " of " +
                       std::to_string(parties));
          check(mesh, group, example);
        }
      });
    }
  }
};

INSTANTIATE_TEST_SUITE_P(Every, CollectivesOver, testing::ValuesIn(every_mesh()), mesh_name);

TEST_P(CollectivesOver, MeshBroadcastsTheRootsWords) {
  for_all([](Mesh& mesh, Group& group, const Collective& example) {
    for (const int root : {0, mesh.parties() - 1}) {
      const SampleTensors sample(example.shapes, mesh.rank());
      expect_cost(mesh, broadcast_cost(example.shapes, mesh.parties(), root, mesh.rank()),
                  [&] { broadcast(group, root, sample.tensors()); });
      EXPECT_TRUE(sample.holds(SampleTensors(example.shapes, root).values()));
    }
  });
}

TEST_P(CollectivesOver, MeshGathersAtTheRootAndNowhereElse) {
  for_all([](Mesh& mesh, Group& group, const Collective& example) {
    const int root = mesh.parties() - 1;
    const ByParty mine = example.of(mesh.rank());
    expect_cost(mesh, gather_cost(example.spans, root, mesh.rank()), [&] { gather(group, root, mine.lists()); });
    for (int r = 0; r < mesh.parties(); ++r) {
      if (mesh.rank() == root) {
        EXPECT_TRUE(mine[r].holds(example.values(r, r)));
      } else {
        EXPECT_EQ(mine[r].values(), example.values(mesh.rank(), r));
      }
    }
  });
}

TEST_P(CollectivesOver, MeshScattersToEachItsOwn) {
  for_all([](Mesh& mesh, Group& group, const Collective& example) {
    const int root = mesh.parties() / 2;
    const ByParty mine = example.of(mesh.rank());
    expect_cost(mesh, scatter_cost(example.spans, root, mesh.rank()), [&] { scatter(group, root, mine.lists()); });
    EXPECT_TRUE(mine[mesh.rank()].holds(example.values(root, mesh.rank())));
  });
}

TEST_P(CollectivesOver, MeshGathersAtAll) {
  for_all([](Mesh& mesh, Group& group, const Collective& example) {
    const ByParty mine = example.of(mesh.rank());
    expect_cost(mesh, all_gather_cost(example.spans, mesh.rank()), [&] { all_gather(group, mine.lists()); });
    for (int r = 0; r < mesh.parties(); ++r) EXPECT_TRUE(mine[r].holds(example.values(r, r)));
  });
}

TEST_P(CollectivesOver, MeshAddsUpForEachItsOwn) {
  for_all([](Mesh& mesh, Group& group, const Collective& example) {
    const ByParty mine = example.of(mesh.rank());
    expect_cost(mesh, reduce_scatter_cost(example.spans, mesh.rank()), [&] { reduce_scatter(group, mine.lists()); });
    EXPECT_TRUE(mine[mesh.rank()].holds(example.sum_for(mesh.rank())));
    for (int r = 0; r < mesh.parties(); ++r) {
      if (r != mesh.rank()) {
        EXPECT_EQ(mine[r].values(), example.values(mesh.rank(), r));
      }
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
      barrier(group);  // all ranks have stopped counting
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
