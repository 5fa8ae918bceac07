// The visible shape of a run (steps, lengths, order of messages) does not depend on the secrets,
// and message contents never repeat.
#include <gtest/gtest.h>

#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/session/local.h"
#include "tests/mpc/security/uniformity.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

using Lengths = std::vector<std::size_t>;

struct Outside {
  std::vector<Lengths> messages;  // from each rank to each rank
  std::vector<std::int64_t> rounds;

  bool operator==(const Outside&) const = default;
};

Outside outside_of(int parties, const SteppedProgram& program, net::AllReduce openings) {
  net::Record record;
  Outside seen;
  seen.rounds = run_recorded(parties, record, program, openings);
  const int size = parties + 1;
  seen.messages.resize(static_cast<std::size_t>(size * size));
  for (const net::SentMessage& message : record.messages()) {
    seen.messages[static_cast<std::size_t>(message.from * size + message.to)].push_back(message.bytes.size());
  }
  return seen;
}

TEST(Transcript, LengthsAndRoundsAreIndependentOfTheSecrets) {
  for (const int n : kSlowdown > 1 ? std::vector{2, 3} : std::vector{2, 3, 5}) {
    for (const net::AllReduce openings : net::kAllReduceAlgorithms) {
      const Outside expected = outside_of(n, every_protocol(random_secrets(1)), openings);
      EXPECT_EQ(outside_of(n, every_protocol(all_zero()), openings), expected);
      EXPECT_EQ(outside_of(n, every_protocol(all_largest()), openings), expected);
      EXPECT_EQ(outside_of(n, every_protocol(random_secrets(2)), openings), expected);
    }
  }
}

// Negative control: in these programs, the number of maskings or a shape depends on a secret.
TEST(Transcript, OfAProgramThatFollowsASecretIsNot) {
  const auto outside = [](double secret, const auto& follow) {
    return outside_of(
        2,
        [&](Session& s, net::Mesh&) {
          const Matrix x = Matrix::Constant(8, 8, secret);
          follow(s, input(s, 0, shape_of(x), kSecretFormat, &x, "x"), secret != 0);
        },
        net::AllReduce::kTwoPhase);
  };
  const auto again = [](Session& s, const Share& x, bool set) {
    mask(s, x);
    if (set) mask(s, x);
  };
  const auto wider = [](Session& s, const Share& x, bool set) { mask(s, set ? x : narrow(x, 48)); };
  EXPECT_EQ(outside(1, again), outside(2, again));
  EXPECT_NE(outside(0, again), outside(1, again));
  EXPECT_NE(outside(0, wider), outside(1, wider));
}

TEST(Transcript, OfTwoRunsWithEqualInputsHasNoMessageInCommon) {
  for (const int n : {2, 3}) {
    net::Record first, second;
    run_recorded(n, first, every_protocol(all_zero()));
    run_recorded(n, second, every_protocol(all_zero()));
    EXPECT_EQ(messages_in_common(first, second), Names{});
    EXPECT_EQ(equal_openings(first, second, n), Names{});
  }
}

}  // namespace
}  // namespace tacit::mpc
