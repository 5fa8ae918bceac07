// Requests of different kinds that the parties make in lock step: the sums of the shares are the values of the requests, the cost is
// what the plans of the single requests state together, and an error ends all.
#include "mpc/made/making.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <list>

#include "mpc/made/planned_tasks.h"
#include "mpc/protocols/cell_table.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/subset_products.h"
#include "net/error.h"
#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

using testing::HasSubstr;

constexpr CorrelationsFrom kFrom = CorrelationsFrom::kParties;

// A request of either type, and a party's share of its tensors.
struct Made {
  std::variant<WordRequest, BitRequest> request;
  std::vector<RingTensor> words;
  std::vector<BitTensor> bits;

  PlannedTasks planned(int parties, int rank, CorrelationsFrom from) const {
    return std::visit([&](const auto& one) { return planned_tasks(one, parties, rank, from); }, request);
  }
  void add(Making& making, std::vector<LockStep::Task>& tasks) {
    if (const auto* of_words = std::get_if<WordRequest>(&request)) {
      making.add(*of_words, words, tasks);
    } else {
      making.add(std::get<BitRequest>(request), bits, tasks);
    }
  }
};

using AskAny = std::function<std::variant<WordRequest, BitRequest>(TestMasks&)>;

// Values that no party rounds: one place for a cell.
const CellTable& squares() {
  static const CellTable table = CellTable::of_values(3, [](std::int64_t v) { return static_cast<double>(v * v); });
  return table;
}

GroupProductsRequest of_groups(RingView r, int hi) {
  GroupProductsRequest request{r, 0, hi, comparison_groups(hi - 1), 1};
  for (const int size : request.groups) request.count += group_products(size);
  return request;
}

// Requests of every kind; the first one is cut into three tiles, and the third is empty. For few parties, also products that are made
// with ciphertexts, which take long.
std::vector<AskAny> requests(int parties) {
  constexpr std::int64_t kThreeTiles = 2 * 8192 + 9;
  std::vector<AskAny> all{
      [](TestMasks& masks) {
        return ProductRequest{masks.words({1, kThreeTiles}), masks.words({1, kThreeTiles}), 2};
      },
      [](TestMasks& masks) {
        return WrapRequest{masks.words({13, 5}), 25, 39};
      },
      [](TestMasks& masks) {
        return WrapRequest{masks.words({0, 5}), 25, 39};
      },
      [](TestMasks& masks) {
        return of_groups(masks.words({3, 43}), 22);
      },
      [](TestMasks& masks) {
        return SelectionRequest{masks.bits({7, 9}), masks.words({7, 9}), 25, 37, true};
      },
      [](TestMasks& masks) {
        return MatrixProductRequest{masks.words({9, 4}), masks.words({4, 2}), 51};
      },
      [](TestMasks& masks) {
        return LookUpRequest{masks.words({17, 1}), &squares(), squares().cells() * squares().terms(), 20, {}, {}};
      },
      [](TestMasks& masks) {
        return RowProductRequest{masks.words({5, 7}), masks.words({5, 7}), 64};
      },
      [](TestMasks& masks) {
        return LiftedProductRequest{masks.words({6, 7}), masks.words({6, 7}), 25, 25, 64, true};
      },
      [](TestMasks& masks) {
        return MaskProductsRequest{
            {masks.words({50, 1}), masks.words({50, 1})}, {4, 7}, {50, 1}, {{{{0, 1, false}, {1, 0, true}}, 8}}};
      },
      [](TestMasks& masks) {
        return WideningRequest{masks.bits({70, 1}), 13};
      },
      [](TestMasks& masks) {
        return WinnerRequest{masks.bits({11, 3}), masks.words({11, 3}), 3, 5};
      },
      [parties](TestMasks& masks) {
        const int owner = parties - 1;
        const Permutation* order = masks.order(12);
        return RouteRequest{.lambda = masks.words({12, 3}),
                            .owner = owner,
                            .order = masks.rank() == owner ? order : nullptr,
                            .outputs = 9,
                            .kappa = masks.words({9, 1}),
                            .with_kappa = true,
                            .bits = 38};
      },
  };
  for (const int bits : {38, 51}) {
    if (parties > 3) break;
    all.push_back([bits](TestMasks& masks) {
      return MatrixProductRequest{masks.words({64, 300}), masks.words({300, 20}), bits};
    });
  }
  return all;
}

// Checks the sums of the shares of all parties, by rank.
template <typename Request, typename Share>
void expect_sums(const std::vector<const Made*>& all, const Request& first, const Share& share_of) {
  std::visit(
      [&](const auto& one) {
        using One = std::remove_cvref_t<decltype(one)>;
        std::vector<const One*> alike;
        for (const Made* made : all) alike.push_back(&std::get<One>(std::get<Request>(made->request)));
        const auto expected = values(alike);
        for (std::size_t t = 0; t < expected.size(); ++t) {
          Plain sum(expected[t].size()), ring(expected[t].size());
          for (std::size_t i = 0; i < sum.size(); ++i) {
            for (const Made* made : all) share_of(*made, t, i, sum[i], ring[i]);
            ASSERT_EQ(sum[i] & ring[i], expected[t][i] & ring[i])
                << all.size() << " parties, kind " << first.index() << ", tensor " << t << ", element " << i;
          }
        }
      },
      first);
}

void expect_sums(const std::vector<const Made*>& all) {
  if (const auto* words = std::get_if<WordRequest>(&all.front()->request)) {
    expect_sums(all, *words,
                [](const Made& made, std::size_t t, std::size_t i, std::uint64_t& sum, std::uint64_t& ring) {
                  sum += made.words.at(t).data()[i];
                  ring = low_bits(made.words[t].bits());
                });
  } else {
    expect_sums(all, std::get<BitRequest>(all.front()->request),
                [](const Made& made, std::size_t t, std::size_t i, std::uint64_t& sum, std::uint64_t& ring) {
                  sum ^= std::uint64_t{made.bits.at(t).at(static_cast<std::int64_t>(i))};
                  ring = 1;
                });
  }
}

// All tasks of the requests, planned.
std::vector<LockStep::PlannedTask> planned_together(const std::vector<AskAny>& asks, int parties, int rank,
                                                    CorrelationsFrom from = kFrom) {
  std::vector<LockStep::PlannedTask> all;
  for (const AskAny& ask : asks) {
    TestMasks none(rank, parties, false);
    const PlannedTasks tasks = Made{ask(none), {}, {}}.planned(parties, rank, from);
    all.insert(all.end(), tasks->begin(), tasks->end());
  }
  return all;
}

// With them, one task runs, a few, and all.
constexpr std::array<std::int64_t, 3> kLimits{0, std::int64_t{1} << 20, std::int64_t{1} << 30};

// Returns the rounds.
std::int64_t expect_exact_together(const std::vector<AskAny>& asks, int parties, CorrelationsFrom from,
                                   std::int64_t limit) {
  std::vector<std::list<Made>> made(static_cast<std::size_t>(parties));
  std::deque<TestMasks> masks;
  for (int rank = 0; rank < parties; ++rank) {
    for (const AskAny& ask : asks) {
      made[static_cast<std::size_t>(rank)].push_back({ask(masks.emplace_back(rank, parties, true)), {}, {}});
    }
  }
  std::int64_t rounds = 0;
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    Workers workers(2);
    PairNetwork network(mesh);
    Making making(network, Nonce{}, workers, from);
    std::vector<LockStep::Task> tasks;
    for (Made& one : made[static_cast<std::size_t>(mesh.rank())]) one.add(making, tasks);
    const MadeCost planned = LockStep::cost(planned_together(asks, parties, mesh.rank(), from), limit);
    making.reserve(planned.transfers);
    const net::Traffic before = mesh.traffic();
    LockStep::run(network, tasks, limit);
    const net::Traffic moved = mesh.traffic() - before;
    const MadeCost measured{moved.rounds, moved.total().payload_sent, moved.total().messages_sent,
                            network.cost().transfers, network.cost().leakage};
    EXPECT_EQ(measured, planned) << parties << " parties, rank " << mesh.rank() << ", limit " << limit;
    if (mesh.rank() == 0) rounds = measured.rounds;
  });
  while (!made.front().empty()) {
    std::vector<const Made*> all;
    for (const std::list<Made>& of_rank : made) all.push_back(&of_rank.front());
    expect_sums(all);
    for (std::list<Made>& of_rank : made) of_rank.pop_front();
  }
  return rounds;
}

TEST(Making, RequestsOfEveryKindInLockStepAreExactAtThePlannedCost) {
  for (const int parties : kNumbersOfParties) {
    const std::vector<AskAny> asks = requests(parties);
    std::vector<std::int64_t> rounds;
    for (const std::int64_t limit : kLimits) rounds.push_back(expect_exact_together(asks, parties, kFrom, limit));
    if (parties == 1) continue;
    std::int64_t most = 0;
    for (const auto& [trace, times] : planned_together(asks, parties, 0)) {
      most = std::max(most, std::ssize(trace->rounds));
    }
    EXPECT_LT(rounds[1], rounds[0]);
    EXPECT_LT(rounds[2], rounds[1]);
    EXPECT_EQ(rounds[2], most);
  }
}

// Made ahead, adders bind the inputs of some positions at a time, and products those of some bits. With Ferret, bits are bound in the
// round of their first products.
TEST(Making, RequestsMadeAheadAreExactAtThePlannedCost) {
  for (const int parties : kNumbersOfParties) {
    if (parties == 1) continue;
    std::vector<AskAny> asks = requests(parties);
    asks.push_back([](TestMasks& masks) { return ProductRequest{masks.words({1, 3001}), masks.words({1, 3001}), 51}; });
    for (const std::int64_t size : {1, 1000, 8191, 8193}) {
      asks.push_back([size](TestMasks& masks) { return WrapRequest{masks.words({1, size}), 25, 39}; });
    }
    asks.push_back([](TestMasks& masks) {
      return SelectionRequest{masks.bits({1, 700}), masks.words({1, 700}), 25, 37, false};
    });
    std::vector<std::int64_t> rounds;
    for (const CorrelationsFrom from : {CorrelationsFrom::kAheadBySoftSpoken, CorrelationsFrom::kAheadByFerret}) {
      rounds.push_back(expect_exact_together(asks, parties, from, kLimits[1]));
    }
    EXPECT_LT(rounds[1], rounds[0]);
  }
}

// With Ferret, an adder takes one round for a position, and its memory does not grow with its length.
TEST(Making, AnAdderMadeAheadTakesARoundAPositionAndTheMemoryOfAFew) {
  for (const int parties : {2, 3, 5}) {
    const auto planned = [parties](int k) {
      const WrapRequest request{without_contents({1, 20'000}), k, 1};
      return planned_tasks(request, parties, 0, CorrelationsFrom::kAheadByFerret)->front().trace;
    };
    EXPECT_EQ(planned(30)->rounds.size() - planned(20)->rounds.size(), 10U);
    EXPECT_EQ(planned(30)->memory, planned(20)->memory);
    // Inputs of two positions, and the sums of one: keys at both ends, and less for messages.
    const std::int64_t inputs = 2 * (parties - 1),
                       sums = parties == 2
                                  ? 0
                                  : (parties - 2) * (parties - 1) + (parties * (parties - 1) / 2 - 1) - (parties - 2);
    EXPECT_LT(planned(20)->memory, 20'000 * 16 * (2 * inputs + sums) * 5 / 4);
  }
}

// Admission depends on the memory, so that all ranks must know the same.
TEST(Making, TheMemoryOfATaskIsEqualAtAllRanks) {
  for (const int parties : {2, 3, 5}) {
    const auto first = planned_together(requests(parties), parties, 0);
    for (int rank = 1; rank < parties; ++rank) {
      const auto other = planned_together(requests(parties), parties, rank);
      ASSERT_EQ(other.size(), first.size());
      for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(other[i].trace->memory, first[i].trace->memory) << parties << " parties, task " << i;
        EXPECT_GT(first[i].trace->memory, 0);
        EXPECT_EQ(other[i].trace->rounds.size(), first[i].trace->rounds.size());
        EXPECT_EQ(other[i].times, first[i].times);
      }
    }
  }
}

TEST(Making, AnErrorOfOneRankEndsTheRequestsOfAll) {
  const std::vector<AskAny> asks = requests(3);
  const auto errors = net::errors_of_ranks(net::mesh_kind("Memory").make(3, 0), [&](net::Mesh& mesh) {
    Workers workers;
    PairNetwork network(mesh);
    Making making(network, Nonce{}, workers, kFrom);
    std::deque<TestMasks> masks;
    std::list<Made> made;
    std::vector<LockStep::Task> tasks;
    for (const AskAny& ask : asks) {
      made.push_back({ask(masks.emplace_back(mesh.rank(), 3, true)), {}, {}});
      made.back().add(making, tasks);
    }
    tasks.push_back({[&] {
      for (int round = 0; round < 5; ++round) {
        auto out = network.messages(), in = network.messages();
        network.exchange(out, in);
      }
      if (mesh.rank() == 1) throw ConfigError("rank 1 has had enough");
    }});
    LockStep::run(network, tasks);
  });
  for (const auto& error : errors) EXPECT_THAT(net::message_of(error), HasSubstr("rank 1"));
}

}  // namespace
}  // namespace tacit::mpc
