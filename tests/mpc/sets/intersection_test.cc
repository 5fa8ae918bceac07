// Private set intersection finds the texts that all parties hold, and refuses a peer that sends no point.
#include "mpc/sets/intersection.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <thread>

#include "mpc/sealed/storage_key.h"
#include "mpc/sets/ristretto.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"

namespace tacit::mpc {
namespace {

using Texts = std::vector<std::string>;

// Runs the intersection at all parties at once, each on its own thread.
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

// Party r holds every number below `size` that r + 2 does not divide; odd ranks begin at the
// largest.
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

// Traitor — one of two ranks. It follows the protocol with these texts, which are all common, and
// spoils the message that a test names.
class Traitor {
 public:
  struct Spoils {
    std::function<void(std::int64_t&)> count = [](std::int64_t&) {};
    std::function<void(std::vector<Point>&)> passed = [](std::vector<Point>&) {};  // its message in the ring
    std::function<void(std::vector<Point>&)> list = [](std::vector<Point>&) {};    // ... its filtered or common list
    std::function<void(std::vector<std::uint32_t>&)> places = [](std::vector<std::uint32_t>&) {};
  };

  Traitor(net::Mesh& mesh, Texts texts, Spoils spoils)
      : channel_(mesh.channel(1 - mesh.rank())),
        rank_(mesh.rank()),
        texts_(std::move(texts)),
        spoils_(std::move(spoils)) {}

  void run() {
    struct Said {
      std::int64_t count;
      std::array<std::byte, 32> fresh;
    };
    std::array<Said, 2> said{};
    Said& own = said[static_cast<std::size_t>(rank_)];
    own.count = std::ssize(texts_);
    spoils_.count(own.count);
    send<Said>({own});
    said[static_cast<std::size_t>(1 - rank_)] = receive<Said>(1).front();
    const PointKey key = digest_of(std::as_bytes(std::span(said)));

    std::vector<Point> points;
    for (const std::string& text : texts_) points.push_back(raised(point_of(std::as_bytes(std::span(text)), key)));
    spoils_.passed(points);
    send(points);
    std::vector<Point> finished;
    for (const Point& point : receive<Point>(texts_.size())) finished.push_back(raised(point));
    std::sort(finished.begin(), finished.end());
    if (rank_ == 0) receive_list();
    spoils_.list(finished);
    send<std::int64_t>({std::ssize(finished)});
    send(finished);
    if (rank_ == 1) receive_list();
    std::vector<std::uint32_t> places(texts_.size());
    std::iota(places.begin(), places.end(), 0u);
    spoils_.places(places);
    send(places);
    receive<std::uint32_t>(texts_.size());
  }

 private:
  Point raised(Point point) const {
    EXPECT_TRUE(secret_.multiply(point));
    return point;
  }
  template <typename T>
  void send(const std::vector<T>& values) {
    channel_.send(net::kMainStream, std::as_bytes(std::span(values))).wait();
  }
  template <typename T>
  std::vector<T> receive(std::size_t size) {
    std::vector<T> values(size);
    channel_.receive(net::kMainStream, std::as_writable_bytes(std::span(values))).wait();
    return values;
  }
  void receive_list() { receive<Point>(static_cast<std::size_t>(receive<std::int64_t>(1).front())); }

  net::Channel& channel_;
  const int rank_;
  const Texts texts_;
  const Spoils spoils_;
  const SecretScalar secret_;
};

// The honest rank's error about a traitor at `rank`.
std::string said_of(int rank, const Traitor::Spoils& spoils) {
  const Texts texts = {"a", "b", "c"};
  const auto meshes = net::memory_mesh(2);
  std::thread traitor([&] {
    try {
      Traitor(*meshes[static_cast<std::size_t>(rank)], texts, spoils).run();
    } catch (const Error&) {  // the honest rank has ended the session
    }
  });
  net::Mesh& honest = *meshes[static_cast<std::size_t>(1 - rank)];
  std::string what = "accepted";
  try {
    intersect(honest, texts, {});
  } catch (const ProtocolError& error) {
    what = fmt::format("{} {}", error.culprit(), error.what());
  }
  honest.abort(Exit::kProtocol, what, rank);
  traitor.join();
  return what;
}

class Hostile : public testing::TestWithParam<int> {
 protected:
  std::string said(const Traitor::Spoils& spoils) const { return said_of(GetParam(), spoils); }
  std::string says(const std::string& what) const { return fmt::format("{0} rank {0} {1}", GetParam(), what); }
};
INSTANTIATE_TEST_SUITE_P(Intersection, Hostile, testing::Values(0, 1), testing::PrintToStringParamName());

TEST_P(Hostile, NotAtAllIsAccepted) { EXPECT_EQ(said({}), "accepted"); }

TEST_P(Hostile, BytesThatAreNoPointEndIt) {
  for (const auto& spoil : std::vector<std::function<void(Point&)>>{
           [](Point& point) { point.fill(std::byte{0xff}); },
           [](Point& point) { point[0] ^= std::byte{1}; },  // a negative field element is not a canonical encoding
           [](Point& point) { point = {}; }}) {             // the identity
    EXPECT_EQ(said({.passed = [&](auto& points) { spoil(points.at(1)); }}),
              says("sent bytes that are not a point of ristretto255"));
  }
}

TEST_P(Hostile, APointTwiceEndsIt) {
  EXPECT_EQ(said({.passed = [](auto& points) { points[0] = points[2]; }}), says("sent a list with a point twice"));
}

TEST_P(Hostile, CountsThatNobodyCanHaveEndIt) {
  for (const std::int64_t count : {std::int64_t{-1}, kMostTexts + 1, INT64_MAX}) {
    EXPECT_EQ(said({.count = [&](std::int64_t& own) { own = count; }}),
              says("announced a number of ids that no party can have"));
  }
}

TEST_P(Hostile, ListsThatAreNoSetEndIt) {
  const std::string no_set = says("sent a list that is not in order, or has a point twice");
  EXPECT_EQ(said({.list = [](auto& points) { std::swap(points[0], points[1]); }}), no_set);
  EXPECT_EQ(said({.list = [](auto& points) { points[0] = points[1]; }}), no_set);
  EXPECT_EQ(said({.list = [](auto& points) { points.push_back(Point{}); }}),
            says("announced a list longer than it can be"));
}

TEST_P(Hostile, PlacesThatNoListCanHaveEndIt) {
  const std::string no_place = says("sent places of common ids that no list can have");
  EXPECT_EQ(said({.places = [](auto& places) { places[0] = 3; }}), no_place);
  EXPECT_EQ(said({.places = [](auto& places) { places[0] = UINT32_MAX; }}), no_place);
  EXPECT_EQ(said({.places = [](auto& places) { places[0] = places[1]; }}), no_place);
}

// Only the rank that announces the common points can do this.
TEST(HostileIntersection, ACommonPointThatNobodyHasEndsIt) {
  const auto spoil = [](std::vector<Point>& points) { points.back().fill(std::byte{0xff}); };
  EXPECT_EQ(said_of(0, {.list = spoil}), "0 rank 0 named as common an entry that is not in the list of every rank");
}

}  // namespace
}  // namespace tacit::mpc
