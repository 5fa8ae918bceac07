// What n-1 parties see together is uniform, whatever the secrets are: it can be made up without them.
//
// The argument. A coalition of all parties but one sees its own draws (masks, shares of what is dealt and of the
// inputs), and what the honest party sends. Its draws are streams that do not depend on any secret, or a correction:
// what is dealt less the others' shares, one of which is the honest party's and uniform. The honest party sends its
// share of an opening plus its share of a mask, which nobody else knows and which is used once: uniform. So uniform
// words of the same lengths are the same view, but for what is revealed: there the honest share is the result less the
// coalition's shares, both public or the coalition's own.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <random>

#include "mpc/session/inside.h"
#include "mpc/session/local.h"
#include "net/collectives/pack.h"
#include "tests/mpc/security/recorded_session.h"

namespace tacit::mpc {
namespace {

using Column = std::vector<std::uint64_t>;  // one bit for each sample

void append_columns(const SeenWords& seen, std::vector<Column>& columns) {
  const std::size_t first = columns.size();
  columns.resize(first + static_cast<std::size_t>(seen.bits), Column((seen.words.size() + 63) / 64));
  for (std::size_t i = 0; i < seen.words.size(); ++i) {
    for (std::size_t b = 0; b < static_cast<std::size_t>(seen.bits); ++b) {
      columns[first + b][i / 64] |= ((seen.words[i] >> b) & 1) << (i % 64);
    }
  }
}

// Over GF(2), of the first words of each column and a column of ones.
std::size_t rank_of(std::vector<Column> columns, std::size_t words) {
  columns.emplace_back(words, ~std::uint64_t{0});
  for (Column& column : columns) column.resize(words);
  std::size_t rank = 0;
  for (std::size_t bit = 0; bit < words * 64 && rank < columns.size(); ++bit) {
    const auto set = [&](const Column& column) { return ((column[bit / 64] >> (bit % 64)) & 1) != 0; };
    const auto pivot = std::find_if(columns.begin() + static_cast<std::ptrdiff_t>(rank), columns.end(), set);
    if (pivot == columns.end()) continue;
    std::iter_swap(columns.begin() + static_cast<std::ptrdiff_t>(rank), pivot);
    for (std::size_t other = rank + 1; other < columns.size(); ++other) {
      if (!set(columns[other])) continue;
      for (std::size_t w = bit / 64; w < words; ++w) columns[other][w] ^= columns[rank][w];
    }
    ++rank;
  }
  return rank;
}

// How far the number of ones in the sum of columns is from a half, in standard deviations.
double bias(std::initializer_list<const Column*> columns) {
  double ones = 0, samples = 0;
  for (std::size_t w = 0; w < (*columns.begin())->size(); ++w) {
    std::uint64_t sum = 0;
    for (const Column* column : columns) sum ^= (*column)[w];
    ones += std::popcount(sum);
    samples += 64;
  }
  return std::abs(ones - samples / 2) / (std::sqrt(samples) / 2);
}

constexpr int kRing = 16, kFraction = 3;
constexpr Shape kSamples{1, 10048};  // full words

// Every element is a sample of the same small run, in which everything is derived from everything.
void run_composed(Session& s, net::Mesh& mesh, double a, double b) {
  int opening = 0;
  const auto step = [&] { mesh.set_step("opening " + std::to_string(opening++)); };
  const Matrix first = Matrix::Constant(1, kSamples.cols, a), second = Matrix::Constant(1, kSamples.cols, b);
  const Format format{kRing, kFraction};
  const std::vector<Share> inputs{s.input(0, kSamples, format, &first, "a"),
                                  s.input(s.parties() - 1, kSamples, format, &second, "b")};
  step();
  const std::vector<Masked> m = s.mask(inputs);
  const std::vector<Share> dropped{s.drop(s.product(m[0], m[1]), kFraction), s.drop(s.product(m[0], m[1]), kFraction),
                                   s.drop(s.product(m[0], m[0]), kFraction)};
  step();
  const std::vector<Shown> w = s.show(dropped);
  step();
  const std::vector<Session::Comparison> thresholds{{w[0], 12, 0}, {w[0], 12, 3}};
  const std::vector<Bits> bits = s.non_negative(thresholds);
  const Share direct = s.drop(s.product(s.masked(w[0]), m[0]), kFraction);
  const std::vector<Share> selected{s.select(bits[0], w[0], 13),
                                    s.select(bits[0], w[1], 13),
                                    s.select(bits[0], w[0], 16),
                                    s.select(bits[1], w[0], 13),
                                    s.indicator(bits[1], 16),
                                    s.lift(w[0], 16),
                                    s.lift(w[2], 16)};
  step();
  const std::vector<Masked> again = s.mask(selected);
  const std::vector<Share> last{direct, s.drop(s.product(again[0], again[5]), kFraction)};
  step();
  const std::vector<Shown> shown = s.show(last);
  step();
  s.mask(s.lift(shown[0], 16));
}

// What was opened in each step: widths, in their order. The comparison's bits go as words.
const std::vector<std::vector<int>> kOpenedWidths{{16, 16}, {13, 13, 13}, {}, {13, 13, 16, 13, 16, 16, 16},
                                                  {10, 10}, {16}};

// All that the parties of the coalition see, but for what follows from it.
std::vector<Column> columns_of(const Views& views, const std::vector<int>& coalition, int honest) {
  std::vector<Column> columns;
  for (const int party : coalition) {
    for (const SeenWords& seen : views.by_party[static_cast<std::size_t>(party)].drawn) append_columns(seen, columns);
  }
  const auto count = static_cast<std::size_t>(kSamples.size());
  for (std::size_t step = 0; step < kOpenedWidths.size(); ++step) {
    const std::vector<std::byte> sent =
        views.record.bytes(honest, coalition.front(), "opening " + std::to_string(step));
    std::size_t at = 0;
    const auto next = [&](std::size_t bytes) {
      at += bytes;
      return std::vector<std::byte>(sent.begin() + static_cast<std::ptrdiff_t>(at - bytes),
                                    sent.begin() + static_cast<std::ptrdiff_t>(at));
    };
    for (const int bits : kOpenedWidths[step]) {
      append_columns({unpacked(next(count * static_cast<std::size_t>(bits) / 8), bits), bits}, columns);
    }
    while (at < sent.size()) columns.push_back(unpacked(next(count / 8), 64));
  }
  return columns;
}

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

TEST_P(ViewOf, AllPartiesButOneIsUniformInEveryBitPairAndSmallSum) {
  for (const auto& [a, b] : {std::pair{30.0, -25.0}, std::pair{-1.0, 1.0}}) {
    Views views(GetParam().parties);
    run_viewed(views, [&](Session& session, net::Mesh& mesh) { run_composed(session, mesh, a, b); });
    const std::vector<Column> columns = columns_of(views, others(), GetParam().honest);
    ASSERT_GT(columns.size(), 500U);

    EXPECT_EQ(rank_of(columns, columns.size() / 64 + 4), columns.size() + 1) << "some bit is a sum of others";
    double worst_bit = 0, worst_pair = 0, worst_sum = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      worst_bit = std::max(worst_bit, bias({&columns[i]}));
      for (std::size_t j = 0; j < i; ++j) worst_pair = std::max(worst_pair, bias({&columns[i], &columns[j]}));
    }
    std::mt19937_64 random(3);
    for (int i = 0; i < 20000; ++i) {
      std::array<std::size_t, 4> c;
      for (std::size_t& column : c) column = random() % columns.size();
      if (c[0] == c[1] || c[0] == c[2] || c[1] == c[2] || c[0] == c[3] || c[1] == c[3] || c[2] == c[3]) continue;
      worst_sum = std::max(worst_sum, bias({&columns[c[0]], &columns[c[1]], &columns[c[2]]}));
      worst_sum = std::max(worst_sum, bias({&columns[c[0]], &columns[c[1]], &columns[c[2]], &columns[c[3]]}));
    }
    EXPECT_LT(worst_bit, 7);
    EXPECT_LT(worst_pair, 7.5);  // of half a million and more
    EXPECT_LT(worst_sum, 7);
  }
}

TEST(View, OfAllPartiesTogetherIsNotUniformSoThatTheTestCanFail) {
  Views views(2);
  run_viewed(views, [&](Session& session, net::Mesh& mesh) { run_composed(session, mesh, -1, 1); });
  const std::vector<Column> columns = columns_of(views, {0, 1}, 1);
  EXPECT_LT(rank_of(columns, columns.size() / 64 + 4), columns.size() + 1);
}

constexpr Shape kResult{8, 16};
constexpr int kResultBits = 38;

// The honest party's secret and what the coalition's last party knows; what is revealed of them is max(xy, 0).
Public run_with_result(Session& s, net::Mesh& mesh, int honest, const Matrix* secret, const Matrix* known) {
  mesh.set_step("inside");
  const Format format{51, 13};
  const std::vector<Share> both{s.input(honest, kResult, format, secret, "secret"),
                                s.input((honest + 1) % s.parties(), kResult, format, known, "known")};
  const std::vector<Masked> m = s.mask(both);
  const Shown shown = s.show(s.drop(s.product(m[0], m[1]), 13));
  const Share h = s.select(s.non_negative(shown, 30), shown, 64);
  const Masked again = s.mask(h);
  const Share result = narrow(s.drop(s.product(again, again), 26), kResultBits);
  mesh.set_step("reveal");
  return s.reveal(result, To::everyone(), "the result");
}

// Plays the honest party, or the dealer, to a coalition: uniform bytes of the lengths that are public, tags that are.
class Simulator {
 public:
  Simulator(const net::Record& real, unsigned seed) : real_(real.messages()), random_(seed) {}

  void play_dealer(net::Mesh& mesh, int honest) {
    for (const net::SentMessage& message : real_) {
      if (message.from != mesh.rank() || message.to == honest) continue;
      const std::size_t tag = message.step == kHandshake ? 0 : static_cast<std::size_t>(kDealtTagBytes);
      std::vector<std::byte> made = uniform(message.bytes.size());
      std::copy_n(message.bytes.begin(), tag, made.begin());
      mesh.channel(message.to).post(net::kMainStream, made);
    }
    receive_all(mesh, honest);
  }

  // Told nothing but the result.
  void play_honest(net::Mesh& mesh, const Matrix& result) {
    std::vector<std::vector<std::byte>> sent;  // by position: a direct opening is the same to everybody
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

  // What the coalition sends; adds up its shares of what is revealed.
  void receive_all(net::Mesh& mesh, int but) {
    coalitions_.assign(static_cast<std::size_t>(kResult.size()), 0);
    for (const net::SentMessage& message : real_) {
      if (message.to != mesh.rank() || message.from == but || message.from >= mesh.parties()) continue;
      std::vector<std::byte> bytes(message.bytes.size());
      mesh.channel(message.from).receive(net::kMainStream, net::Bytes(bytes)).wait();
      if (message.step != "reveal") continue;
      const std::vector<std::uint64_t> words = unpacked(bytes, kResultBits);
      for (std::size_t i = 0; i < words.size(); ++i) coalitions_[i] += words[i];
    }
  }

  std::vector<net::SentMessage> real_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> coalitions_;
};

// The real program runs at the coalition, on a view that was made up, to the real end.
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
    // Nothing tells one view from the other: as many ones.
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
