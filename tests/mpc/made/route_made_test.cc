// A switching network reaches every order, and the rows that the parties route are those of the request.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "mpc/made/switching_network.h"
#include "tests/mpc/made/made_requests.h"

namespace tacit::mpc {
namespace {

// The number that leaves each wire, if number i enters wire i.
Permutation through(const SwitchingNetwork& network, const SwitchingNetwork::Settings& settings, std::int64_t wires) {
  Permutation at(static_cast<std::size_t>(wires));
  std::iota(at.begin(), at.end(), 0);
  for (std::size_t layer = 0; layer < settings.size(); ++layer) {
    EXPECT_EQ(settings[layer].size(), network.layers()[layer].size());
    for (std::size_t i = 0; i < settings[layer].size(); ++i) {
      const auto& [a, b] = network.layers()[layer][i];
      if (settings[layer][i]) std::swap(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)]);
    }
  }
  return at;
}

TEST(SwitchingNetwork, ReachesEveryOrder) {
  for (std::int64_t wires = 0; wires <= 7; ++wires) {
    const SwitchingNetwork network(wires);
    Permutation order(static_cast<std::size_t>(wires));
    std::iota(order.begin(), order.end(), 0);
    do {
      ASSERT_EQ(inverse(through(network, SwitchingNetwork::settings(order), wires)), order);
    } while (std::ranges::next_permutation(order).found);
  }
}

TEST(SwitchingNetwork, HasFewLayersOfDisjointSwitches) {
  std::mt19937_64 random(1);
  for (const std::int64_t wires : {2, 3, 63, 64, 65, 100, 129, 1000, 4096, 4097}) {
    const SwitchingNetwork network(wires);
    const auto log = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(wires - 1)));
    EXPECT_EQ(network.layers().size(), 2 * log - 1);
    std::int64_t switches = 0;
    for (const auto& layer : network.layers()) {
      std::vector<bool> used(static_cast<std::size_t>(wires));
      EXPECT_LE(std::ssize(layer), wires / 2);
      for (const auto& [a, b] : layer) {
        EXPECT_FALSE(used[static_cast<std::size_t>(a)] || used[static_cast<std::size_t>(b)]);
        used[static_cast<std::size_t>(a)] = used[static_cast<std::size_t>(b)] = true;
        ++switches;
      }
    }
    if (std::has_single_bit(static_cast<std::uint64_t>(wires))) {
      EXPECT_EQ(2 * switches, wires * static_cast<std::int64_t>(2 * log) - wires) << wires;
    }
    Permutation order(static_cast<std::size_t>(wires));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::shuffle(order, random);
    EXPECT_EQ(inverse(through(network, SwitchingNetwork::settings(order), wires)), order);
  }
}

TEST(RouteMade, RowsAreInTheOwnersOrder) {
  struct One {
    std::int64_t rows, columns, outputs;
    int bits;
  };
  for (const int parties : kNumbersOfParties) {
    std::vector<Ask<RouteRequest>> asks;
    for (const One& one : std::vector<One>{{1, 1, 1, 64},
                                           {2, 3, 2, 1},
                                           {3, 1, 3, 38},
                                           {5, 0, 5, 8},
                                           {6, 2, 4, 7},
                                           {8, 5, 8, 63},
                                           {63, 2, 1, 9},
                                           {64, 1, 64, 64},
                                           {65, 3, 65, 2},
                                           {129, 1, 100, 51}}) {
      for (const int owner : {0, parties - 1}) {
        for (const bool with_kappa : {false, true}) {
          asks.push_back([=](TestMasks& masks) {
            RouteRequest request;
            request.lambda = masks.words({one.rows, one.columns});
            request.owner = owner;
            request.outputs = one.outputs;
            request.order = masks.order(one.rows);
            if (masks.rank() != owner) request.order = nullptr;
            request.bits = one.bits;
            request.with_kappa = with_kappa;
            if (with_kappa) request.kappa = masks.words({one.rows, 1});
            return request;
          });
        }
      }
    }
    expect_exact(parties, asks);
  }
}

}  // namespace
}  // namespace tacit::mpc
