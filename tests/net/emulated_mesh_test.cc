#include "net/memory/emulated_mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "net/collectives/all_reduce.h"
#include "net/collectives/collectives.h"
#include "net/error.h"
#include "net/memory/memory_mesh.h"
#include "tests/net/meshes.h"
#include "tests/net/sample_tensors.h"
#include "tests/net/streams.h"
#include "tests/sanitized.h"

namespace tacit::net {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using testing::HasSubstr;
using Message = std::vector<std::byte>;

const Link kWide{microseconds(7900), 100e6};

Meshes emulated(int parties, const Link& link) {
  Meshes meshes = memory_mesh(parties);
  for (auto& mesh : meshes) mesh = emulate_link(std::move(mesh), link);
  return meshes;
}

using Milliseconds = std::chrono::duration<double, std::milli>;

Transfer receive(Mesh& mesh, int from, Message& message) {
  return mesh.channel(from).receive(kMainStream, Bytes(message));
}
Transfer send(Mesh& mesh, int to, const Message& message) {
  return mesh.channel(to).send(kMainStream, ConstBytes(message));
}

// Compares the best of several tries with the expected time: never more than 5 % early. A busy
// machine only delays, so the upper limit is wider, and a sanitizer has no upper limit.
template <typename Measure>
void expect_milliseconds(double expected, Measure measure, double tolerance = 0.05) {
  double best = measure().count();
  constexpr double kBusy = 4;
  for (int i = 0; i < 100 && best > expected * (1 + tolerance); ++i) best = std::min(best, measure().count());
  EXPECT_GE(best, expected * (1 - tolerance));
  if (kSlowdown == 1) {
    EXPECT_LE(best, expected * (1 + kBusy * tolerance));
  }
}

// Measures from the beginning of the first send to the arrival of the last byte, independent of the
// threads' schedule.
class Span {
 public:
  void begins(Clock::time_point time) {
    const std::lock_guard lock(mutex_);
    begin_ = std::min(begin_, time);
  }
  void ends(Clock::time_point time) {
    const std::lock_guard lock(mutex_);
    end_ = std::max(end_, time);
  }
  Milliseconds length() const { return end_ - begin_; }

 private:
  std::mutex mutex_;
  Clock::time_point begin_ = Clock::time_point::max();
  Clock::time_point end_ = Clock::time_point::min();
};

// All senders begin at the same time; returns the time until all transfers have arrived.
Milliseconds time_of_transfers(int parties, std::int64_t bytes, const std::vector<std::pair<int, int>>& from_to) {
  Span span;
  run_ranks(emulated(parties, kWide), [&](Mesh& mesh) {
    std::vector<Message> messages(from_to.size(), Message(static_cast<std::size_t>(bytes)));
    std::vector<Transfer> incoming, outgoing;
    for (std::size_t i = 0; i < from_to.size(); ++i) {
      if (from_to[i].second == mesh.rank()) incoming.push_back(receive(mesh, from_to[i].first, messages[i]));
    }
    Group group(mesh, kOtherStream);
    barrier(group);
    for (std::size_t i = 0; i < from_to.size(); ++i) {
      if (from_to[i].first != mesh.rank()) continue;
      span.begins(Clock::now());
      outgoing.push_back(send(mesh, from_to[i].second, messages[i]));
    }
    for (Transfer& transfer : incoming) {
      transfer.wait();
      EXPECT_LE(transfer.finished_at(), Clock::now());
      span.ends(transfer.finished_at());
    }
    for (Transfer& transfer : outgoing) transfer.wait();
  });
  return span.length();
}

TEST(EmulatedMesh, RoundTripTakesWhatWasAsked) {
  expect_milliseconds(7.9, [] {
    Milliseconds took{};
    run_ranks(emulated(2, kWide), [&](Mesh& mesh) {
      Message message(1);
      const auto begin = Clock::now();
      if (mesh.rank() == 0) {
        send(mesh, 1, message).wait();
        receive(mesh, 1, message).wait();
        took = Clock::now() - begin;
      } else {
        receive(mesh, 0, message).wait();
        send(mesh, 0, message).wait();
      }
    });
    return took;
  });
}

TEST(EmulatedMesh, BandwidthIsWhatWasAskedInBothDirectionsAtOnce) {
  // 1.25 MB at 100 Mbit/s take 100 ms, and another half round trip to arrive.
  expect_milliseconds(100 + 3.95, [] { return time_of_transfers(2, 1'250'000, {{0, 1}, {1, 0}}); });
}

TEST(EmulatedMesh, TwoSendersIntoOneReceiverTakeTwiceAsLong) {
  expect_milliseconds(100 + 3.95, [] { return time_of_transfers(3, 625'000, {{1, 0}, {2, 0}}); });
}

TEST(EmulatedMesh, OneSenderToTwoReceiversTakesTwiceAsLong) {
  expect_milliseconds(100 + 3.95, [] { return time_of_transfers(3, 625'000, {{0, 1}, {0, 2}}); });
}

TEST(EmulatedMesh, WaitReturnsWhenTheMessageIsThereAndNotBefore) {
  expect_milliseconds(3.95, [] {
    Milliseconds took{};
    run_ranks(emulated(2, kWide), [&](Mesh& mesh) {
      Message message(1);
      if (mesh.rank() == 1) return send(mesh, 0, message).wait();
      Transfer incoming = receive(mesh, 1, message);
      incoming.wait();
      const Milliseconds late = Clock::now() - incoming.finished_at();
      EXPECT_GE(late.count(), 0);
      took = Milliseconds(3.95) + late;
    });
    return took;
  });
}

// The receiver looks 100 ms after the message has arrived.
TEST(EmulatedMesh, TimeCountsFromArrivalNotFromWhenTheReceiverLooks) {
  expect_milliseconds(
      20,
      [] {
        std::atomic<Clock::time_point> sent{};
        Clock::time_point finished;
        run_ranks(emulated(2, {milliseconds(40), 1e9}), [&](Mesh& mesh) {
          Message message(100);
          if (mesh.rank() == 1) {
            sent = Clock::now();
            return send(mesh, 0, message).wait();
          }
          Transfer incoming = receive(mesh, 1, message);
          while (!incoming.done()) std::this_thread::sleep_for(milliseconds(100));
          incoming.wait();
          finished = incoming.finished_at();
        });
        return Milliseconds(finished - sent.load());
      },
      0.5);
}

// 625 kB take 50 ms. Rank 2's message takes 1 ms and half a round trip, and does not wait for the rest.
TEST(EmulatedMesh, AShortMessageArrivesAmidALongOneOfAnotherSender) {
  expect_milliseconds(
      1 + 3.95,
      [] {
        Milliseconds longest{};
        Span small;
        run_ranks(emulated(3, kWide), [&](Mesh& mesh) {
          Message large(625'000), little(12'500);
          if (mesh.rank() == 1) {
            const auto begin = Clock::now();
            Transfer outgoing = send(mesh, 0, large);
            outgoing.wait();
            longest = outgoing.finished_at() - begin;
          } else if (mesh.rank() == 2) {
            std::this_thread::sleep_for(milliseconds(10));
            small.begins(Clock::now());
            send(mesh, 0, little).wait();
          } else {
            Transfer from_one = receive(mesh, 1, large), from_two = receive(mesh, 2, little);
            from_one.wait();
            from_two.wait();
            small.ends(from_two.finished_at());
          }
        });
        EXPECT_GE(longest.count(), 50);
        return small.length();
      },
      0.5);
}

TEST(EmulatedMesh, RingOverAWideLinkTakesItsRoundsTimesHalfTheRoundTrip) {
  // 2(n-1) = 4 steps of 3.95 ms each, and after each step a thread must wake up.
  const auto ring = [] {
    std::vector<Milliseconds> took(3);
    run_ranks(emulated(3, kWide), [&](Mesh& mesh) {
      Group group(mesh);
      barrier(group);
      const SampleTensors sample({{30, 64}}, mesh.rank());
      const auto begin = Clock::now();
      all_reduce(group, sample.tensors(), AllReduce::kRing);
      took[static_cast<std::size_t>(mesh.rank())] = Clock::now() - begin;
    });
    return *std::max_element(took.begin(), took.end());
  };
  expect_milliseconds(4 * 3.95, ring, 0.15);
}

TEST(EmulatedMesh, CountsAreThoseOfTheCallersMessages) {
  run_ranks(emulated(2, {milliseconds(1), 1e9}), [](Mesh& mesh) {
    Message mine(500'000), theirs(500'000), small(10);
    mesh.channel(1 - mesh.rank()).post(5, small);
    Transfer outgoing = send(mesh, 1 - mesh.rank(), mine);
    receive(mesh, 1 - mesh.rank(), theirs).wait();
    mesh.channel(1 - mesh.rank()).receive(5, Bytes(small)).wait();
    outgoing.wait();
    mesh.count_rounds(3);
    const Traffic t = mesh.traffic();
    EXPECT_EQ(t.total().payload_sent, 500'010);
    EXPECT_EQ(t.total().payload_received, 500'010);
    EXPECT_EQ(t.total().messages_sent, 2);
    EXPECT_EQ(t.total().messages_received, 2);
    EXPECT_EQ(t.total().wire_sent, 500'010);
    EXPECT_EQ(t.total().wire_received, 500'010);
    EXPECT_EQ(t.rounds, 3);
  });
}

TEST(EmulatedMesh, FailuresPassThrough) {
  const auto errors = errors_of_ranks(emulated(3, kWide), [](Mesh& mesh) {
    Message message(1'000'000);
    if (mesh.rank() == 0) throw NetError("the disk is full");
    receive(mesh, mesh.rank() == 1 ? 2 : 1, message).wait();
  });
  for (const std::size_t r : {1u, 2u}) {
    EXPECT_THAT(message_of(errors[r]), HasSubstr("rank 0 (party, in memory) gave up: the disk is full"));
  }
}

TEST(EmulatedMesh, AnotherLengthThanExpectedIsAProtocolError) {
  const auto errors = errors_of_ranks(emulated(2, {milliseconds(1), 1e9}), [](Mesh& mesh) {
    Message message(100 + static_cast<std::size_t>(mesh.rank()));
    if (mesh.rank() == 0) return send(mesh, 1, message).wait();
    receive(mesh, 0, message).wait();
  });
  EXPECT_THAT(message_of(errors[1]), HasSubstr("deviates from the protocol"));
}

}  // namespace
}  // namespace tacit::net
