// Private set intersection finds the texts that all parties hold, and refuses a peer that sends no point.
#include "mpc/sets/intersection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>

#include "mpc/sets/ristretto.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"

namespace tacit::mpc {
namespace {

using Texts = std::vector<std::string>;
using testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// Of all parties at once, each on a thread.
std::vector<Intersection> intersections(const std::vector<Texts>& held) {
  const auto meshes = net::memory_mesh(static_cast<int>(held.size()));
  std::vector<Intersection> found(held.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    threads.emplace_back([&, rank] {
      found[rank] = intersect(*meshes[rank], held[rank], {.threads = 2, .on_progress = {}});
      meshes[rank]->close();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return found;
}

Texts taken(const Texts& texts, const std::vector<std::int64_t>& positions) {
  Texts some;
  for (const std::int64_t at : positions) some.push_back(texts[static_cast<std::size_t>(at)]);
  return some;
}

// Party r holds every number below `size` that r + 2 does not divide, from the largest on at odd ranks.
Texts numbers_of(int rank, int size) {
  Texts texts;
  for (int number = 1; number < size; ++number) {
    if (number % (rank + 2) != 0) texts.push_back(fmt::format("sensor {}", number));
  }
  if (rank % 2 == 1) std::reverse(texts.begin(), texts.end());
  return texts;
}

class Parties : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Intersection, Parties, testing::Values(2, 3, 5), testing::PrintToStringParamName());

TEST_P(Parties, FindWhatAllHoldInOneOrder) {
  std::vector<Texts> held;
  for (int rank = 0; rank < GetParam(); ++rank) held.push_back(numbers_of(rank, 400));
  std::set<std::string> expected;
  for (const std::string& text : held[0]) {
    const bool everywhere = std::all_of(held.begin(), held.end(), [&](const Texts& texts) {
      return std::find(texts.begin(), texts.end(), text) != texts.end();
    });
    if (everywhere) expected.insert(text);
  }
  const std::vector<Intersection> found = intersections(held);
  const Texts common = taken(held[0], found[0].own);
  EXPECT_EQ(std::set<std::string>(common.begin(), common.end()), expected);
  EXPECT_EQ(common.size(), expected.size());
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    EXPECT_EQ(taken(held[rank], found[rank].own), common) << rank;
    for (std::size_t other = 0; other < held.size(); ++other) {
      EXPECT_EQ(found[rank].counts[other], std::ssize(held[other]));
    }
  }
}

TEST_P(Parties, SendWhatTheCostStates) {
  const int n = GetParam();
  for (const int size : {1, 60}) {
    std::vector<Texts> held;
    std::vector<std::int64_t> counts, common;
    for (int rank = 0; rank < n; ++rank) {
      held.push_back(numbers_of(rank, size));
      counts.push_back(std::ssize(held.back()));
      common.push_back(std::count_if(held[0].begin(), held[0].end(), [&](const std::string& text) {
        return std::all_of(held.begin(), held.end(), [&](const Texts& texts) {
          return std::find(texts.begin(), texts.end(), text) != texts.end();
        });
      }));
    }
    const auto meshes = net::memory_mesh(n);
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < n; ++rank) {
      threads.emplace_back([&, rank] {
        net::Mesh& mesh = *meshes[static_cast<std::size_t>(rank)];
        const net::Traffic before = mesh.traffic();
        intersect(mesh, held[static_cast<std::size_t>(rank)], {.threads = 1, .on_progress = {}});
        const net::Traffic moved = mesh.traffic() - before;
        const net::Cost measured{moved.rounds, moved.total().payload_sent, moved.total().messages_sent};
        const net::Cost stated = intersect_cost(rank, counts, common);
        EXPECT_EQ(measured.bytes, stated.bytes) << rank << " of " << n << ", " << size;
        EXPECT_EQ(measured.rounds, stated.rounds) << rank << " of " << n << ", " << size;
        EXPECT_EQ(measured.messages, stated.messages) << rank << " of " << n << ", " << size;
        mesh.close();
      });
    }
  }
}

TEST_P(Parties, FindNothingWhereOneHoldsNothingOfTheOthers) {
  std::vector<Texts> held(static_cast<std::size_t>(GetParam()), Texts{"a", "b", "c"});
  held.back() = {"d"};
  for (const Intersection& one : intersections(held)) EXPECT_TRUE(one.own.empty());
}

TEST(Intersection, OfOneTextEachIsThatText) {
  for (const Intersection& one : intersections({{"a"}, {"a"}, {"a"}})) EXPECT_THAT(one.own, testing::ElementsAre(0));
}

TEST(Intersection, TellsTheSameInAnotherOrderEveryTime) {
  Texts texts;
  for (int i = 0; i < 60; ++i) texts.push_back(std::to_string(i));
  EXPECT_NE(intersections({texts, texts})[0].own, intersections({texts, texts})[0].own)
      << "the order follows from the parties' secrets";
}

// Rank 0 is honest, rank 1 sends its count, a nonce, and then these bytes as its only point.
std::string said_to(const std::array<std::byte, 32>& point, std::int64_t count = 1) {
  const auto meshes = net::memory_mesh(2);
  std::thread traitor([&] {
    try {
      net::Channel& channel = meshes[1]->channel(0);
      std::array<std::byte, 40> said{};
      std::memcpy(said.data(), &count, sizeof count);
      std::array<std::byte, 40> theirs{};
      std::array<std::byte, 32> first{};
      net::Transfer got = channel.receive(net::kMainStream, theirs), passed = channel.receive(net::kMainStream, first);
      net::Transfer sent = channel.send(net::kMainStream, said), list = channel.send(net::kMainStream, point);
      got.wait();
      passed.wait();
    } catch (const Error&) {  // the honest rank has ended it
    }
  });
  std::string what = "accepted";
  try {
    intersect(*meshes[0], Texts{"a"}, {});
  } catch (const ProtocolError& error) {
    what = fmt::format("{} {}", error.culprit(), error.what());
  }
  meshes[0]->abort(Exit::kProtocol, what, 1);
  traitor.join();
  return what;
}

TEST(HostileIntersection, BytesThatAreNoPointEndIt) {
  std::array<std::byte, 32> bytes;
  bytes.fill(std::byte{0xff});
  EXPECT_THAT(said_to(bytes), HasSubstr("1 rank 1 sent what is no point of ristretto255"));
  Point negative = point_of(bytes_of("a"), PointKey{});
  negative[0] ^= std::byte{1};  // a negative field element is no canonical encoding
  EXPECT_THAT(said_to(negative), HasSubstr("no point of ristretto255"));
}

TEST(HostileIntersection, TheIdentityEndsIt) { EXPECT_THAT(said_to({}), HasSubstr("no point of ristretto255")); }

TEST(HostileIntersection, CountsThatNobodyCanHaveEndIt) {
  for (const std::int64_t count : {std::int64_t{-1}, kMostTexts + 1, INT64_MAX}) {
    EXPECT_THAT(said_to({}, count), HasSubstr("1 rank 1 announced a number of ids that no party can have"));
  }
}

}  // namespace
}  // namespace tacit::mpc
