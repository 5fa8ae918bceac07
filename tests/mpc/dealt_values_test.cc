// The dealer's value of a request, which names the sums of all parties' masks, is the value that the parties' requests stand for.
#include "mpc/correlations/dealt_values.h"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <random>

#include "mpc/protocols/cell_table.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/subset_products.h"
#include "mpc/session/matrix_products.h"
#include "tests/mpc/correlation_values.h"
#include "tests/mpc/random/fixed_seed.h"

namespace tacit::mpc {
namespace {

// Masks in the order in which a request names them: the shares of one party, or the sums of several. The masks outlive the request.
class Masks {
 public:
  explicit Masks(const std::vector<unsigned>& parties) {
    for (const unsigned party : parties) streams_.emplace_back(party + 1);
  }

  RingView words(Shape shape, int bits = kWordBits) {
    RingTensor& sum = words_.emplace_back(RingTensor::zeros(shape, bits));
    for (std::mt19937_64& stream : streams_) {
      for (std::uint64_t& word : sum.words()) word = (word + stream()) & low_bits(bits);
    }
    return sum.view();
  }
  RingView turned(Shape shape, int bits = kWordBits) { return words(shape.transposed(), bits).transposed(); }
  const BitTensor* bits(Shape shape) { return bits(shape, 1).data(); }
  std::span<const BitTensor> bits(Shape shape, int count) {
    std::vector<BitTensor>& sums = bits_.emplace_back(static_cast<std::size_t>(count), BitTensor::zeros(shape));
    for (BitTensor& sum : sums) {
      for (std::mt19937_64& stream : streams_) {
        for (std::uint64_t& word : sum.words()) word ^= stream();
      }
      sum.clear_padding();
    }
    return sums;
  }
  // Equal for all parties.
  const Permutation* order(std::int64_t count) {
    std::mt19937_64 stream(3);
    std::vector<std::uint64_t> words(static_cast<std::size_t>(words_for_permutation(count)));
    for (std::uint64_t& word : words) word = stream();
    return &orders_.emplace_back(permutation_from(words, count));
  }

 private:
  std::vector<std::mt19937_64> streams_;
  std::deque<RingTensor> words_;
  std::deque<std::vector<BitTensor>> bits_;
  std::deque<Permutation> orders_;
};

template <typename Request>
using Ask = std::function<Request(Masks&)>;

void expect_equal(const RingTensor& found, const Plain& expected) {
  ASSERT_EQ(found.size(), std::ssize(expected));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found.words()[i], expected[i] & low_bits(found.bits())) << "element " << i;
  }
}

void expect_equal(const BitTensor& found, const PlainBits& expected) {
  PlainBits bits;
  for (std::int64_t i = 0; i < found.size(); ++i) bits.push_back(found.at(i) ? 1 : 0);
  ASSERT_EQ(bits.size(), expected.size());
  ASSERT_TRUE(bits == expected);
  if (!found.words().empty()) {
    EXPECT_EQ(found.words().back() & ~found.last_word_mask(), 0U) << "padding";
  }
}

class DealtValues : public testing::TestWithParam<int> {
 protected:
  // The request comes with the masks of 1, 2 and 5 parties.
  template <typename Request>
  void expect_values(const Ask<Request>& ask) {
    for (const unsigned parties : {1U, 2U, 5U}) {
      SCOPED_TRACE(testing::Message() << parties << " parties, request " << asked_);
      std::deque<Masks> shares;
      std::vector<Request> requests;
      std::vector<unsigned> everyone;
      for (unsigned party = 0; party < parties; ++party) {
        requests.push_back(ask(shares.emplace_back(std::vector{party})));
        everyone.push_back(party);
      }
      std::vector<const Request*> all;
      for (const Request& one : requests) all.push_back(&one);
      Masks sums(everyone);
      const Request dealt = ask(sums);
      const auto expected = values(all);
      const auto found = values_of(dealt);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t t = 0; t < found.size(); ++t) {
        SCOPED_TRACE(testing::Message() << "tensor " << t);
        EXPECT_EQ(found[t].shape(), dealt.shape());
        if constexpr (requires { dealt.widths(); }) {
          ASSERT_EQ(found.size(), dealt.widths().size());
          EXPECT_EQ(found[t].bits(), dealt.widths()[t]);
        }
        expect_equal(found[t], expected[t]);
      }
    }
    ++asked_;
  }

  template <typename Request>
  auto values_of(const Request& request) {
    if constexpr (std::is_constructible_v<WordRequest, Request>) {
      return dealt_words(request, rank_);
    } else {
      return dealt_bits(request, workers_);
    }
  }

  Workers workers_{GetParam()};
  MatrixProducts products_{workers_, nullptr};
  NoisePool noise_{[] { return fixed_seed(1); }};
  const DealingRank rank_{workers_, products_, noise_};
  int asked_ = 0;
};

// The last one has several ranges for threads.
const std::vector<Shape> kShapesOfMasks{{0, 3}, {3, 0}, {1, 1}, {7, 9}, {65, 1}, {1, 65}, {3, 43}, {131, 129}};

TEST_P(DealtValues, OfProducts) {
  for (const Shape shape : kShapesOfMasks) {
    for (const int bits : {1, 38, 64}) {
      expect_values<ProductRequest>([=](Masks& of) { return ProductRequest{of.words(shape), of.words(shape), bits}; });
      expect_values<ProductRequest>([=](Masks& of) {
        return ProductRequest{of.turned(shape, 51), of.words(shape), bits > 51 ? 51 : bits};
      });
      expect_values<RowProductRequest>([=](Masks& of) {
        return RowProductRequest{of.words(shape), of.turned(shape), bits};
      });
    }
  }
}

TEST_P(DealtValues, OfMatrixProducts) {
  struct Sizes {
    std::int64_t m, c, p;
  };
  for (const auto [m, c, p] :
       std::vector<Sizes>{{1, 1, 1}, {1, 180, 1}, {3, 0, 2}, {0, 4, 2}, {65, 5, 3}, {40, 70, 33}}) {
    const Shape x{m, c}, y{c, p};
    expect_values<MatrixProductRequest>([=](Masks& of) { return MatrixProductRequest{of.words(x), of.words(y), 51}; });
    expect_values<MatrixProductRequest>([=](Masks& of) {
      return MatrixProductRequest{of.turned(x), of.turned(y), 64};
    });
  }
}

TEST_P(DealtValues, OfWraps) {
  for (const Shape shape : kShapesOfMasks) {
    for (const auto& [k, bits] : {std::pair(25, 13), std::pair(1, 63), std::pair(63, 1), std::pair(38, 26)}) {
      expect_values<WrapRequest>([=, k = k, bits = bits](Masks& of) { return WrapRequest{of.words(shape), k, bits}; });
      expect_values<WrapRequest>([=, k = k, bits = bits](Masks& of) { return WrapRequest{of.turned(shape), k, bits}; });
    }
  }
}

TEST_P(DealtValues, OfLiftedProducts) {
  struct Rings {
    int k, l, bits;
  };
  for (const auto [k, l, bits] :
       std::vector<Rings>{{25, 25, 64}, {38, 25, 64}, {2, 2, 3}, {33, 31, 64}, {63, 62, 64}}) {
    for (const Shape shape : kShapesOfMasks) {
      expect_values<LiftedProductRequest>([=, k = k, l = l, bits = bits](Masks& of) {
        return LiftedProductRequest{of.words(shape), of.words(shape), k, l, bits, true};
      });
      expect_values<LiftedProductRequest>([=, k = k, l = l, bits = bits](Masks& of) {
        return LiftedProductRequest{of.turned(shape), of.turned(shape), k, l, bits, false};
      });
      // A column for all columns of y.
      expect_values<LiftedProductRequest>([=, k = k, l = l, bits = bits](Masks& of) {
        const RingView x{of.words({shape.rows, 1}).words, shape, 1, 0};
        return LiftedProductRequest{x, of.words(shape), k, l, bits, false};
      });
    }
  }
}

TEST_P(DealtValues, OfLiftedMultiples) {
  struct One {
    int k;
    std::int64_t mantissa;
    int shift, bits;
  };
  for (const auto [k, mantissa, shift, bits] : std::vector<One>{{38, 1, 0, 38},
                                                                {38, -12345, 20, 64},
                                                                {25, (std::int64_t{1} << 62) - 1, 25, 64},
                                                                {63, 1 - (std::int64_t{1} << 62), 63, 63},
                                                                {2, 3, 1, 5}}) {
    for (const Shape shape : kShapesOfMasks) {
      expect_values<LiftedMultipleRequest>([=, k = k, a = mantissa, e = shift, bits = bits](Masks& of) {
        return LiftedMultipleRequest{of.words(shape), k, a, e, bits};
      });
      expect_values<LiftedMultipleRequest>([=, k = k, a = mantissa, e = shift, bits = bits](Masks& of) {
        return LiftedMultipleRequest{of.turned(shape), k, a, e, bits};
      });
    }
  }
}

TEST_P(DealtValues, OfProductsOfSeveralMasks) {
  const std::vector<MaskProduct> products{{{{0, 1, false}}, 64},               // the mask: r >> k
                                          {{{1, 1, false}}, 20},               // the mask alone: no word is dealt
                                          {{{0, 3, true}}, 51},                //
                                          {{{0, 0, true}, {1, 2, false}}, 1},  //
                                          {{{0, 1, false}, {1, 1, true}, {2, 1, false}}, 64}};  //
  for (const Shape shape : kShapesOfMasks) {
    expect_values<MaskProductsRequest>([=](Masks& of) {
      return MaskProductsRequest{{of.words(shape), of.turned(shape), of.words(shape)}, {38, 25, 1}, shape, products};
    });
  }
}

TEST_P(DealtValues, OfBitsAsWordsAndSelections) {
  struct One {
    int k, bits;
    bool with_mu;
  };
  for (const Shape shape : kShapesOfMasks) {
    for (const int bits : {1, 2, 38, 64}) {
      expect_values<WideningRequest>([=](Masks& of) { return WideningRequest{of.bits(shape), bits}; });
    }
    for (const auto [k, bits, with_mu] : std::vector<One>{
             {38, 38, true}, {38, 25, false}, {25, 37, true}, {51, 64, false}, {63, 64, true}, {1, 2, false}}) {
      expect_values<SelectionRequest>([=, k = k, bits = bits, with_mu = with_mu](Masks& of) {
        return SelectionRequest{of.bits(shape), of.words(shape), k, bits, with_mu};
      });
      expect_values<SelectionRequest>([=, k = k, bits = bits, with_mu = with_mu](Masks& of) {
        return SelectionRequest{of.bits(shape), of.turned(shape), k, bits, with_mu};
      });
    }
  }
}

TEST_P(DealtValues, OfTables) {
  const CellTable exact = CellTable::of_values(3, [](std::int64_t v) { return static_cast<double>(v * v - 5); });
  const CellTable smooth =
      CellTable::polynomial({{12, 8}, 4}, {-4, 4}, 3, {10, 20}, [](double x) { return x * x / 3; });
  for (const CellTable* table : {&exact, &smooth}) {
    const std::int64_t entries = table->cells() * table->terms();
    const int ring = table->domain().ring_bits;
    for (const Shape shape : {Shape{0, 3}, Shape{1, 1}, Shape{5, 13}, Shape{67, 9}}) {
      expect_values<LookUpRequest>(
          [=](Masks& of) { return LookUpRequest{of.turned(shape, ring), table, entries, 38, {}, {}}; });
      expect_values<LookUpRequest>([=](Masks& of) {
        return LookUpRequest{
            of.words(shape, ring), table, entries, 64, {of.turned(shape), of.words(shape, 51)}, {38, 51}};
      });
    }
  }
}

TEST_P(DealtValues, OfWinners) {
  for (const std::int64_t columns : {2, 3, 7}) {
    for (const std::int64_t rows : {0, 1, 5, 131}) {
      for (const auto& [bits, y_bits] : {std::pair(1, 1), std::pair(38, 25), std::pair(64, 64)}) {
        expect_values<WinnerRequest>([=, bits = bits, y_bits = y_bits](Masks& of) {
          return WinnerRequest{of.bits({rows, pairs_of(columns)}), of.words({rows, columns}), bits, y_bits};
        });
        expect_values<WinnerRequest>([=, bits = bits, y_bits = y_bits](Masks& of) {
          return WinnerRequest{of.bits({rows, pairs_of(columns)}), of.turned({rows, columns}), bits, y_bits};
        });
      }
    }
  }
}

TEST_P(DealtValues, OfRoutedRows) {
  for (const Shape shape : {Shape{0, 2}, Shape{1, 1}, Shape{5, 0}, Shape{65, 3}, Shape{129, 200}}) {
    for (const std::int64_t outputs : {shape.rows, shape.rows / 2}) {
      expect_values<RouteRequest>([=](Masks& of) {
        return RouteRequest{.lambda = of.words(shape),
                            .owner = 0,
                            .order = of.order(shape.rows),
                            .outputs = outputs,
                            .kappa = {},
                            .with_kappa = false,
                            .bits = 38};
      });
      expect_values<RouteRequest>([=](Masks& of) {
        return RouteRequest{.lambda = of.turned(shape),
                            .owner = 0,
                            .order = of.order(shape.rows),
                            .outputs = shape.rows,
                            .kappa = of.words({shape.rows, 1}),
                            .with_kappa = true,
                            .bits = 51};
      });
    }
  }
}

TEST_P(DealtValues, OfTheBitsOfAComparison) {
  const auto of_groups = [](RingView r, int low, int hi) {
    GroupProductsRequest request{r, low, hi, comparison_groups(hi - 1 - low), 1};
    for (const int size : request.groups) request.count += group_products(size);
    return request;
  };
  std::vector<Shape> shapes = kShapesOfMasks;
  shapes.back() = {130, 65};  // several ranges of the words of bits
  for (const Shape shape : shapes) {
    for (const auto& [low, hi] : {std::pair(0, 2), std::pair(0, 22), std::pair(7, 26), std::pair(40, 63)}) {
      expect_values<GroupProductsRequest>(
          [=, low = low, hi = hi](Masks& of) { return of_groups(of.words(shape), low, hi); });
      expect_values<GroupProductsRequest>(
          [=, low = low, hi = hi](Masks& of) { return of_groups(of.turned(shape), low, hi); });
    }
    for (const int groups : {1, 2, 5, 8}) {
      expect_values<CarryProductsRequest>([=](Masks& of) {
        const auto generate = of.bits(shape, groups), propagate = of.bits(shape, groups - 1);
        return CarryProductsRequest{generate, propagate, carry_products(groups)};
      });
    }
  }
}

TEST_P(DealtValues, OfNoiseAreTheRanksOwnDraws) {
  const std::vector<RingTensor> drawn = dealt_words(NoiseRequest{{5, 13}, 38, 1000}, rank_);
  NoisePool same([] { return fixed_seed(1); });
  RingTensor expected = RingTensor::zeros({5, 13}, 38);
  same.add(1000, expected);
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_EQ(drawn.front().shape(), expected.shape());
  EXPECT_EQ(drawn.front().bits(), 38);
  EXPECT_TRUE(std::ranges::equal(drawn.front().words(), expected.words()));
}

INSTANTIATE_TEST_SUITE_P(Threads, DealtValues, testing::Values(1, 3));

}  // namespace
}  // namespace tacit::mpc
