// Each step of the engine equals plain arithmetic on the sums of all shares, and costs what a plan states.
#include "mpc/made/engine.h"

#include <gtest/gtest.h>

#include <mutex>
#include <random>

#include "mpc/made/adders.h"
#include "mpc/made/word_access.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

constexpr std::array kPartyCounts{1, 2, 3, 5};
constexpr std::array<std::int64_t, 6> kSizes{1, 63, 64, 65, 129, 1000};

using Wide = std::vector<DoubleWord>;

// Shares of all parties, gathered: sums over the holders. A slot for each value of a program, in order.
class Gathered {
 public:
  void add(int rank, std::size_t slot, const SharedWords& words) {
    const std::lock_guard lock(mutex_);
    Wide& sum = at(slot, words.size());
    EXPECT_EQ(words.own != nullptr, words.holders[static_cast<std::size_t>(rank)]);
    if (words.own == nullptr) return;
    ASSERT_EQ(std::ssize(*words.own), words.size() * limbs(words.width));
    with_word(words.width, [&](auto word) {
      using Word = decltype(word);
      for (std::int64_t i = 0; i < words.size(); ++i) {
        const Word share = load<Word>(words.own->data(), i);
        EXPECT_EQ(share & ~low_mask<Word>(words.width), Word{0});
        DoubleWord& total = sum[static_cast<std::size_t>(i)];
        total = (total + share) & low_mask<DoubleWord>(words.width);
      }
    });
  }
  void add(int rank, std::size_t slot, const SharedBits& bits) {
    const std::lock_guard lock(mutex_);
    Wide& sum = at(slot, bits.size);
    EXPECT_EQ(bits.own != nullptr, bits.holders[static_cast<std::size_t>(rank)]);
    if (bits.own == nullptr) return;
    for (std::int64_t i = 0; i < bits.size; ++i) sum[static_cast<std::size_t>(i)] ^= DoubleWord{bits.own->at(i)};
    EXPECT_EQ(bits.own->words().back() & ~bits.own->last_word_mask(), 0U);
  }
  const Wide& operator[](std::size_t slot) const { return sums_[slot]; }

 private:
  Wide& at(std::size_t slot, std::int64_t size) {
    if (slot >= sums_.size()) sums_.resize(slot + 1);
    sums_[slot].resize(static_cast<std::size_t>(size));
    return sums_[slot];
  }

  std::mutex mutex_;
  std::vector<Wide> sums_;
};

// A party's end of a program: random inputs, and the values to gather.
class Script {
 public:
  Script(Engine& engine, Gathered* gathered)
      : engine_(engine), gathered_(gathered), random_(static_cast<unsigned>(engine.rank()) + 7) {}

  Engine& engine() { return engine_; }
  Holders some_holders() {
    Holders holders(static_cast<std::size_t>(engine_.parties()));
    for (std::size_t i = 0; i < holders.size(); ++i) holders[i] = public_() % 2 == 0;
    holders[public_() % holders.size()] = true;
    return holders;
  }
  std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(public_() % static_cast<unsigned>(limit)); }
  SharedBits bits(std::int64_t size, const Holders& holders) {
    SharedBits bits{size, holders, nullptr};
    if (engine_.planned() || !holders[static_cast<std::size_t>(engine_.rank())]) return bits;
    auto own = std::make_shared<BitTensor>(Shape{1, size});
    for (std::uint64_t& word : own->words()) word = random_();
    own->clear_padding();
    bits.own = std::move(own);
    return bits;
  }
  SharedWords words(std::int64_t rows, std::int64_t columns, int width, const Holders& holders) {
    SharedWords words{rows, columns, width, holders, nullptr};
    if (engine_.planned() || !holders[static_cast<std::size_t>(engine_.rank())]) return words;
    with_word(width, [&](auto word) {
      using Word = decltype(word);
      words.own = words_of<Word>(words.size(), width, [&](std::int64_t) {
        return static_cast<Word>(DoubleWord{random_()} << 64 | random_());
      });
    });
    return words;
  }
  RingTensor tensor(Shape shape) {
    RingTensor tensor(shape, kWordBits);
    for (std::uint64_t& word : tensor.words()) word = random_();
    return tensor;
  }
  template <typename Shared>
  void gather(const Shared& value) {
    if (gathered_ != nullptr) gathered_->add(engine_.rank(), slots_, value);
    ++slots_;
  }

 private:
  Engine& engine_;
  Gathered* gathered_;
  std::mt19937_64 random_, public_{3};  // this party's; the same at all
  std::size_t slots_ = 0;
};

using Steps = std::function<void(Script&)>;

constexpr FerretSet kSmallSet{64, 8, 8};

// The transfers of a program, by a plan.
std::int64_t transfers_of(int parties, const Steps& steps) {
  PairNetwork plan(0, parties);
  Workers workers;
  BitTimesWord products(plan, Nonce{}, workers);
  Engine engine(plan, products, workers, CorrelationsFrom::kParties);
  Script script(engine, nullptr);
  steps(script);
  return plan.cost().transfers;
}

// Runs a program among parties, then on each rank's plan; three parties have Ferret's transfers.
std::unique_ptr<Gathered> run_script(int parties, const Steps& steps) {
  auto gathered = std::make_unique<Gathered>();
  const TransferSource source = parties == 3 ? TransferSource::kFerret : TransferSource::kSoftSpoken;
  const std::int64_t transfers = transfers_of(parties, steps);
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    Workers workers(2), workers_of_plan;
    PairNetwork network(mesh), plan(mesh.rank(), parties);
    BitTimesWord products(network, Nonce{}, workers, source, kSmallSet);
    BitTimesWord planned(plan, Nonce{}, workers_of_plan, source, kSmallSet);
    products.reserve(transfers);
    planned.reserve(transfers);
    EXPECT_EQ(plan.cost(), network.cost());
    const CorrelationsFrom from = CorrelationsFrom::kParties;
    Engine engine(network, products, workers, from), engine_of_plan(plan, planned, workers_of_plan, from);
    Script script(engine, gathered.get()), script_of_plan(engine_of_plan, nullptr);
    steps(script);
    steps(script_of_plan);
    EXPECT_EQ(plan.cost(), network.cost()) << parties << " parties, rank " << mesh.rank();
    if (parties == 1) {
      EXPECT_EQ(network.cost(), MadeCost());
    }
  });
  return gathered;
}

TEST(Engine, BothIsTheAndOfBitsWithAnyHolders) {
  constexpr std::size_t kPairs = 12;
  for (const int parties : kPartyCounts) {
    const auto all = run_script(parties, [](Script& script) {
      std::vector<std::pair<SharedBits, SharedBits>> pairs;
      for (std::size_t i = 0; i < kPairs; ++i) {
        const std::int64_t size = kSizes[i % kSizes.size()];
        const SharedBits x = script.bits(size, script.some_holders()), y = script.bits(size, script.some_holders());
        pairs.emplace_back(x, y);
        script.gather(x);
        script.gather(y);
      }
      for (const SharedBits& product : script.engine().both(pairs)) script.gather(product);
      // Again, with bits that are bound already, and with both parts exchanged.
      for (auto& [x, y] : pairs) std::swap(x, y);
      script.engine().both(pairs);
      for (const SharedBits& product : script.engine().both(pairs)) script.gather(product);
    });
    for (std::size_t i = 0; i < kPairs; ++i) {
      const Wide &x = (*all)[2 * i], &y = (*all)[2 * i + 1];
      for (const std::size_t slot : {2 * kPairs + i, 3 * kPairs + i}) {
        for (std::size_t e = 0; e < x.size(); ++e) ASSERT_EQ((*all)[slot][e], x[e] & y[e]) << parties << ", pair " << i;
      }
    }
  }
}

using Adder = std::vector<Engine::Sum> (*)(Engine&, std::span<const Engine::Addition>);

void expect_sums(int parties, Adder add) {
  struct One {
    Shape shape;
    int length;
    bool carries, transposed;
  };
  const std::vector<One> additions{{{1, 1}, 1, true, false},     {{1, 1}, 1, false, false}, {{5, 13}, 2, true, true},
                                   {{3, 43}, 38, true, true},    {{7, 9}, 64, false, true}, {{8, 8}, 63, true, false},
                                   {{1, 1000}, 22, false, false}};
  std::mutex mutex;
  std::vector<std::vector<Wide>> words(additions.size());
  std::vector<std::size_t> counts(additions.size());  // of carries
  const auto all = run_script(parties, [&](Script& script) {
    std::vector<Engine::Addition> list;
    std::vector<RingTensor> tensors;
    for (const One& one : additions) tensors.push_back(script.tensor(one.shape));
    for (std::size_t a = 0; a < additions.size(); ++a) {
      RingView view = tensors[a].view();
      if (additions[a].transposed) view = view.transposed();
      Wide own;
      for (std::int64_t i = 0; i < view.shape.size(); ++i) {
        own.push_back(view.at(i / view.shape.cols, i % view.shape.cols));
      }
      if (script.engine().planned()) {
        view.words = nullptr;
      } else {
        const std::lock_guard lock(mutex);
        words[a].push_back(std::move(own));
      }
      list.push_back({view, additions[a].length, additions[a].carries});
    }
    const std::vector<Engine::Sum> sums = add(script.engine(), list);
    for (std::size_t a = 0; a < sums.size(); ++a) {
      for (const SharedBits& bit : sums[a].bits) script.gather(bit);
      for (const SharedBits& carry : sums[a].carries) script.gather(carry);
      const std::lock_guard lock(mutex);
      counts[a] = sums[a].carries.size();
    }
  });
  std::size_t slot = 0;
  for (std::size_t a = 0; a < additions.size(); ++a) {
    const auto [shape, length, carries, transposed] = additions[a];
    Wide sum(static_cast<std::size_t>(shape.size()));
    for (const Wide& own : words[a]) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += own[i] & low_bits(length);
    }
    for (int bit = 0; bit < length; ++bit, ++slot) {
      for (std::size_t i = 0; i < sum.size(); ++i) ASSERT_EQ((*all)[slot][i], sum[i] >> bit & 1) << bit;
    }
    ASSERT_LT(counts[a], static_cast<std::size_t>(parties));
    if (!carries) continue;
    for (std::size_t carry = 0; carry < counts[a]; ++carry, ++slot) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] -= (*all)[slot][i] << length;
    }
    for (const DoubleWord rest : sum) ASSERT_EQ(rest >> length, 0U);
  }
}

TEST(Engine, AddGivesTheBitsOfTheSumAndItsCarries) {
  for (const int parties : kPartyCounts) {
    expect_sums(parties, add_by_ripples);
    expect_sums(parties, add_by_prefixes);
  }
  expect_sums(9, add_by_prefixes);  // several carry-save steps, with positions that no number has
}

constexpr std::array kWidths{1, 2, 7, 8, 9, 63, 64, 65, 127, 128};

TEST(Engine, WidenGivesBitsAsWordsOfAnyWidth) {
  for (const int parties : kPartyCounts) {
    const auto all = run_script(parties, [](Script& script) {
      std::vector<Engine::Widening> list;
      for (const int width : kWidths) {
        const std::int64_t size = kSizes[static_cast<std::size_t>(script.below(std::ssize(kSizes)))];
        list.push_back({script.bits(size, script.some_holders()), width});
        script.gather(list.back().bits);
      }
      for (const SharedWords& words : script.engine().widen(list)) script.gather(words);
    });
    for (std::size_t i = 0; i < kWidths.size(); ++i) EXPECT_EQ((*all)[i], (*all)[kWidths.size() + i]) << kWidths[i];
  }
}

TEST(Engine, TimesSelectsRowsOfWordsOfAnyWidth) {
  for (const int parties : kPartyCounts) {
    const auto all = run_script(parties, [](Script& script) {
      std::vector<Engine::Selection> list;
      for (const int width : kWidths) {
        const std::int64_t size = kSizes[static_cast<std::size_t>(script.below(std::ssize(kSizes)))];
        list.push_back({script.bits(size, script.some_holders()),
                        script.words(size, 1 + script.below(4), width, script.some_holders())});
        script.gather(list.back().bits);
        script.gather(list.back().words);
      }
      for (const SharedWords& words : script.engine().times(list)) script.gather(words);
    });
    for (std::size_t i = 0; i < kWidths.size(); ++i) {
      const Wide &bits = (*all)[2 * i], &words = (*all)[2 * i + 1], &made = (*all)[2 * kWidths.size() + i];
      for (std::size_t e = 0; e < words.size(); ++e) {
        ASSERT_EQ(made[e], bits[e / (words.size() / bits.size())] * words[e]) << kWidths[i];
      }
    }
  }
}

TEST(Engine, ProductsAreInTheNarrowerRing) {
  constexpr std::array<std::pair<int, int>, 6> kRings{{{1, 1}, {7, 9}, {38, 64}, {64, 64}, {51, 13}, {8, 100}}};
  for (const int parties : kPartyCounts) {
    const auto all = run_script(parties, [&](Script& script) {
      std::vector<Engine::Product> list;
      for (const auto& [k, l] : kRings) {
        const std::int64_t size = kSizes[static_cast<std::size_t>(script.below(4))];
        list.push_back({script.words(size, 1, k, script.some_holders()),
                        script.words(size, 1 + script.below(3), l, script.some_holders())});
        script.gather(list.back().x);
        script.gather(list.back().y);
      }
      for (const SharedWords& words : script.engine().products(list)) script.gather(words);
    });
    for (std::size_t i = 0; i < kRings.size(); ++i) {
      const Wide &x = (*all)[2 * i], &y = (*all)[2 * i + 1], &made = (*all)[2 * kRings.size() + i];
      const auto mask = low_mask<DoubleWord>(std::min(kRings[i].first, kRings[i].second));
      for (std::size_t e = 0; e < y.size(); ++e) ASSERT_EQ(made[e], x[e / (y.size() / x.size())] * y[e] & mask) << i;
    }
  }
}

TEST(Engine, UnaryPutsWordsWhereTheBitsPoint) {
  struct One {
    std::size_t bits;
    std::int64_t size, columns;
    int width;
  };
  const std::vector<One> choices{{0, 3, 2, 64}, {1, 65, 1, 1}, {4, 7, 3, 128}, {3, 129, 2, 53}, {2, 64, 1, 65}};
  for (const int parties : kPartyCounts) {
    const auto all = run_script(parties, [&](Script& script) {
      std::vector<Engine::Choice> list;
      for (const One& one : choices) {
        Engine::Choice& choice = list.emplace_back();
        for (std::size_t b = 0; b < one.bits; ++b) choice.bits.push_back(script.bits(one.size, script.some_holders()));
        choice.words = script.words(one.size, one.columns, one.width, script.some_holders());
        for (const SharedBits& bits : choice.bits) script.gather(bits);
        script.gather(choice.words);
      }
      for (const SharedWords& words : script.engine().unary(list)) script.gather(words);
    });
    std::size_t slot = 0, result = 0;
    for (const One& one : choices) result += one.bits + 1;
    for (const One& one : choices) {
      const Wide &words = (*all)[slot + one.bits], &made = (*all)[result++];
      const std::size_t rows = words.size() / static_cast<std::size_t>(one.columns);
      const std::size_t columns = words.size() / rows, cells = std::size_t{1} << one.bits;
      ASSERT_EQ(made.size(), words.size() * cells);
      for (std::size_t row = 0; row < rows; ++row) {
        std::size_t index = 0;
        for (std::size_t b = 0; b < one.bits; ++b) index = 2 * index + static_cast<std::size_t>((*all)[slot + b][row]);
        for (std::size_t i = 0; i < cells * columns; ++i) {
          const DoubleWord expected = i / columns == index ? words[row * columns + i % columns] : 0;
          ASSERT_EQ(made[row * cells * columns + i], expected);
        }
      }
      slot += one.bits + 1;
    }
  }
}

TEST(Engine, LocalStepsAreLinear) {
  for (const int parties : {1, 3}) {
    for (const int width : {13, 64, 100, 128}) {
      const auto all = run_script(parties, [&](Script& script) {
        const SharedWords a = script.words(65, 3, width, script.some_holders());
        const SharedWords b = script.words(65, 3, std::min(width, 70), script.some_holders());
        for (const SharedWords& made :
             {a, b, sum(a, b), difference(a, b), scaled(a, 12345), narrowed(a, 9), narrowed(shifted(b, 5), b.width),
              beside(std::vector{columns_of(a, 1, 2), columns_of(a, 0, 1)}), sums_of_rows(a, 5)}) {
          script.gather(made);
        }
        script.gather(script.engine().constant(7, 65, 3, width));
      });
      const Wide &a = (*all)[0], &b = (*all)[1];
      const auto of_a = low_mask<DoubleWord>(width), of_b = low_mask<DoubleWord>(std::min(width, 70));
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ((*all)[2][i], (a[i] + b[i]) & of_b);
        EXPECT_EQ((*all)[3][i], (a[i] - b[i]) & of_b);
        EXPECT_EQ((*all)[4][i], (a[i] * 12345) & of_a);
        EXPECT_EQ((*all)[5][i], a[i] & 511);
        EXPECT_EQ((*all)[6][i], (b[i] << 5) & of_b);
        EXPECT_EQ((*all)[7][i], a[i / 3 * 3 + (i % 3 + 1) % 3]);
        EXPECT_EQ((*all)[9][i], 7U);
      }
      for (std::size_t i = 0; i < 13 * 3; ++i) {
        DoubleWord total = 0;
        for (std::size_t row = 0; row < 5; ++row) total += a[(i / 3 * 5 + row) * 3 + i % 3];
        EXPECT_EQ((*all)[8][i], total & of_a);
      }
    }
  }
}

TEST(Engine, DroppedIsWithinAUnitOfTheQuotientForTwoHolders) {
  for (const int width : {40, 64, 100}) {
    const auto all = run_script(2, [&](Script& script) {
      const SharedWords a = script.words(1000, 1, width, all_of(2));
      script.gather(a);
      script.gather(dropped(a, 17));
    });
    const int rest = width - 17;
    for (std::size_t i = 0; i < 1000; ++i) {
      const DoubleWord off = ((*all)[1][i] - ((*all)[0][i] >> 17) + 1) & low_mask<DoubleWord>(rest);
      EXPECT_LE(off, 3U);
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
