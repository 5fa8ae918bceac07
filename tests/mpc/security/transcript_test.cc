// What can be seen of a run without looking into messages does not depend on the secrets, and what is in them is never
// the same twice.
#include <gtest/gtest.h>

#include <set>

#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {
namespace {

using Lengths = std::vector<std::size_t>;

struct Outside {
  std::vector<Lengths> messages;  // from each rank to each
  std::vector<std::int64_t> rounds;

  bool operator==(const Outside&) const = default;
};

Outside outside_of(int parties, const Secrets& secrets, net::AllReduce openings, net::Record& record) {
  Outside seen;
  seen.rounds = run_recorded(
      parties, record, [&](Session& session, net::Mesh& mesh) { run_every_protocol(session, mesh, secrets); },
      openings);
  const int size = parties + 1;
  seen.messages.resize(static_cast<std::size_t>(size * size));
  for (const net::SentMessage& message : record.messages()) {
    seen.messages[static_cast<std::size_t>(message.from * size + message.to)].push_back(message.bytes.size());
  }
  return seen;
}

Outside outside_of(int parties, const Secrets& secrets, net::AllReduce openings) {
  net::Record record;
  return outside_of(parties, secrets, openings, record);
}

TEST(Transcript, LengthsAndRoundsAreIndependentOfTheSecrets) {
  for (const int n : {2, 3, 5}) {
    for (const net::AllReduce openings : {net::AllReduce::kDirect, net::AllReduce::kTwoPhase}) {
      const Outside expected = outside_of(n, random_secrets(1), openings);
      EXPECT_EQ(outside_of(n, all_zero(), openings), expected);
      EXPECT_EQ(outside_of(n, all_largest(), openings), expected);
      EXPECT_EQ(outside_of(n, random_secrets(2), openings), expected);
    }
  }
}

TEST(Transcript, OfTwoRunsWithEqualInputsHasNoMessageInCommon) {
  for (const int n : {2, 3}) {
    net::Record first, second;
    outside_of(n, all_zero(), net::AllReduce::kDirect, first);
    outside_of(n, all_zero(), net::AllReduce::kDirect, second);
    std::set<std::vector<std::byte>> seen;
    for (const net::SentMessage& message : first.messages()) seen.insert(message.bytes);
    for (const net::SentMessage& message : second.messages()) {
      if (message.bytes.size() < 16) continue;  // a decision
      EXPECT_FALSE(seen.contains(message.bytes)) << message.step << ", from " << message.from << " to " << message.to;
    }
    for (const Opening& opening : kOpenings) {
      EXPECT_NE(opened(first, opening.step, n, opening.bits, opening.sum),
                opened(second, opening.step, n, opening.bits, opening.sum))
          << opening.step;
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
