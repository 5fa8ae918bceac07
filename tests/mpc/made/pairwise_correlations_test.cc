// What the parties make for a request adds up to the value of the request, exactly; each party's share alone is uniform; and the
// cost is what a plan states.
#include "mpc/correlations/pairwise_correlations.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <mutex>

#include "mpc/lattice/masked_product.h"
#include "mpc/made/share_products.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/subset_products.h"
#include "tests/mpc/correlation_values.h"
#include "tests/net/meshes.h"
#include "tests/sanitized.h"

namespace tacit::mpc {
namespace {

// Under a sanitizer, three parties stand for all: a fifth of the time.
const std::vector<int> kEveryCount = kSlowdown == 1 ? std::vector{1, 2, 3, 5} : std::vector{1, 3};

// A party's masks, which outlive its requests.
struct MasksOfSource {
  explicit MasksOfSource(Correlations& from) : source(from) {}

  RingView words(Shape shape, int bits = kWordBits) {
    return tensors.emplace_back(source.mask({shape, bits, bits})).view();
  }
  const BitTensor* bits(Shape shape) { return &flags.emplace_back(source.mask_bits(shape)); }
  std::span<const BitTensor> bits(Shape shape, int count) {
    std::vector<BitTensor>& list = lists.emplace_back();
    for (int i = 0; i < count; ++i) list.push_back(source.mask_bits(shape));
    return list;
  }

  Correlations& source;
  std::deque<RingTensor> tensors;
  std::deque<BitTensor> flags;
  std::deque<std::vector<BitTensor>> lists;
};

using AskWords = std::function<WordRequest(MasksOfSource&)>;
using AskBits = std::function<BitRequest(MasksOfSource&)>;

// The traffic of a rank, as costs of making correlations count it.
MadeCost made_traffic(const net::Traffic& traffic) {
  return {traffic.rounds, traffic.total().payload_sent, traffic.total().messages_sent};
}

// The requests and shares of all parties, by request and rank.
template <typename Request, typename Tensor>
struct Answers {
  std::vector<std::vector<Request>> requests;
  std::vector<std::vector<std::vector<Tensor>>> shares;
  std::vector<std::unique_ptr<MasksOfSource>> masks;  // by rank
};

template <typename Request, typename Tensor>
Answers<Request, Tensor> answers(int parties, const std::vector<std::function<Request(MasksOfSource&)>>& asks) {
  Answers<Request, Tensor> all;
  const auto ranks = static_cast<std::size_t>(parties);
  all.requests.assign(asks.size(), std::vector<Request>(ranks));
  all.shares.resize(asks.size(), std::vector<std::vector<Tensor>>(ranks));
  all.masks.resize(ranks);
  net::run_ranks(net::mesh_kind("Memory").make(parties, 0), [&](net::Mesh& mesh) {
    Workers workers(2);
    net::Traffic before = mesh.traffic();
    const std::unique_ptr<Correlations> source = pairwise_correlations(mesh, Nonce{}, workers);
    EXPECT_EQ(made_traffic(mesh.traffic() - before), start_cost(parties, mesh.rank(), CorrelationsFrom::kParties));
    EXPECT_EQ(source->made_by(), CorrelationsFrom::kParties);
    const auto rank = static_cast<std::size_t>(mesh.rank());
    all.masks[rank] = std::make_unique<MasksOfSource>(*source);
    for (std::size_t i = 0; i < asks.size(); ++i) {
      source->begin(static_cast<std::int64_t>(i));
      const Request request = asks[i](*all.masks[rank]);
      before = mesh.traffic();
      if constexpr (std::is_same_v<Tensor, RingTensor>) {
        all.shares[i][rank] = source->words(request);
      } else {
        all.shares[i][rank] = source->bits(request);
      }
      const MadeCost measured = made_traffic(mesh.traffic() - before);
      MadeCost stated = made_cost(request, parties, mesh.rank(), CorrelationsFrom::kParties);
      stated.transfers = stated.leakage = 0;  // no part of the traffic
      EXPECT_EQ(measured, stated) << "request " << i << " at rank " << rank;
      if (parties == 1) {
        EXPECT_EQ(measured, MadeCost());
      }
      all.requests[i][rank] = request;
    }
  });
  return all;
}

template <typename Variant>
auto values_of(const std::vector<Variant>& requests) {
  return std::visit(
      [&](const auto& first) {
        std::vector<const std::remove_cvref_t<decltype(first)>*> all;
        for (const Variant& one : requests) all.push_back(&std::get<std::remove_cvref_t<decltype(first)>>(one));
        return values(all);
      },
      requests.front());
}

Answers<WordRequest, RingTensor> expect_words(int parties, const std::vector<AskWords>& asks) {
  auto all = answers<WordRequest, RingTensor>(parties, asks);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const std::vector<Plain> expected = values_of(all.requests[i]);
    const auto [shape, widths] =
        std::visit([](const auto& one) { return std::pair(one.shape(), one.widths()); }, all.requests[i].front());
    for (std::size_t t = 0; t < expected.size(); ++t) {
      Plain sum(static_cast<std::size_t>(shape.size()));
      for (const std::vector<RingTensor>& shares : all.shares[i]) {
        EXPECT_EQ(shares.size(), expected.size());
        EXPECT_EQ(shares[t].shape(), shape);
        EXPECT_EQ(shares[t].bits(), widths[t]);
        for (std::size_t e = 0; e < sum.size(); ++e) {
          EXPECT_EQ(shares[t].data()[e] & ~low_bits(widths[t]), 0U);
          sum[e] = (sum[e] + shares[t].data()[e]) & low_bits(widths[t]);
        }
      }
      for (std::size_t e = 0; e < sum.size(); ++e) {
        EXPECT_EQ(sum[e], expected[t][e] & low_bits(widths[t]))
            << parties << " parties, request " << i << ", tensor " << t << ", element " << e;
        if (testing::Test::HasFailure()) return all;
      }
    }
  }
  return all;
}

Answers<BitRequest, BitTensor> expect_bits(int parties, const std::vector<AskBits>& asks) {
  auto all = answers<BitRequest, BitTensor>(parties, asks);
  for (std::size_t i = 0; i < asks.size(); ++i) {
    const std::vector<PlainBits> expected = values_of(all.requests[i]);
    for (std::size_t t = 0; t < expected.size(); ++t) {
      PlainBits sum(expected[t].size());
      for (const std::vector<BitTensor>& shares : all.shares[i]) {
        EXPECT_EQ(shares.size(), expected.size());
        EXPECT_EQ(shares[t].size(), std::ssize(sum));
        for (std::size_t e = 0; e < sum.size(); ++e) {
          sum[e] ^= std::uint64_t{shares[t].at(static_cast<std::int64_t>(e))};
        }
        if (!shares[t].words().empty()) {
          EXPECT_EQ(shares[t].words().back() & ~shares[t].last_word_mask(), 0U);
        }
      }
      EXPECT_EQ(sum, expected[t]) << parties << " parties, request " << i << ", tensor " << t;
    }
  }
  return all;
}

// Shapes with borders of words and of tiles' parts.
const std::vector<Shape> kShapes{{0, 3}, {1, 1}, {7, 9}, {8, 8}, {65, 1}, {3, 43}, {1, 1000}};

TEST(PairwiseCorrelations, MakesWrapsOfEveryRing) {
  for (const int parties : kEveryCount) {
    std::vector<AskWords> asks;
    for (const Shape shape : kShapes) {
      asks.push_back([shape](MasksOfSource& own) { return WrapRequest{own.words(shape), 25, 13}; });
      asks.push_back([shape](MasksOfSource& own) { return WrapRequest{own.words(shape).transposed(), 51, 13}; });
    }
    for (const int k : {1, 2, 7, 8, 9, 38, 62, 63}) {
      for (const int bits : {1, 64 - k}) {
        asks.push_back([=](MasksOfSource& own) { return WrapRequest{own.words({5, 13}), k, bits}; });
      }
    }
    // A mask that a protocol computed from several, and masks of k bits.
    asks.push_back([](MasksOfSource& own) {
      const RingView a = own.words({4, 16}), b = own.words({4, 16});
      RingTensor& difference = own.tensors.emplace_back(RingTensor(a.shape, kWordBits));
      for (std::int64_t i = 0; i < difference.size(); ++i) difference.data()[i] = a.words[i] - b.words[i];
      return WrapRequest{difference.view(), 38, 26};
    });
    asks.push_back([](MasksOfSource& own) { return WrapRequest{own.words({4, 16}, 38), 38, 26}; });
    expect_words(parties, asks);
  }
}

TEST(PairwiseCorrelations, MakesSelectionsWithAndWithoutLift) {
  struct One {
    int k, bits;
    bool with_mu;
  };
  for (const int parties : kEveryCount) {
    std::vector<AskWords> asks;
    for (const One one : std::vector<One>{{38, 38, true},
                                          {38, 38, false},
                                          {38, 25, true},
                                          {25, 37, true},
                                          {51, 64, true},
                                          {51, 64, false},
                                          {63, 64, true},
                                          {1, 2, true},
                                          {64, 64, true}}) {
      for (const Shape shape : {Shape{1, 1}, Shape{5, 13}, Shape{3, 43}}) {
        asks.push_back([=](MasksOfSource& own) {
          return SelectionRequest{own.bits(shape), own.words(shape.transposed()).transposed(), one.k, one.bits,
                                  one.with_mu};
        });
      }
    }
    for (const Shape shape : kShapes) {
      asks.push_back([shape](MasksOfSource& own) {
        return SelectionRequest{own.bits(shape), own.words(shape), 25, 37, true};
      });
      for (const int bits : {1, 2, 38, 64}) {
        asks.push_back([=](MasksOfSource& own) { return WideningRequest{own.bits(shape), bits}; });
      }
    }
    expect_words(parties, asks);
  }
}

// The request of a comparison of the bits low … hi-1.
GroupProductsRequest of_groups(RingView r, int low, int hi) {
  GroupProductsRequest request{r, low, hi, comparison_groups(hi - 1 - low), 1};
  for (const int size : request.groups) request.count += group_products(size);
  return request;
}

TEST(PairwiseCorrelations, MakesTheProductsOfAComparison) {
  for (const int parties : kEveryCount) {
    std::vector<AskBits> asks;
    for (const Shape shape : kShapes) {
      asks.push_back([shape](MasksOfSource& own) { return of_groups(own.words(shape), 0, 22); });
      asks.push_back([shape](MasksOfSource& own) { return of_groups(own.words(shape).transposed(), 7, 26); });
      asks.push_back([shape](MasksOfSource& own) {
        return CarryProductsRequest{own.bits(shape, 5), own.bits(shape, 4), carry_products(5)};
      });
    }
    for (const int hi : {2, 3, 9, 63}) {
      asks.push_back([hi](MasksOfSource& own) { return of_groups(own.words({5, 13}), 0, hi); });
    }
    for (const int groups : {1, 2, 6}) {
      asks.push_back([groups](MasksOfSource& own) {
        return CarryProductsRequest{own.bits({3, 43}, groups), own.bits({3, 43}, groups - 1), carry_products(groups)};
      });
    }
    expect_bits(parties, asks);
  }
}

TEST(PairwiseCorrelations, MakesProductsOfWords) {
  for (const int parties : kEveryCount) {
    std::vector<AskWords> asks;
    for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{7, 9}, Shape{65, 1}, Shape{3, 43}}) {
      for (const int bits : {1, 38, 64}) {
        asks.push_back([=](MasksOfSource& own) { return ProductRequest{own.words(shape), own.words(shape), bits}; });
        asks.push_back([=](MasksOfSource& own) {
          return RowProductRequest{own.words(shape), own.words(shape.transposed()).transposed(), bits};
        });
      }
    }
    struct Sizes {
      std::int64_t m, c, p;
    };
    for (const Sizes its : std::vector<Sizes>{{1, 1, 1}, {1, 180, 1}, {9, 4, 2}, {2, 5, 11}, {3, 0, 2}, {13, 7, 1}}) {
      asks.push_back([=](MasksOfSource& own) {
        return MatrixProductRequest{own.words({its.m, its.c}), own.words({its.c, its.p}), 51};
      });
      asks.push_back([=](MasksOfSource& own) {
        return MatrixProductRequest{own.words({its.c, its.m}).transposed(), own.words({its.p, its.c}).transposed(), 64};
      });
    }
    expect_words(parties, asks);
  }
}

TEST(PairwiseCorrelations, MakesMatrixProductsWithTheFewestBytes) {
  struct Sizes {
    std::int64_t m, c, p;
    bool by_bits;
  };
  for (const auto [m, c, p, by_bits] :
       std::vector<Sizes>{{1, 180, 1, true}, {16, 4, 3, true}, {64, 300, 20, false}, {300, 7, 64, false}}) {
    const Shape x{m, c}, y{c, p};
    const std::int64_t bytes = pair_bytes_by_bits(x, y, 51), of_ciphertexts = MaskedProduct::pair_bytes(x, y, 51, 2);
    EXPECT_EQ(bytes < of_ciphertexts, by_bits);
    std::int64_t stated = 0;
    const MatrixProductRequest request{without_contents(x), without_contents(y), 51};
    for (const int rank : {0, 1}) stated += made_cost(request, 2, rank, CorrelationsFrom::kParties).bytes;
    EXPECT_NEAR(static_cast<double>(stated), static_cast<double>(std::min(bytes, of_ciphertexts)), 1024);
    for (const int parties : {1, 2, 3}) {
      expect_words(parties, {[=](MasksOfSource& own) {
                               return MatrixProductRequest{own.words(x), own.words(y), 51};
                             },
                             [=](MasksOfSource& own) {
                               return MatrixProductRequest{own.words(x.transposed()).transposed(), own.words(y), 38};
                             }});
    }
  }
}

TEST(PairwiseCorrelations, MakesLargeRequestsInTiles) {
  constexpr std::int64_t kMany = (std::int64_t{1} << 16) + 77, kManyProducts = (std::int64_t{1} << 13) + 5;
  const std::vector<AskWords> words{
      [](MasksOfSource& own) {
        return WideningRequest{own.bits({kMany, 1}), 13};
      },
      [](MasksOfSource& own) {
        return SelectionRequest{own.bits({3, kMany / 3}), own.words({kMany / 3, 3}).transposed(), 7, 9, true};
      },
      [](MasksOfSource& own) {
        return ProductRequest{own.words({1, 9001}), own.words({1, 9001}), 7};
      },
      [](MasksOfSource& own) {  // tiles of equal size, and a smaller one
        return ProductRequest{own.words({2 * 8192 + 9, 1}), own.words({2 * 8192 + 9, 1}), 2};
      },
      [](MasksOfSource& own) {  // tiles of equal size alone
        return ProductRequest{own.words({1, 3 * 8192}), own.words({1, 3 * 8192}), 2};
      },
      [](MasksOfSource& own) {
        return RowProductRequest{own.words({4097, 3}), own.words({4097, 3}), 5};
      },
      [](MasksOfSource& own) {
        return RowProductRequest{own.words({2, 9000}), own.words({2, 9000}), 5};
      },
      [](MasksOfSource& own) {
        return MatrixProductRequest{own.words({3, 5}), own.words({5, 9000}), 6};
      },
      [](MasksOfSource& own) {
        return MatrixProductRequest{own.words({300, 90}), own.words({90, 2}), 6};
      },
      [](MasksOfSource& own) {
        return LiftedProductRequest{own.words({3, 2777}), own.words({2777, 3}).transposed(), 5, 6, 9, true};
      },
      [](MasksOfSource& own) {
        return MaskProductsRequest{{own.words({kManyProducts, 1}), own.words({kManyProducts, 1})},
                                   {4, 7},
                                   {kManyProducts, 1},
                                   {{{{0, 1, false}, {1, 0, true}}, 8}, {{{1, 1, false}}, 12}}};
      },
      [](MasksOfSource& own) {
        return LiftedMultipleRequest{own.words({kMany, 1}), 7, 5, 0, 12};
      },
      [](MasksOfSource& own) {
        return WinnerRequest{own.bits({5003, 3}), own.words({5003, 3}), 3, 5};
      },
      [](MasksOfSource& own) {
        return RowProductRequest{own.words({2, 0}), own.words({2, 0}), 5};
      },
  };
  expect_words(2, words);
  const std::vector<AskBits> bits{
      [](MasksOfSource& own) {
        return of_groups(own.words({kMany, 1}), 0, 6);
      },
      [](MasksOfSource& own) {
        return CarryProductsRequest{own.bits({kMany, 1}, 3), own.bits({kMany, 1}, 2), carry_products(3)};
      },
  };
  expect_bits(2, bits);
}

// Pearson's statistic of uniform values below 16; its mean is 15 and its standard deviation 5.5.
void expect_uniform(const std::vector<std::int64_t>& counts, const std::string& what) {
  std::int64_t total = 0;
  for (const std::int64_t count : counts) total += count;
  const double expected = static_cast<double>(total) / static_cast<double>(counts.size());
  double statistic = 0;
  for (const std::int64_t count : counts) {
    statistic += (static_cast<double>(count) - expected) * (static_cast<double>(count) - expected) / expected;
  }
  EXPECT_LT(statistic, 80) << what;
}

constexpr Shape kShape{64, 64};

TEST(PairwiseCorrelations, GivesEachPartyUniformShares) {
  const std::vector<AskWords> words{
      [](MasksOfSource& own) {
        return WrapRequest{own.words(kShape, 25), 25, 13};
      },
      [](MasksOfSource& own) {
        return SelectionRequest{own.bits(kShape), own.words(kShape), 25, 37, true};
      },
      [](MasksOfSource& own) {
        return ProductRequest{own.words(kShape), own.words(kShape), 20};
      },
  };
  const std::vector<AskBits> bits{
      [](MasksOfSource& own) { return of_groups(own.words(kShape), 0, 12); },
      [](MasksOfSource& own) {
        return CarryProductsRequest{own.bits(kShape, 3), own.bits(kShape, 2), carry_products(3)};
      },
  };
  for (const int parties : {2, 3}) {
    const auto of_words = expect_words(parties, words);
    const auto of_bits = expect_bits(parties, bits);
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (const std::vector<RingTensor>& shares : of_words.shares[i]) {
        for (const RingTensor& share : shares) {
          const int bins = std::min(4, share.bits());
          for (const int from : {0, share.bits() - bins}) {
            std::vector<std::int64_t> counts(std::size_t{1} << bins);
            for (const std::uint64_t word : share.words()) ++counts[(word >> from) & low_bits(bins)];
            expect_uniform(counts, fmt::format("words {}, bits from {} of {}", i, from, share.bits()));
          }
        }
      }
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
      for (const std::vector<BitTensor>& shares : of_bits.shares[i]) {
        for (const BitTensor& share : shares) {
          std::vector<std::int64_t> counts(16);
          for (std::uint64_t word : share.words()) {
            for (int e = 0; e < kWordBits; e += 4) ++counts[(word >> e) & 15];
          }
          expect_uniform(counts, fmt::format("bits {}", i));
        }
      }
    }
  }
}

TEST(PairwiseCorrelations, DrawsOtherMasksAtEachPartyAndTime) {
  std::mutex mutex;
  std::vector<std::uint64_t> drawn;
  net::run_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
    Workers workers;
    const std::unique_ptr<Correlations> source = pairwise_correlations(mesh, Nonce{}, workers);
    for (const std::int64_t operation : {1, 2}) {
      source->begin(operation);
      for (int i = 0; i < 2; ++i) {
        const RingTensor mask = source->mask({{1, 1}, 64, 38}), narrow = source->mask({{1, 1}, 51});
        EXPECT_EQ(narrow.bits(), 51);
        const std::lock_guard lock(mutex);
        drawn.push_back(mask.data()[0]);
        drawn.push_back(narrow.data()[0]);
      }
    }
    EXPECT_EQ(source->order(0, 100).size(), mesh.rank() == 0 ? 100U : 0U);
  });
  std::ranges::sort(drawn);
  EXPECT_EQ(std::ranges::adjacent_find(drawn), drawn.end());
  EXPECT_EQ(drawn.size(), 16U);
}

TEST(PairwiseCorrelations, RefuseNoiseOfADealerAndSayWhatToDo) {
  net::run_ranks(net::mesh_kind("Memory").make(2, 0), [&](net::Mesh& mesh) {
    Workers workers;
    const std::unique_ptr<Correlations> source = pairwise_correlations(mesh, Nonce{}, workers);
    try {
      source->words(NoiseRequest{{2, 2}, 64, 5});
      ADD_FAILURE();
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("from = \"parties\""), std::string::npos);
    }
  });
}

}  // namespace
}  // namespace tacit::mpc
