// The joint view of n-1 parties is uniform for all secrets, so it can be simulated without them.
//
// The argument. A coalition of all parties but one sees its own draws (masks, shares of dealt
// values and of inputs), and the messages of the honest party. The coalition's draws are streams
// that do not depend on any secret, or corrections. A correction is the dealt value less the other
// shares; one other share is the honest party's and is uniform. The honest party sends its share of an
// opening plus its share of a mask, which no other party knows and which is used once: uniform.
// Uniform words of the same lengths are therefore the same view, except for revealed results. In a
// reveal the honest share is the result less the coalition's shares, both public or the coalition's
// own.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "mpc/correlations/dealt_message.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "tests/mpc/security/composed_run.h"

namespace tacit::mpc {
namespace {

struct Look {
  double a, b;
  Seen seen;
};
constexpr Look kLooks[] = {{3, -2.5, Seen::kSent}, {-2, -2, Seen::kOpened}};

struct Coalition {
  int parties, honest;
};

class ViewOf : public testing::TestWithParam<Coalition> {
 protected:
  static std::vector<int> others() {
    std::vector<int> all;
    for (int party = 0; party < GetParam().parties; ++party) {
      if (party != GetParam().honest) all.push_back(party);
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(Coalitions, ViewOf, testing::Values(Coalition{2, 0}, Coalition{2, 1}, Coalition{3, 1}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.parties) + "But" + std::to_string(tested.param.honest);
                         });

TEST(View, IsOfARunWithinItsRanges) {
  for (const Look& look : kLooks) {
    ClearSession session(2);
    run_composed(session, look.a, look.b);
    EXPECT_TRUE(session.range_violations().empty());
  }
}

TEST_P(ViewOf, AllPartiesButOneIsUniformInEveryBitPairAndSmallSum) {
  for (const Look& look : kLooks) {
    Views views(GetParam().parties);
    run_viewed(views, [&](Session& session, net::Mesh&) { run_composed(session, look.a, look.b); });
    const std::vector<Column> columns = columns_of(views, others(), GetParam().honest, look.seen);
    ASSERT_GT(columns.size(), 1000U);
    const Dependence found = dependence_of(columns);
    EXPECT_TRUE(independent(found)) << found;
  }
}

constexpr Shape kResult{8, 16};
constexpr int kResultBits = 38;
constexpr std::size_t kTagWords = sizeof(HashTag) / sizeof(std::uint64_t);

// The honest party's secret x and the coalition's value y at its last party; the run reveals
// max(xy, 0).
Public run_with_result(Session& s, net::Mesh& mesh, int honest, const Matrix* secret, const Matrix* known) {
  mesh.set_step("inside");
  const Format format{51, 13};
  const std::vector<Share> both{input(s, honest, kResult, format, secret, "secret"),
                                input(s, (honest + 1) % s.parties(), kResult, format, known, "known")};
  const std::vector<Masked> m = mask(s, both);
  const Shown shown = show(s, drop(s, product(s, m[0], m[1]), 13));
  const Share h = select(s, non_negative(s, shown, 30), shown, 64);
  const Masked again = mask(s, h);
  const Share result = narrow(drop(s, product(s, again, again), 26), kResultBits);
  mesh.set_step("reveal");
  return reveal(s, result, To::everyone(), "the result");
}

// Plays the honest party or the dealer towards a coalition: uniform bytes of the public lengths,
// and correct transcript tags.
class Simulator {
 public:
  Simulator(const net::Record& real, unsigned seed) : real_(real.messages()), random_(seed) {}

  void play_dealer(net::Mesh& mesh, int honest) {
    const std::vector<std::byte> nonce = uniform(sizeof(Nonce));  // the same to everybody
    for (const net::SentMessage& message : real_) {
      if (message.from != mesh.rank() || message.to == honest) continue;
      std::vector<std::byte> made = message.step == kHandshake ? nonce : uniform(message.bytes.size());
      if (message.step != kHandshake) std::copy_n(message.bytes.begin(), kDealtTagBytes, made.begin());
      mesh.channel(message.to).post(net::kMainStream, made);
    }
    receive_all(mesh, honest);
  }

  // Simulates the honest party from the result alone.
  void play_honest(net::Mesh& mesh, const Matrix& result) {
    std::vector<std::vector<std::byte>> sent;  // by position: a direct opening sends the same bytes to everybody
    std::vector<std::size_t> position(static_cast<std::size_t>(mesh.size()));
    for (const net::SentMessage& message : real_) {
      if (message.from != mesh.rank() || message.to >= mesh.parties() || message.step == "reveal") continue;
      const std::size_t at = position[static_cast<std::size_t>(message.to)]++;
      if (at == sent.size()) sent.push_back(uniform(message.bytes.size()));
      mesh.channel(message.to).post(net::kMainStream, sent[at]);
    }
    receive_all(mesh, -1);
    const RingTensor value = encode(result, {kResultBits, 0}, "the result");
    std::vector<std::uint64_t> share(value.words().begin(), value.words().end());
    for (std::size_t i = 0; i < share.size(); ++i) share[i] = (share[i] - coalitions_[i]) & low_bits(kResultBits);
    std::vector<std::byte> packed(static_cast<std::size_t>(net::packed_bytes(std::ssize(share), kResultBits)));
    net::pack({share, kResultBits}, packed);
    for (int peer = 0; peer < mesh.parties(); ++peer) {
      if (peer != mesh.rank()) mesh.channel(peer).post(net::kMainStream, packed);
    }
  }

 private:
  std::vector<std::byte> uniform(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_() & 255);
    return bytes;
  }

  // Records the coalition's messages, and adds up its shares of revealed values. The tag of a
  // transcript, which both ends compute from the same words under the same key, is sent back
  // unchanged, together with the words that the coalition's shares of zero lack. Neither contains
  // anything that the coalition does not know.
  void receive_all(net::Mesh& mesh, int but) {
    coalitions_.assign(static_cast<std::size_t>(kResult.size()), 0);
    std::vector<std::vector<std::byte>> tags(static_cast<std::size_t>(mesh.size()));
    std::vector<std::uint64_t> zero;
    for (const net::SentMessage& message : real_) {
      if (message.to != mesh.rank() || message.from == but || message.from >= mesh.parties()) continue;
      std::vector<std::byte> bytes(message.bytes.size());
      mesh.channel(message.from).receive(net::kMainStream, net::Bytes(bytes)).wait();
      if (message.step != "reveal") continue;
      if (is_tag(message, mesh.parties())) {
        const std::vector<std::uint64_t> words = unpacked(bytes, kWordBits);
        zero.resize(words.size() - kTagWords);
        for (std::size_t i = 0; i < zero.size(); ++i) zero[i] -= words[kTagWords + i];
        tags[static_cast<std::size_t>(message.from)] = bytes;
        continue;
      }
      const std::vector<std::uint64_t> words = unpacked(bytes, kResultBits);
      for (std::size_t i = 0; i < words.size(); ++i) coalitions_[i] += words[i];
    }
    for (int peer = 0; peer < mesh.parties(); ++peer) {
      std::vector<std::byte>& answer = tags[static_cast<std::size_t>(peer)];
      if (answer.empty()) continue;
      std::ranges::copy(std::as_bytes(std::span(zero)), answer.begin() + sizeof(HashTag));
      mesh.channel(peer).post(net::kMainStream, answer);
    }
  }

  std::vector<net::SentMessage> real_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> coalitions_;
};

// The real program runs at the coalition on a simulated view, to its real end.
TEST_P(ViewOf, AllPartiesButOneCanBeMadeUpWithoutTheSecret) {
  const auto [parties, honest] = GetParam();
  const int dealer = parties, knows = (honest + 1) % parties;
  const Matrix secret = Matrix::Constant(kResult.rows, kResult.cols, -3.25);
  Matrix known = Matrix::Constant(kResult.rows, kResult.cols, -2);
  known.row(0).setConstant(5);

  net::Record real;
  std::vector<Matrix> results(static_cast<std::size_t>(parties)), made_up = results;
  run_recorded(parties, real, [&, honest = honest](Session& session, net::Mesh& mesh) {
    const Public seen = run_with_result(session, mesh, honest, mesh.rank() == honest ? &secret : nullptr,
                                        mesh.rank() == knows ? &known : nullptr);
    if (mesh.rank() != dealer) results[static_cast<std::size_t>(mesh.rank())] = value_of(seen);
  });

  net::Record simulated;
  net::run_ranks(net::recorded(net::mesh_kind("Memory").make(parties, 1), simulated),
                 [&, honest = honest](net::Mesh& mesh) {
                   mesh.set_step(kHandshake);
                   if (mesh.rank() == dealer) {
                     return Simulator(real, 1).play_dealer(mesh, honest);
                   }
                   if (mesh.rank() == honest) {
                     return Simulator(real, 2).play_honest(mesh, results[static_cast<std::size_t>(honest)]);
                   }
                   run_rank(mesh, [&](Session& session, net::Mesh& m) {
                     made_up[static_cast<std::size_t>(m.rank())] =
                         value_of(run_with_result(session, m, honest, nullptr, m.rank() == knows ? &known : nullptr));
                   });
                 });

  for (const int party : others()) {
    EXPECT_EQ(made_up[static_cast<std::size_t>(party)], results[static_cast<std::size_t>(party)]);
    // The two views are indistinguishable by their number of ones.
    for (const net::Record* record : {&real, &simulated}) {
      double ones = 0, bits = 0;
      for (const net::SentMessage& message : record->messages()) {
        if (message.to != party || message.step == "reveal") continue;
        const bool tagged = message.from == dealer && message.bytes.size() != Nonce().size();
        for (std::size_t i = tagged ? static_cast<std::size_t>(kDealtTagBytes) : 0; i < message.bytes.size(); ++i) {
          ones += std::popcount(std::to_integer<unsigned>(message.bytes[i]));
          bits += 8;
        }
      }
      EXPECT_GT(bits, 5000);
      EXPECT_LT(std::abs(ones - bits / 2), 7 * std::sqrt(bits) / 2);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
