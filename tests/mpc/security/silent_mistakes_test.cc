// Mistakes that an implementer would not notice: results stay right, and secrets leak or nearly
// leak.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <set>
#include <thread>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/decide.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/show.h"
#include "mpc/session/inside.h"
#include "net/collectives/pack.h"
#include "tests/mpc/security/chi_square.h"
#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {
namespace {

bool padding_is_zero(const std::vector<std::byte>& packed, std::int64_t count, int bits) {
  const auto used = static_cast<int>(count * bits % 8);
  return used == 0 || (std::to_integer<unsigned>(packed.back()) >> used) == 0;
}

// Every message has exactly the bytes that its words need: no bits above bit k are sent, the rest
// of the last byte is zero, and the upper bits of a word do not reach into its neighbour.
TEST(SilentMistakes, AnUnreducedWordNeverLeavesUnderAKBitMask) {
  constexpr int kThree = 3;
  for (const std::int64_t count : {3, 19}) {  // no block of eight words, and two; count·k bits fill no byte
    for (const int k : {3, 13, 38, 51, 63}) {
      net::Record record;
      run_recorded(kThree, record, [&](Session& session, net::Mesh& mesh) {
        Share share = Inside::nothing({1, count}, {k, 0});
        if (mesh.world().is_party()) {
          // The words of a share without reduction: everything above bit k is set.
          RingTensor words({1, count}, k);
          for (std::uint64_t& word : words.words()) word = ~std::uint64_t{0};
          share = Inside::share({1, count}, {k, 0}, std::move(words));
        }
        mesh.set_step("mask");
        const Masked masked = mask(session, share);
        mesh.set_step("show");
        const Shown shown = show(session, share);
        mesh.set_step("lift");
        const Share lifted = lift(session, shown, std::min(64, k + 1));
        mesh.set_step("reveal");
        reveal(session, share, To::everyone(), "a test");
        mesh.set_step("reveal to one");
        reveal(session, share, To::rank(1), "a test");
        mesh.set_step("square");
        const Public square = reveal(session, product(session, masked, masked), To::everyone(), "a test");
        if (!mesh.world().is_party()) return;
        const auto expected = static_cast<double>(signed_value(kThree * kThree, k));
        EXPECT_EQ(value_of(square), Matrix::Constant(1, count, expected)) << "of -1 at every party, k " << k;
        for (const RingTensor* words : {Inside::owner_of_public(masked).get(), Inside::owner_of_mask(masked).get(),
                                        &Inside::revealed(shown), &Inside::words(lifted)}) {
          for (const std::uint64_t word : words->words()) EXPECT_LE(word, low_bits(words->bits())) << "k " << k;
        }
      });
      for (const net::SentMessage& message : record.messages()) {
        if (message.step == kHandshake || message.from == kThree) continue;
        const bool reveals = message.step.starts_with("reveal") || message.step == "square";
        if (reveals && is_tag(message, kThree)) continue;
        EXPECT_EQ(std::ssize(message.bytes), net::packed_bytes(count, k)) << message.step;
        EXPECT_TRUE(padding_is_zero(message.bytes, count, k)) << message.step << " at " << k;
      }
    }
  }
}

// Shares of dealt values have as many bits as the values. A wider share from a seed would make the
// sum wrong in the upper bits; a narrower correction would reveal bits of the value that it
// corrects.
TEST(SilentMistakes, CorrectionsAreDealtInFullAgainstSeedsOfTheSameWidth) {
  for (const int n : {1, 2, 3, 5}) {
    for (const int k : {13, 38, 51}) {
      Views views(n);
      const Matrix ones = Matrix::Ones(1, 64);
      run_viewed(views, [&](Session& session, net::Mesh&) {
        const Share x = input(session, 0, shape_of(ones), {k, 0}, &ones, "ones");
        const Masked masked = mask(session, x);
        product(session, masked, masked);
        lift(session, show(session, x), 64);
      });
      // lambda of k bits, gamma of k bits, r of 64 bits, and r >> k and bit k-1 of r in 64 - k bits
      const std::vector<int> widths{k, k, 64, 64 - k, 64 - k};
      std::vector<std::vector<std::uint64_t>> sums;
      for (std::size_t tensor = 0; tensor < widths.size(); ++tensor) {
        std::vector<std::uint64_t>& sum = sums.emplace_back(64);
        for (const View& view : views.by_party) {
          ASSERT_EQ(view.drawn.size(), widths.size());
          EXPECT_EQ(view.drawn[tensor].bits, widths[tensor]);
          for (std::size_t i = 0; i < 64; ++i) {
            const std::uint64_t word = view.drawn[tensor].words[i];
            EXPECT_LE(word, low_bits(widths[tensor]));
            sum[i] = (sum[i] + word) & low_bits(widths[tensor]);
          }
        }
      }
      for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_EQ(sums[1][i], sums[0][i] * sums[0][i] & low_bits(k));
        EXPECT_EQ(sums[3][i], sums[2][i] >> k);
        EXPECT_EQ(sums[4][i], (sums[2][i] >> (k - 1)) & 1);
      }
      for (const net::SentMessage& message : views.record.messages()) {
        if (message.from != n || message.step == kHandshake) continue;
        const bool one_tensor = std::ssize(message.bytes) == kDealtTagBytes + net::packed_bytes(64, k);
        EXPECT_TRUE(one_tensor || std::ssize(message.bytes) == kDealtTagBytes + 2 * net::packed_bytes(64, 64 - k));
      }
    }
  }
}

// Beside its seeds, a party receives only the corrections of its turns: no party holds more than
// its part.
TEST(SilentMistakes, CorrectionsGoToEveryPartyInTurn) {
  const Matrix ones = Matrix::Ones(1, 8);
  for (const int n : {2, 3, 5}) {
    net::Record record;
    run_recorded(n, record, [&](Session& session, net::Mesh& mesh) {
      const Masked x = mask(session, input(session, 0, shape_of(ones), {51, 0}, &ones, "ones"));
      mesh.set_step("products");
      for (int i = 0; i < 2 * n; ++i) product(session, x, x);
    });
    std::vector<int> receivers, in_turn;
    for (const net::SentMessage& message : record.messages()) {
      if (message.step == "products") receivers.push_back(message.to);
    }
    for (int i = 0; i < 2 * n; ++i) in_turn.push_back(i % n);
    EXPECT_EQ(receivers, in_turn);
  }
}

TEST(SilentMistakes, ARevealToOneRankGoesStraightToItAndThroughNobody) {
  const Matrix values = Matrix::Constant(40, 50, 7);
  for (const int n : {2, 3, 5}) {
    for (const net::AllReduce openings : net::kAllReduceAlgorithms) {
      for (int to = 0; to < n; ++to) {
        net::Record record;
        run_recorded(
            n, record,
            [&](Session& session, net::Mesh& mesh) {
              const Share x = input(session, 0, shape_of(values), {51, 13}, &values, "x");
              mesh.set_step("reveal");
              reveal(session, x, To::rank(to), "for one");
            },
            openings);
        std::set<int> senders;
        int tags = 0;  // transcript tags: every party sends one to every other
        for (const net::SentMessage& message : record.messages()) {
          if (message.step != "reveal") continue;
          if (is_tag(message, n)) {
            ++tags;
            continue;
          }
          EXPECT_EQ(message.to, to);
          EXPECT_EQ(std::ssize(message.bytes), net::packed_bytes(values.size(), 51));
          EXPECT_TRUE(senders.insert(message.from).second) << "twice from " << message.from;
        }
        EXPECT_EQ(std::ssize(senders), n - 1);
        EXPECT_EQ(tags, n * (n - 1));
      }
    }
  }
}

TEST(SilentMistakes, NothingPublicReachesTheDealer) {
  for (const int n : {1, 2, 3, 5}) {
    for (const net::AllReduce openings : {net::AllReduce::kDirect, net::AllReduce::kStar, net::AllReduce::kTwoPhase}) {
      net::Record record;
      run_recorded(n, record, every_protocol(random_secrets(1)), openings);
      std::vector<std::int64_t> handshakes(static_cast<std::size_t>(n));
      int decisions = 0;
      for (const net::SentMessage& message : record.messages()) {
        if (message.to != n) continue;
        if (message.step == kHandshake) {
          EXPECT_EQ(message.bytes.size(), Nonce().size());
          ++handshakes[static_cast<std::size_t>(message.from)];
        } else {
          EXPECT_EQ(message.step, "decide");
          EXPECT_EQ(message.from, 0);
          EXPECT_EQ(message.bytes, std::vector<std::byte>{std::byte{1}});
          ++decisions;
        }
      }
      EXPECT_EQ(handshakes, std::vector<std::int64_t>(static_cast<std::size_t>(n), 1));
      EXPECT_EQ(decisions, 1);
    }
  }
}

// Two sessions over the same links, as after a restart: the links have the same keys, and the nonce
// differs.
TEST(SilentMistakes, AStreamIsNotUsedAgainAfterARestart) {
  net::Record record;
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(2, 1), record), [&](net::Mesh& mesh) {
    for (int session = 0; session < 2; ++session) run_rank(mesh, every_protocol(all_zero()));
  });
  for (const Opening& opening : kOpenings) {
    const auto both = opened(record, opening.step, 2, opening.bits, opening.sum);
    const std::size_t half = both.size() / 2;
    EXPECT_FALSE(std::equal(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(half),
                            both.begin() + static_cast<std::ptrdiff_t>(half)))
        << opening.step;
    std::int64_t equal = 0;
    for (std::size_t i = 0; i < half; ++i) equal += both[i] == both[half + i] ? 1 : 0;
    if (opening.bits >= 20) {
      EXPECT_LE(equal, 2) << opening.step;  // one word in a million
    }
  }
}

TEST(SilentMistakes, AStreamIsNotUsedUnderAnotherLabel) {
  net::run_ranks(net::mesh_kind("Memory").make(2, 1), [](net::Mesh& mesh) {
    if (mesh.rank() != 0) return;
    std::set<std::vector<std::byte>> keys;
    for (const char* label : {"mpc seed", "mpc seed 2", "checkpoint", "transcript"}) {
      for (const int peer : {1, 2}) {
        const net::Secret key = mesh.channel(peer).export_key(label, PairSeed::kSeedBytes);
        EXPECT_TRUE(keys.insert({key.bytes().begin(), key.bytes().end()}).second) << label;
      }
    }
  });
}

// Rank 0 delays its decision. A dealer that does not wait would have dealt the next correlations by
// then.
TEST(SilentMistakes, TheDealerDoesNotRunPastADecision) {
  for (const bool outcome : {false, true}) {
    net::Record record;
    const Matrix one = Matrix::Ones(1, 1);
    run_recorded(2, record, [&](Session& session, net::Mesh& mesh) {
      const Masked x = mask(session, input(session, 0, {1, 1}, {51, 0}, &one, "x"));
      mesh.set_step("before");
      product(session, x, x);
      mesh.set_step("decide");
      const bool decided = decide(
          session,
          [&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            return outcome;
          },
          "go on");
      mesh.set_step("after");
      if (decided) product(session, x, x);
      product(session, x, x);
    });
    bool told = false;
    int dealt_before = 0, dealt_after = 0;
    for (const net::SentMessage& message : record.messages()) {
      if (message.to == 2 && message.step == "decide") told = true;
      if (message.from != 2 || message.step == kHandshake) continue;
      EXPECT_EQ(told, message.step == "after") << "dealt in step " << message.step;
      ++(told ? dealt_after : dealt_before);
    }
    EXPECT_EQ(dealt_before, 1);
    EXPECT_EQ(dealt_after, outcome ? 2 : 1);
  }
}

}  // namespace
}  // namespace tacit::mpc
