// The rule by which ciphertexts of masks that stay are kept, and products that it makes in one batch.
#include "mpc/made/kept_products.h"

#include <gmock/gmock.h>

#include "mpc/kernels/matmul.h"
#include "mpc/lattice/masked_product.h"
#include "mpc/lattice/product_plan.h"
#include "mpc/made/making.h"
#include "mpc/made/planned_tasks.h"
#include "net/memory/memory_mesh.h"
#include "tests/mpc/kernels/tensors.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using Use = Keeping::Use;
using Tensor = std::shared_ptr<const RingTensor>;

constexpr int kBits = 38;
constexpr Shape kX{300, 300}, kY{300, 2};

Tensor mask_without_words() { return std::make_shared<const RingTensor>(); }

MatrixProductRequest product_of(const Tensor& x, const Tensor& y, RowsOfOwner rows_of_x = {}, int bits = kBits,
                                Shape of_x = kX, Shape of_y = kY) {
  return {without_contents(of_x), without_contents(of_y), bits, x, y, rows_of_x, {}};
}

std::vector<Use> uses_of(KeptProducts& kept, const MatrixProductRequest& request, int times) {
  std::vector<Use> uses;
  for (int i = 0; i < times; ++i) {
    MatrixProductRequest next = request;
    next.owner_of_y = mask_without_words();
    uses.push_back(kept.next(next).use);
  }
  return uses;
}

using testing::ElementsAre;

TEST(KeptProducts, KeepsAtTheSecondProductAndAnswersFromTheThirdOn) {
  KeptProducts kept(2);
  const Tensor x = mask_without_words();
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr), 4),
              ElementsAre(Use::kFresh, Use::kFirst, Use::kAgain, Use::kAgain));
  EXPECT_EQ(kept.bytes(), MaskedProduct::kept_pair_bytes(kX, kY, kBits, 2, true).ciphertexts / 2);
}

TEST(KeptProducts, KnowsTheRightOperandToo) {
  KeptProducts kept(3);
  const Tensor y = mask_without_words();
  const auto next = [&] { return kept.next(product_of(mask_without_words(), y, {}, kBits, kY.transposed(), kX)); };
  EXPECT_EQ(next().use, Use::kFresh);
  const Keeping first = next(), again = next();
  EXPECT_EQ(first.use, Use::kFirst);
  EXPECT_FALSE(first.left);
  EXPECT_EQ(again.use, Use::kAgain);
  EXPECT_FALSE(again.left);
  EXPECT_EQ(first.ciphertexts, again.ciphertexts);
  EXPECT_NE(first.ciphertexts, nullptr);
}

// Two kept operands of one product: the one with fewer bytes of answers serves, and the same one each time.
TEST(KeptProducts, ChoosesOneOfTwoOperandsThatStay) {
  KeptProducts kept(2);
  const Tensor x = mask_without_words(), y = mask_without_words();
  std::vector<Keeping> all;
  for (int i = 0; i < 4; ++i) all.push_back(kept.next(product_of(x, y)));
  EXPECT_EQ(all[1].use, Use::kFirst);
  for (const std::size_t later : {2U, 3U}) {
    EXPECT_EQ(all[later].use, Use::kAgain);
    EXPECT_EQ(all[later].left, all[1].left);
  }
}

TEST(KeptProducts, TakesOtherRowsOrientationsWidthsAndSizesForOtherOperands) {
  KeptProducts kept(2);
  const Tensor x = mask_without_words();
  const auto fresh_then_first = ElementsAre(Use::kFresh, Use::kFirst);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {.transposed = true}), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {.first = 10}), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {}, 51), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {}, kBits, {299, 300}), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {}, kBits, kX, {300, 3}), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(mask_without_words(), nullptr), 2), fresh_then_first);
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr), 1), ElementsAre(Use::kAgain));
}

// A tensor's address may serve again after it is gone.
TEST(KeptProducts, TakesATensorThatIsGoneForNoOther) {
  KeptProducts kept(2);
  for (int i = 0; i < 200; ++i) {
    const Tensor x = mask_without_words();
    EXPECT_THAT(uses_of(kept, product_of(x, nullptr), 1), ElementsAre(Use::kFresh));
  }
  EXPECT_EQ(kept.bytes(), 0);
}

TEST(KeptProducts, DropsCiphertextsOfTensorsThatAreGone) {
  KeptProducts kept(2);
  std::weak_ptr<lattice::KeptCiphertexts> theirs;
  {
    const Tensor x = mask_without_words();
    kept.next(product_of(x, nullptr));
    theirs = kept.next(product_of(x, nullptr)).ciphertexts;
    EXPECT_FALSE(theirs.expired());
  }
  const Tensor next = mask_without_words();
  uses_of(kept, product_of(next, nullptr), 2);
  EXPECT_TRUE(theirs.expired());
}

TEST(KeptProducts, DoesNotKeepWhatIsMadeWithFewerBytesAnew) {
  KeptProducts kept(2);
  const Tensor x = mask_without_words();
  const auto small = product_of(x, nullptr, {}, kBits, {3, 3}, {3, 1});
  EXPECT_THAT(uses_of(kept, small, 4), testing::Each(Use::kFresh));
  EXPECT_THAT(uses_of(kept, product_of(x, nullptr, {}, kBits, {0, 3}, {3, 1}), 3), testing::Each(Use::kFresh));
  KeptProducts alone(1);
  EXPECT_THAT(uses_of(alone, product_of(x, nullptr), 3), testing::Each(Use::kFresh));
  EXPECT_THAT(uses_of(kept, product_of(nullptr, nullptr), 3), testing::Each(Use::kFresh));
}

// The cap counts what was ever kept: a decision must not depend on when a tensor ends.
TEST(KeptProducts, KeepsNoMoreThanTheCap) {
  for (const int parties : {2, 3}) {
    const std::int64_t each =
        (parties - 1) * MaskedProduct::kept_pair_bytes(kX, kY, kBits, parties, true).ciphertexts / 2;
    for (const bool held : {false, true}) {
      KeptProducts kept(parties, 2 * each + each / 2);
      std::vector<Tensor> all;
      for (int i = 0; i < 4; ++i) {
        const Tensor x = mask_without_words();
        if (held) all.push_back(x);
        const auto uses = uses_of(kept, product_of(x, nullptr), 4);
        EXPECT_EQ(uses.back(), i < 2 ? Use::kAgain : Use::kFresh) << i;
        EXPECT_EQ(uses[1], i < 2 ? Use::kFirst : Use::kFresh) << i;
      }
      EXPECT_EQ(kept.bytes(), 2 * each);
    }
  }
}

// All products of an operand run together: those after the second use ciphertexts that come in the same batch.
TEST(KeptProducts, OfOneBatchAreExactAtThePlannedCost) {
  constexpr CorrelationsFrom kFrom = CorrelationsFrom::kAheadBySoftSpoken;
  constexpr std::size_t kProducts = 5;
  const Shape of_x{64, 90}, of_y{90, 3};
  for (const int parties : {2, 3}) {
    const auto ranks = static_cast<std::size_t>(parties);
    std::vector<Tensor> x;
    std::vector<std::vector<Tensor>> y(kProducts);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      x.push_back(std::make_shared<const RingTensor>(random_tensor(of_x, 64, rank)));
      for (std::size_t i = 0; i < kProducts; ++i) {
        y[i].push_back(std::make_shared<const RingTensor>(random_tensor(of_y, 64, 10 * i + rank + 10)));
      }
    }
    std::vector<std::vector<std::vector<RingTensor>>> shares(kProducts, std::vector<std::vector<RingTensor>>(ranks));
    net::run_ranks(net::memory_mesh(parties), [&](net::Mesh& mesh) {
      const auto rank = static_cast<std::size_t>(mesh.rank());
      Workers workers;
      PairNetwork network(mesh);
      Making making(network, Nonce{}, workers, kFrom);
      KeptProducts kept(parties), planned(parties);
      std::vector<LockStep::Task> tasks;
      std::vector<LockStep::PlannedTask> plan;
      std::vector<Use> uses;
      const Tensor identity = mask_without_words();
      for (std::size_t i = 0; i < kProducts; ++i) {
        const WordRequest of{
            MatrixProductRequest{x[rank]->view(), y[i][rank]->view(), kBits, x[rank], y[i][rank], {}, {}}};
        const WordRequest request = kept.next(of);
        uses.push_back(std::get<MatrixProductRequest>(request).keeping.use);
        making.add(request, shares[i][rank], tasks);
        const WordRequest without_words =
            planned.next(WordRequest{product_of(identity, mask_without_words(), {}, kBits, of_x, of_y)});
        for (const auto& task : *planned_tasks(without_words, parties, mesh.rank(), kFrom)) plan.push_back(task);
      }
      EXPECT_THAT(uses, ElementsAre(Use::kFresh, Use::kFirst, Use::kAgain, Use::kAgain, Use::kAgain));
      const MadeCost before = network.cost();
      LockStep::run(network, tasks);
      MadeCost measured = network.cost();
      measured -= before;
      EXPECT_EQ(measured, LockStep::cost(plan)) << "rank " << rank;
      EXPECT_EQ(measured.rounds, 2);
    });
    Workers workers;
    const auto total = [](const std::vector<Tensor>& all) {
      RingTensor sum = *all.front();
      for (std::size_t rank = 1; rank < all.size(); ++rank) {
        for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] += all[rank]->data()[i];
      }
      return sum;
    };
    for (std::size_t i = 0; i < kProducts; ++i) {
      RingTensor exact({of_x.rows, of_y.cols}, kBits), sum = RingTensor::zeros({of_x.rows, of_y.cols}, kBits);
      matmul(total(x).view(), total(y[i]).view(), Into::kSet, exact, workers);
      for (const auto& of_rank : shares[i]) {
        for (std::int64_t e = 0; e < sum.size(); ++e) {
          sum.data()[e] = (sum.data()[e] + of_rank.front().data()[e]) & low_bits(kBits);
        }
      }
      EXPECT_EQ(words_of(sum), words_of(exact)) << parties << " parties, product " << i;
    }
  }
}

}  // namespace
}  // namespace tacit::mpc
