// The shares of all parties add up to the product, for every width, number of parties and kind of plan; at the stated cost.
#include "mpc/lattice/masked_product.h"

#include <gmock/gmock.h>

#include "mpc/kernels/matmul.h"
#include "net/memory/memory_mesh.h"
#include "tests/mpc/kernels/tensors.h"
#include "tests/net/meshes.h"

namespace tacit::mpc {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Sizes {
  std::int64_t m, c, p;
};

// Operands as views: transposed ones, too.
struct Shares {
  Shares(const Sizes& sizes, std::uint64_t seed, bool transposed)
      : x(random_tensor(transposed ? Shape{sizes.c, sizes.m} : Shape{sizes.m, sizes.c}, 64, seed)),
        y(random_tensor(transposed ? Shape{sizes.p, sizes.c} : Shape{sizes.c, sizes.p}, 64, seed + 1000)),
        is_transposed(transposed) {}

  RingView x_view() const { return is_transposed ? x.view().transposed() : x.view(); }
  RingView y_view() const { return is_transposed ? y.view().transposed() : y.view(); }

  RingTensor x, y;
  bool is_transposed;
};

RingTensor sum_of(const std::vector<RingTensor>& shares, int bits) {
  RingTensor sum = RingTensor::zeros(shares.front().shape(), bits);
  for (const RingTensor& share : shares) {
    for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] = (sum.data()[i] + share.data()[i]) & low_bits(bits);
  }
  return sum;
}

RingView nothing(Shape shape) { return {nullptr, shape, shape.cols, 1}; }

// Multiplies twice, so that names and counters of a session's second product are in use, too.
void expect_products(int parties, const Sizes& sizes, int bits, bool transposed = false, int threads = 1) {
  SCOPED_TRACE(testing::Message() << parties << " parties, " << sizes.m << "x" << sizes.c << "x" << sizes.p << ", ring "
                                  << bits);
  Workers workers;
  std::vector<Shares> shares;
  std::vector<RingTensor> x, y, first(static_cast<std::size_t>(parties)), second(static_cast<std::size_t>(parties));
  for (int rank = 0; rank < parties; ++rank) {
    shares.emplace_back(sizes, static_cast<std::uint64_t>(rank), transposed);
    x.push_back(shares.back().x);
    y.push_back(shares.back().y);
  }
  net::run_ranks(net::memory_mesh(parties), [&](net::Mesh& mesh) {
    const auto rank = static_cast<std::size_t>(mesh.rank());
    Workers own(threads);
    PairNetwork network(mesh), plan(mesh.rank(), parties);
    MaskedProduct products(network, Nonce{}, own), planned(plan, Nonce{}, own);
    EXPECT_EQ(network.cost(), plan.cost()) << "keys";
    first[rank] = products.multiply(shares[rank].x_view(), shares[rank].y_view(), bits);
    const MadeCost once = network.cost();
    EXPECT_EQ(planned.multiply(nothing({sizes.m, sizes.c}), nothing({sizes.c, sizes.p}), bits).size(), 0);
    EXPECT_EQ(once, plan.cost());
    second[rank] = products.multiply(shares[rank].x_view(), shares[rank].y_view(), bits);
    planned.multiply(nothing({sizes.m, sizes.c}), nothing({sizes.c, sizes.p}), bits);
    EXPECT_EQ(network.cost(), plan.cost());
    if (parties > 1) {
      EXPECT_GT(network.cost().leakage, 0);
      EXPECT_EQ(network.cost().leakage,
                2 * MaskedProduct::product_leakage({sizes.m, sizes.c}, {sizes.c, sizes.p}, bits, parties));
      EXPECT_EQ(network.cost().rounds, 5);
      EXPECT_EQ(mesh.traffic().total().payload_sent, network.cost().bytes);
      EXPECT_EQ(mesh.traffic().total().messages_sent, network.cost().messages);
    }
  });
  RingTensor exact = RingTensor::zeros({sizes.m, sizes.p}, bits);
  const RingTensor all_x = sum_of(x, 64), all_y = sum_of(y, 64);
  const auto turned = [&](const RingTensor& tensor) { return transposed ? tensor.view().transposed() : tensor.view(); };
  matmul(turned(all_x), turned(all_y), Into::kSet, exact, workers);
  EXPECT_EQ(words_of(sum_of(first, bits)), words_of(exact));
  EXPECT_EQ(words_of(sum_of(second, bits)), words_of(exact));
  EXPECT_EQ(words_of(first.front()) == words_of(second.front()), parties == 1) << "fresh shares";
}

TEST(MaskedProduct, IsExactInEveryRing) {
  for (const int bits : {1, 8, 25, 38, 39, 51, 52, 64}) expect_products(2, {7, 1, 5}, bits);
}

TEST(MaskedProduct, IsExactForAnyNumberOfParties) {
  for (const int parties : {1, 2, 3, 5}) {
    expect_products(parties, {1, 1, 1}, 64);
    expect_products(parties, {64, 65, 3}, 51);
    expect_products(parties, {3, 20, 4}, 38);
  }
}

TEST(MaskedProduct, IsExactForUglyShapes) {
  expect_products(2, {300, 300, 2}, 64);
  expect_products(2, {1, 1433, 16}, 39);
  expect_products(2, {129, 1, 63}, 52);
  expect_products(2, {16, 600, 5}, 25, false, 2);
}

TEST(MaskedProduct, IsExactForTransposedViews) {
  expect_products(2, {64, 65, 3}, 64, true);
  expect_products(3, {7, 1, 5}, 38, true);
}

TEST(MaskedProduct, OfNothingSendsNothing) {
  net::run_ranks(net::memory_mesh(2), [&](net::Mesh& mesh) {
    Workers workers;
    PairNetwork network(mesh);
    MaskedProduct products(network, Nonce{}, workers);
    const MadeCost before = network.cost();
    const RingTensor thin = random_tensor({3, 0}, 64, 1);
    EXPECT_EQ(words_of(products.multiply(thin.view(), thin.view().transposed(), 64)), std::vector<std::uint64_t>(9));
    EXPECT_EQ(products.multiply(thin.view().transposed(), thin.view(), 64).size(), 0);
    EXPECT_EQ(network.cost(), before);
    EXPECT_EQ(network.cost().leakage, 0);
  });
}

TEST(MaskedProduct, StatesThePairsBytes) {
  for (const Sizes& sizes : {Sizes{7, 1, 5}, Sizes{300, 16, 7}, Sizes{100, 300, 16}}) {
    for (const int bits : {38, 64}) {
      std::int64_t bytes = 0;
      for (const int rank : {0, 1}) {
        Workers workers;
        PairNetwork plan(rank, 2);
        MaskedProduct products(plan, Nonce{}, workers);
        bytes -= plan.cost().bytes;
        products.multiply(nothing({sizes.m, sizes.c}), nothing({sizes.c, sizes.p}), bits);
        bytes += plan.cost().bytes;
      }
      EXPECT_EQ(MaskedProduct::pair_bytes({sizes.m, sizes.c}, {sizes.c, sizes.p}, bits, 2), bytes);
    }
  }
}

TEST(MaskedProduct, EndsASessionBeforeItTellsTooMuch) {
  const RingTensor x = random_tensor({7, 2}, 64, 1);
  const std::int64_t each = MaskedProduct::product_leakage({7, 2}, {2, 7}, 64, 2);
  ASSERT_GT(each, 0);
  const auto errors = net::errors_of_ranks(net::memory_mesh(2), [&](net::Mesh& mesh) {
    Workers workers;
    PairNetwork network(mesh);
    MaskedProduct products(network, Nonce{}, workers);
    network.add_leakage(kMostLeakage - 2 * each);
    for (int i = 0; i < 2; ++i) products.multiply(x.view(), x.view().transposed(), 64);
    EXPECT_EQ(network.cost().leakage, kMostLeakage);
    const MadeCost before = network.cost();
    try {
      products.multiply(x.view(), x.view().transposed(), 64);
    } catch (const ConfigError&) {
      EXPECT_EQ(network.cost(), before) << "nothing was sent";
      throw;
    }
  });
  for (const std::exception_ptr& error : errors) {
    EXPECT_THAT(net::message_of(error), AllOf(HasSubstr("2^-40"), HasSubstr("training.epochs")));
  }
}

// A plan states the leakage of any product. gnn/run/bounded_leakage.h refuses the run.
TEST(MaskedProduct, OnAPlanCountsALeakageBeyondTheBound) {
  Workers workers;
  PairNetwork plan(0, 2);
  MaskedProduct products(plan, Nonce{}, workers);
  plan.add_leakage(kMostLeakage);
  products.multiply(nothing({7, 2}), nothing({2, 7}), 64);
  EXPECT_EQ(plan.cost().leakage, kMostLeakage + MaskedProduct::product_leakage({7, 2}, {2, 7}, 64, 2));
}

TEST(MaskedProduct, RefusesMessagesOfAnotherLength) {
  const auto errors = net::errors_of_ranks(net::memory_mesh(2), [](net::Mesh& mesh) {
    Workers workers;
    PairNetwork network(mesh);
    MaskedProduct products(network, Nonce{}, workers);
    const RingTensor x = random_tensor({mesh.rank() == 0 ? 30 : 40, 3}, 64, 1);
    products.multiply(x.view(), x.view().transposed(), 64);
  });
  bool is_protocol_error = false;
  for (const auto& error : errors) {
    try {
      if (error) std::rethrow_exception(error);
    } catch (const ProtocolError&) {
      is_protocol_error = true;
    } catch (const Error&) {
    }
  }
  EXPECT_TRUE(is_protocol_error) << net::message_of(errors[0]) << " / " << net::message_of(errors[1]);
}

}  // namespace
}  // namespace tacit::mpc
