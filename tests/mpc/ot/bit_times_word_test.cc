// Products of bits with words of other parties equal plain arithmetic, and cost what a plan states.
#include "mpc/ot/bit_times_word.h"

#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "mpc/random/uniform_words.h"
#include "net/error.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using Words = std::vector<std::uint64_t>;

BitTensor random_bits(std::int64_t size, std::mt19937_64& random) {
  BitTensor bits({1, size});
  for (std::uint64_t& word : bits.words()) word = random();
  bits.clear_padding();
  return bits;
}

Holders everyone(int parties) { return Holders(static_cast<std::size_t>(parties), true); }

Holders random_holders(int parties, std::mt19937_64& random) {
  Holders holders(static_cast<std::size_t>(parties));
  for (std::size_t i = 0; i < holders.size(); ++i) holders[i] = random() % 2 != 0;
  return holders;
}

// A program of the public arguments: some bits, then several rounds of products of them.
struct Program {
  struct WordUse {
    std::size_t bits;
    int holder;
    Holders from;
    int columns, width;
  };
  struct BitUse {
    std::size_t bits;
    int holder;
    Holders from;
  };
  struct Round {
    std::vector<WordUse> words;
    std::vector<BitUse> bits;
  };
  int parties = 2;
  std::vector<std::vector<std::pair<std::int64_t, Holders>>> bound;  // in each call of bind
  bool joined = false;  // the last call's bits are bound in the first round
  std::vector<Round> rounds;
};

// Inputs of all parties.
struct Inputs {
  std::vector<std::vector<BitTensor>> bits;                // by bits, party
  std::vector<std::vector<std::vector<Words>>> words;      // by round, factor, party
  std::vector<std::vector<std::vector<BitTensor>>> flags;  // by round, factor, party
};

std::vector<std::int64_t> sizes_of(const Program& program) {
  std::vector<std::int64_t> sizes;
  for (const auto& call : program.bound) {
    for (const auto& [size, holders] : call) sizes.push_back(size);
  }
  return sizes;
}

std::vector<Holders> holders_of(const Program& program) {
  std::vector<Holders> all;
  for (const auto& call : program.bound) {
    for (const auto& [size, holders] : call) all.push_back(holders);
  }
  return all;
}

Inputs random_inputs(const Program& program, std::mt19937_64& random) {
  Inputs inputs;
  const auto sizes = sizes_of(program);
  for (const std::int64_t size : sizes) {
    auto& of_bits = inputs.bits.emplace_back();
    for (int p = 0; p < program.parties; ++p) of_bits.push_back(random_bits(size, random));
  }
  for (const auto& round : program.rounds) {
    auto& words = inputs.words.emplace_back();
    for (const auto& use : round.words) {
      auto& of_factor = words.emplace_back();
      const std::int64_t places = sizes[use.bits] * use.columns * (use.width > 64 ? 2 : 1);
      for (int p = 0; p < program.parties; ++p) {
        Words& own = of_factor.emplace_back(static_cast<std::size_t>(places));
        for (std::uint64_t& word : own) word = random();
      }
    }
    auto& flags = inputs.flags.emplace_back();
    for (const auto& use : round.bits) {
      auto& of_factor = flags.emplace_back();
      for (int p = 0; p < program.parties; ++p) of_factor.push_back(random_bits(sizes[use.bits], random));
    }
  }
  return inputs;
}

// Ferret in small: 304 transfers an extension.
constexpr FerretSet kSmallSet{16, 7, 5};
constexpr TransferSource kSources[] = {TransferSource::kSoftSpoken, TransferSource::kFerret};

std::int64_t transfers_of(const Program& program);

// Returns the products of every round. Without inputs: on a plan.
std::vector<BitTimesWord::Products> run_at(PairNetwork& network, const Program& program, const Inputs* inputs,
                                           TransferSource source = TransferSource::kSoftSpoken) {
  Workers workers(2);
  BitTimesWord products(network, Nonce{}, workers, source, kSmallSet);
  if (source == TransferSource::kFerret) products.reserve(transfers_of(program));
  const auto own = static_cast<std::size_t>(network.rank());
  std::vector<std::shared_ptr<BitTimesWord::Bound>> bound, unbound;
  for (const auto& call : program.bound) {
    const bool joins = program.joined && &call == &program.bound.back();
    std::vector<BitTimesWord::Bits> bits;
    for (const auto& [size, holders] : call) {
      const bool holds = holders[own] && inputs != nullptr;
      bits.push_back({size, holders, holds ? &inputs->bits[bound.size() + bits.size()][own] : nullptr});
    }
    if (joins) unbound = products.unbound(bits);
    for (auto& made : joins ? unbound : products.bind(bits)) bound.push_back(made);
  }
  std::vector<BitTimesWord::Products> all;
  for (std::size_t r = 0; r < program.rounds.size(); ++r) {
    std::vector<BitTimesWord::WordFactor> words;
    for (const auto& use : program.rounds[r].words) {
      words.push_back({bound[use.bits].get(), use.holder, use.from, {}, use.columns, use.width});
      if (inputs != nullptr && use.from[own]) words.back().words = inputs->words[r][words.size() - 1][own];
    }
    std::vector<BitTimesWord::BitFactor> bits;
    for (const auto& use : program.rounds[r].bits) {
      bits.push_back({bound[use.bits].get(), use.holder, use.from, nullptr});
      if (inputs != nullptr && use.from[own]) bits.back().own = &inputs->flags[r][bits.size() - 1][own];
    }
    all.push_back(products.multiply(words, bits, std::exchange(unbound, {})));
  }
  return all;
}

// The number of transfers of the program, by a plan of rank 0.
std::int64_t transfers_of(const Program& program) {
  PairNetwork plan(0, program.parties);
  run_at(plan, program, nullptr);
  return plan.cost().transfers;
}

DoubleWord word_at(const Words& words, std::size_t i, int width) {
  if (width <= 64) return words[i];
  return DoubleWord{words[2 * i + 1]} << 64 | words[2 * i];
}

DoubleWord reduced(DoubleWord number, int width) {
  return width == 128 ? number : number & ((DoubleWord{1} << width) - 1);
}

// visit(i, j) for every holder and every other party in `from`.
template <typename Visit>
void for_pairs(const Holders& holders, int holder, const Holders& from, const Visit& visit) {
  for (std::size_t i = 0; i < holders.size(); ++i) {
    for (std::size_t j = 0; j < holders.size(); ++j) {
      if (holders[i] && (holder == -1 || holder == static_cast<int>(i)) && from[j] && i != j) visit(i, j);
    }
  }
}

void expect_products(const Program& program, const Inputs& inputs,
                     const std::vector<std::vector<BitTimesWord::Products>>& got) {
  const auto sizes = sizes_of(program);
  const auto holders = holders_of(program);
  for (std::size_t r = 0; r < program.rounds.size(); ++r) {
    for (std::size_t k = 0; k < program.rounds[r].words.size(); ++k) {
      const auto& use = program.rounds[r].words[k];
      const auto columns = static_cast<std::size_t>(use.columns);
      for (std::size_t w = 0; w < static_cast<std::size_t>(sizes[use.bits]) * columns; ++w) {
        DoubleWord expected = 0, sum = 0;
        for_pairs(holders[use.bits], use.holder, use.from, [&](std::size_t i, std::size_t j) {
          if (inputs.bits[use.bits][i].at(static_cast<std::int64_t>(w / columns))) {
            expected += word_at(inputs.words[r][k][j], w, use.width);
          }
        });
        for (const auto& of_rank : got) {
          const DoubleWord share = word_at(of_rank[r].words[k], w, use.width);
          ASSERT_TRUE(share == reduced(share, use.width));
          sum += share;
        }
        ASSERT_TRUE(reduced(sum, use.width) == reduced(expected, use.width))
            << "round " << r << ", factor " << k << ", word " << w << ", width " << use.width;
      }
    }
    for (std::size_t k = 0; k < program.rounds[r].bits.size(); ++k) {
      const auto& use = program.rounds[r].bits[k];
      for (std::int64_t b = 0; b < sizes[use.bits]; ++b) {
        bool expected = false, sum = false;
        for_pairs(holders[use.bits], use.holder, use.from, [&](std::size_t i, std::size_t j) {
          expected ^= inputs.bits[use.bits][i].at(b) && inputs.flags[r][k][j].at(b);
        });
        for (const auto& of_rank : got) sum ^= of_rank[r].bits[k].at(b);
        ASSERT_EQ(sum, expected) << "round " << r << ", bit factor " << k << ", bit " << b;
      }
      for (const auto& of_rank : got) {
        const BitTensor& bits = of_rank[r].bits[k];
        ASSERT_TRUE(bits.size() == 0 || (bits.words().back() & ~bits.last_word_mask()) == 0);
      }
    }
  }
}

// Runs the program over threads and on plans, and compares.
void expect_exact_from(TransferSource source, const Program& program, unsigned seed) {
  std::mt19937_64 random(seed);
  const Inputs inputs = random_inputs(program, random);
  std::vector<std::vector<BitTimesWord::Products>> got(static_cast<std::size_t>(program.parties));
  net::run_ranks(net::mesh_kind("Memory").make(program.parties, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    got[static_cast<std::size_t>(mesh.rank())] = run_at(network, program, &inputs, source);
    PairNetwork plan(mesh.rank(), mesh.parties());
    for (const auto& products : run_at(plan, program, nullptr, source)) {
      for (const Words& words : products.words) EXPECT_TRUE(words.empty());
      for (const BitTensor& bits : products.bits) EXPECT_EQ(bits.size(), 0);
    }
    EXPECT_EQ(network.cost(), plan.cost()) << "rank " << mesh.rank();
    const net::Traffic traffic = mesh.traffic();
    const MadeCost measured{traffic.rounds, traffic.total().payload_sent, traffic.total().messages_sent,
                            transfers_of(program)};
    EXPECT_EQ(measured, plan.cost()) << "rank " << mesh.rank();
  });
  expect_products(program, inputs, got);
}

void expect_exact(const Program& program, unsigned seed) {
  for (const TransferSource source : kSources) expect_exact_from(source, program, seed);
}

TEST(BitTimesWord, IsExactForUglySizes) {
  for (const int parties : {1, 2, 3, 5}) {
    Program program;
    program.parties = parties;
    const Holders all = everyone(parties);
    program.bound = {{{0, all}, {1, all}, {63, all}}, {{64, all}, {65, all}}, {{129, all}, {1000, all}, {2100, all}}};
    Program::Round& round = program.rounds.emplace_back();
    for (std::size_t k = 0; k < 8; ++k) {
      round.words.push_back({k, -1, all, static_cast<int>(k % 3) + 1, static_cast<int>(7 * k) + 13});
      round.bits.push_back({k, -1, all});
    }
    expect_exact(program, 1);
  }
}

TEST(BitTimesWord, IsExactForEveryWidth) {
  Program program;
  program.parties = 3;
  const Holders all = everyone(3);
  program.bound = {{{131, all}}};
  for (int width = 1; width <= 128; ++width) {
    program.rounds.push_back({{{0, -1, all, 1, width}, {0, 1, all, 3, width}}, {}});
  }
  expect_exact(program, 2);
}

TEST(BitTimesWord, IsExactForAnyHoldersAndSenders) {
  std::mt19937_64 random(3);
  for (const int parties : {2, 3, 5}) {
    Program program;
    program.parties = parties;
    for (int call = 0; call < 2; ++call) {
      auto& bound = program.bound.emplace_back();
      for (int k = 0; k < 4; ++k) {
        bound.emplace_back(static_cast<std::int64_t>(random() % 300), random_holders(parties, random));
      }
    }
    const auto holders = holders_of(program);
    for (int r = 0; r < 10; ++r) {
      Program::Round& round = program.rounds.emplace_back();
      for (int k = 0; k < 6; ++k) {
        const std::size_t bits = random() % holders.size();
        int holder = -1;
        for (int i = 0; i < parties; ++i) {
          if (holders[bits][static_cast<std::size_t>(i)] && random() % 3 == 0) holder = i;
        }
        round.words.push_back({bits, holder, random_holders(parties, random), static_cast<int>(random() % 4),
                               static_cast<int>(random() % 128) + 1});
        round.bits.push_back({bits, holder, random_holders(parties, random)});
      }
    }
    expect_exact(program, 4);
  }
}

// The first round also binds bits, of any holders, which it may use several times. Later rounds use them again.
TEST(BitTimesWord, IsExactForBitsThatItsRoundBinds) {
  std::mt19937_64 random(7);
  for (const int parties : {1, 2, 3, 5}) {
    for (const std::int64_t most : {1, 70, 700}) {
      Program program;
      program.parties = parties;
      program.joined = true;
      for (int call = 0; call < 2; ++call) {
        auto& bound = program.bound.emplace_back();
        for (int k = 0; k < 4; ++k) {
          bound.emplace_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most)),
                             k == 0 ? everyone(parties) : random_holders(parties, random));
        }
      }
      const auto holders = holders_of(program);
      for (int r = 0; r < 4; ++r) {
        Program::Round& round = program.rounds.emplace_back();
        for (std::size_t k = 0; k < 20; ++k) {
          const std::size_t bits = k % holders.size();
          round.words.push_back({bits, -1, random_holders(parties, random), static_cast<int>(random() % 4),
                                 static_cast<int>(random() % 128) + 1});
          round.bits.push_back({bits, -1, k % 3 == 0 ? everyone(parties) : random_holders(parties, random)});
          if (random() % 2 == 0) round.words.clear();
        }
      }
      expect_exact(program, 8);
    }
  }
}

// With Ferret, they take no round of their own; with SoftSpoken, only if a product of this round has them.
TEST(BitTimesWord, BindsInTheRoundOfTheFirstProducts) {
  for (const TransferSource source : kSources) {
    for (const bool used : {true, false}) {
      PairNetwork plan(0, 3);
      Workers workers;
      BitTimesWord products(plan, Nonce{}, workers, source);
      const std::vector<BitTimesWord::Bits> bits{{256, everyone(3)}};
      const auto first = products.bind(bits);
      const MadeCost before = plan.cost();
      const auto unbound = products.unbound(bits);
      products.multiply({}, std::vector<BitTimesWord::BitFactor>{{(used ? unbound : first)[0].get(), -1, everyone(3)}},
                        unbound);
      MadeCost cost = plan.cost();
      const std::int64_t rounds = source == TransferSource::kSoftSpoken && used ? 2 : 1;
      const std::int64_t bound_bytes = source == TransferSource::kSoftSpoken ? 1024 : 32;
      EXPECT_EQ(cost -= before, (MadeCost{rounds, 2 * (bound_bytes + 32), 2 * rounds, 256}));
    }
  }
}

// One-bit uses take a new block of pads after 128 of them.
TEST(BitTimesWord, IsExactForManyUsesOfTheSameBits) {
  Program program;
  program.parties = 2;
  const Holders all = everyone(2);
  program.bound = {{{200, all}}, {{1500, {true, false}}}};
  for (int r = 0; r < 300; ++r) {
    program.rounds.push_back({{}, {{0, r % 2, all}, {1, -1, all}}});
    if (r % 20 == 0) program.rounds.back().words.push_back({0, -1, all, 2, 40});
  }
  expect_exact(program, 5);
}

// The bytes and messages of rank 0, for each peer.
std::vector<std::int64_t> lengths_of(const Program& program, const Inputs& inputs, TransferSource source) {
  std::vector<std::int64_t> lengths;
  net::run_ranks(net::mesh_kind("Memory").make(program.parties, 0), [&](net::Mesh& mesh) {
    PairNetwork network(mesh);
    run_at(network, program, &inputs, source);
    if (mesh.rank() != 0) return;
    for (const net::PeerTraffic& peer : mesh.traffic().peers) {
      lengths.insert(lengths.end(), {peer.payload_sent, peer.payload_received, peer.messages_sent});
    }
  });
  return lengths;
}

TEST(BitTimesWord, SendsTheSameLengthsForAllBitsAndWords) {
  Program program;
  program.parties = 3;
  program.bound = {{{500, everyone(3)}, {77, {false, true, true}}}};
  program.rounds = {{{{0, -1, everyone(3), 2, 40}, {1, 2, everyone(3), 1, 70}}, {{0, -1, {true, false, true}}}}};
  std::mt19937_64 random(6);
  Inputs inputs = random_inputs(program, random);
  std::vector<std::vector<std::int64_t>> expected;
  for (const TransferSource source : kSources) expected.push_back(lengths_of(program, inputs, source));
  for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const auto fill = [&](BitTensor& bits) {
      std::fill(bits.words().begin(), bits.words().end(), word);
      bits.clear_padding();
    };
    for (auto& bits : inputs.bits) std::for_each(bits.begin(), bits.end(), fill);
    for (auto& flags : inputs.flags[0]) std::for_each(flags.begin(), flags.end(), fill);
    for (auto& words : inputs.words[0]) {
      for (Words& own : words) std::fill(own.begin(), own.end(), word);
    }
    for (std::size_t s = 0; s < expected.size(); ++s) {
      EXPECT_EQ(lengths_of(program, inputs, kSources[s]), expected[s]);
    }
  }
}

TEST(BitTimesWord, TakesNoRoundForNothing) {
  PairNetwork plan(0, 3);
  Workers workers;
  BitTimesWord products(plan, Nonce{}, workers);
  const MadeCost set_up = plan.cost();
  EXPECT_EQ(set_up, (MadeCost{3, 2 * (32 + 4096 + 4096), 6}));
  const Holders nobody(3, false);
  const BitTimesWord::Bits none[] = {{0, everyone(3)}, {100, nobody}};
  const auto bound = products.bind(none);
  const BitTimesWord::WordFactor factors[] = {{bound[0].get(), -1, everyone(3), {}, 2, 5},
                                              {bound[1].get(), -1, everyone(3), {}, 1, 70}};
  EXPECT_EQ(products.times(factors).size(), 2U);
  EXPECT_EQ(plan.cost(), set_up);
}

TEST(BitTimesWord, CostsWhatItsHeaderStates) {
  PairNetwork plan(0, 3);
  Workers workers;
  BitTimesWord products(plan, Nonce{}, workers);
  MadeCost before = plan.cost();
  const auto bound = products.bind(std::vector<BitTimesWord::Bits>{{100, everyone(3)}, {200, {true, false, false}}});
  MadeCost cost = plan.cost();
  EXPECT_EQ(cost -= before, (MadeCost{1, 2 * 384 * 4, 2, 384}));  // 300 bits take 384 transfers
  before = plan.cost();
  products.times(std::vector<BitTimesWord::WordFactor>{{bound[0].get(), -1, everyone(3), {}, 3, 38}});
  cost = plan.cost();
  EXPECT_EQ(cost -= before, (MadeCost{1, 2 * (100 * 3 * 38 / 8), 2}));
}

TEST(BitTimesWord, BindsABitForABitWithFerret) {
  PairNetwork plan(1, 3);
  Workers workers;
  BitTimesWord products(plan, Nonce{}, workers, TransferSource::kFerret);
  MadeCost before = plan.cost();
  products.bind(std::vector<BitTimesWord::Bits>{{100, everyone(3)}, {200, {true, false, false}}});
  MadeCost cost = plan.cost();
  EXPECT_EQ(cost -= before, (MadeCost{1, 2 * 128 / 8, 2, 384}));  // rank 1 has 100 bits; rank 0 has the most
  before = plan.cost();
  products.reserve(1'000'000);
  cost = plan.cost();
  EXPECT_EQ(cost -= before, (MadeCost{2, 2 * (2750 + 352'000), 4}));
}

// bind() never extends: it refuses bits beyond the reserved transfers, at every rank, and takes all reserved ones.
TEST(BitTimesWord, RefusesBitsBeyondTheStock) {
  for (const int rank : {0, 1}) {
    net::run_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
      PairNetwork network(mesh);
      Workers workers;
      BitTimesWord products(network, Nonce{}, workers, TransferSource::kFerret, kSmallSet);
      products.reserve(300);
      const BitTensor own = BitTensor::zeros({1, 200});
      const auto bits = [&](std::int64_t holder) {
        return std::vector<BitTimesWord::Bits>{{200, {holder == 0, holder == 1}, &own}};
      };
      products.bind(bits(rank));  // 256 transfers of 304
      const MadeCost before = network.cost();
      EXPECT_THROW(products.bind(bits(rank)), BrokenInvariant);
      EXPECT_EQ(network.cost(), before);
      products.bind(bits(1 - rank));
      products.reserve(256);
      products.bind(bits(rank));
    });
  }
}

}  // namespace
}  // namespace tacit::mpc
