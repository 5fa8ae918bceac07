// Every opened value of a run is uniform, whatever the secrets are.
#include <gtest/gtest.h>

#include <map>

#include "mpc/session/inside.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/mpc/security/recorded_run.h"

namespace tacit::mpc {
namespace {

struct Case {
  int parties;
  const char* name;
  Secrets (*secrets)();
};

class Openings : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Secrets secrets = GetParam().secrets();
    run_recorded(parties(), record_,
                 [&](Session& session, net::Mesh& mesh) { run_every_protocol(session, mesh, secrets); });
  }
  static int parties() { return GetParam().parties; }

  static void expect_uniform(const std::vector<std::uint64_t>& words, int bits, const std::string& what) {
    ASSERT_GE(words.size(), 2560U) << what;
    for (const int at : {0, (bits - 8) / 2, bits - 8}) {
      EXPECT_LT(unevenness_of_bits(words, at), kTooUneven) << what << ", from bit " << at;
    }
  }

  net::Record record_;
};

INSTANTIATE_TEST_SUITE_P(Secrets, Openings,
                         testing::Values(Case{2, "AllZeroAtTwo", all_zero}, Case{2, "AllLargestAtTwo", all_largest},
                                         Case{3, "AllZeroAtThree", all_zero},
                                         Case{3, "AllLargestAtThree", all_largest}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Openings, AreUniformAtEachProtocol) {
  for (const Opening& opening : kOpenings) {
    expect_uniform(opened(record_, opening.step, parties(), opening.bits, opening.sum), opening.bits, opening.step);
  }
}

TEST_P(Openings, AreMadeOfMessagesThatAreUniformEach) {
  for (const Opening& opening : kOpenings) {
    for (int from = 0; from < parties(); ++from) {
      const auto sent = unpacked(record_.bytes(from, (from + 1) % parties(), opening.step), opening.bits);
      expect_uniform(sent, opening.bits, std::string(opening.step) + " of rank " + std::to_string(from));
    }
  }
}

// Their sum is what is revealed; each alone is uniform, even where nothing random ever touched the value before.
TEST_P(Openings, OfARevealAreUniformButForTheirSum) {
  const int last = parties() - 1;
  for (int from = 0; from < parties(); ++from) {
    expect_uniform(unpacked(record_.bytes(from, (from + 1) % parties(), "reveal"), 51), 51, "reveal");
    if (from != last) expect_uniform(unpacked(record_.bytes(from, last, "reveal to one"), 51), 51, "reveal to one");
  }
}

TEST_P(Openings, OfTheDealerAreUniformInEveryBit) {
  std::map<std::string, std::vector<std::uint64_t>> bytes;  // by step
  for (const net::SentMessage& message : record_.messages()) {
    if (message.from != parties() || message.step == kHandshake) continue;
    ASSERT_GT(std::ssize(message.bytes), kDealtTagBytes);
    for (auto at = static_cast<std::size_t>(kDealtTagBytes); at < message.bytes.size(); ++at) {
      bytes[message.step].push_back(static_cast<std::uint64_t>(message.bytes[at]));
    }
  }
  const std::vector<std::string> dealing{"product",         "matmul",  "compare", "select",   "lift",
                                         "select and lift", "look up", "permute", "unpermute"};
  for (const std::string& step : dealing) {
    ASSERT_FALSE(bytes[step].empty()) << step;
    EXPECT_LT(unevenness_of_bits(bytes[step], 0), kTooUneven) << step;
  }
}

TEST(Tau, IsUniformWhateverThePermutation) {
  for (const Order& order : {Order{0, 1, 2, 3}, Order{3, 1, 0, 2}}) {
    std::map<Order, std::int64_t> seen, keys;
    run_parties(2, [&](Session& session, int rank) {
      for (int i = 0; i < 2400; ++i) {
        const Permutation permutation = session.permutation(1, 4, rank == 1 ? &order : nullptr);
        if (rank == 0) ++seen[Inside::content(permutation).tau];
        if (rank == 1) ++keys[Inside::content(permutation).key];
      }
    });
    for (const auto& counted : {seen, keys}) {
      std::vector<std::int64_t> counts(24);
      std::size_t at = 0;
      ASSERT_LE(counted.size(), counts.size());
      for (const auto& [value, count] : counted) counts[at++] = count;
      EXPECT_LT(unevenness(counts), kTooUneven);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
