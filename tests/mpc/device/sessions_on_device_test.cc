// Ranks with a device and ranks without one work together: every byte on the wire, and every result, is the same.
#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <random>

#include "mpc/protocols/drop.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/dealer_session.h"
#include "tests/mpc/device/emulated_device.h"
#include "tests/mpc/run_program.h"
#include "tests/mpc/wire_trace.h"

namespace tacit::mpc {
namespace {

constexpr int kParties = 2, kRanks = 3;

Matrix random_matrix(Shape shape, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-2, 2);
  Matrix matrix(shape.rows, shape.cols);
  for (double& value : matrix.reshaped()) value = uniform(random);
  return matrix;
}

// A matrix that stays is multiplied in both orientations, from both sides.
void program(Session& session, const std::function<void(const Matrix&)>& see) {
  const Matrix a = random_matrix({31, 40}, 1), x = random_matrix({40, 5}, 2);
  const Format format{64, 10};
  const std::vector<Masked> masked = mask(session, std::vector{input(session, 0, shape_of(a), format, &a, "a"),
                                                               input(session, 1, shape_of(x), format, &x, "x")});
  const Share y = drop(session, matmul(session, masked[0], masked[1]), 10);
  const Masked of_y = mask(session, y);
  const std::array results{drop(session, matmul(session, masked[0].transposed(), of_y), 10),
                           drop(session, matmul(session, of_y.transposed(), masked[0]), 10)};
  for (const Share& result : results) {
    const Public seen = reveal(session, result, To::everyone(), "a product");
    session.output([&](const PublicReader& read) { see(read(seen)); });
  }
}

struct Ran {
  std::string wire;
  std::vector<std::vector<Matrix>> seen = std::vector<std::vector<Matrix>>(kParties);  // by rank
  std::array<std::int64_t, kRanks> products{};                                         // on each rank's device
  std::int64_t put_by_dealer = 0;  // words on its device, after the start of the session
};

Ran run(const std::array<bool, kRanks>& has_device) {
  Ran ran;
  std::array<device::EmulatedDevice, kRanks> devices;
  net::Record record;
  net::run_ranks(net::recorded(with_fixed_randomness(net::mesh_kind("Memory").make(kParties, 1)), record),
                 [&](net::Mesh& mesh) {
                   const auto rank = static_cast<std::size_t>(mesh.rank());
                   const SessionOptions options{.device = has_device[rank] ? &devices[rank] : nullptr};
                   if (!mesh.world().is_party()) {
                     DealerSession session(mesh, options);
                     ran.put_by_dealer = -devices[rank].counts().words_put;
                     program(session, {});
                     ran.put_by_dealer += devices[rank].counts().words_put;
                     return session.flush();
                   }
                   PartySession session(mesh, net::AllReducePlan({{0, net::AllReduce::kDirect}}), options);
                   program(session, [&](const Matrix& value) { ran.seen[rank].push_back(value); });
                 });
  ran.wire = wire_trace(record);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    ran.products[rank] = devices[rank].counts().products;
    EXPECT_EQ(devices[rank].used(), 0) << "after the session of rank " << rank;
  }
  return ran;
}

TEST(SessionsOnDevice, SendTheSameBytesAndRevealTheSameAsWithoutOne) {
  const Ran host = run({false, false, false});
  EXPECT_EQ(host.products, (std::array<std::int64_t, kRanks>{0, 0, 0}));
  EXPECT_EQ(host.seen[0].size(), 2u);
  constexpr std::int64_t kOfCheck = 4;  // products at the start of a session
  for (const auto& has :
       {std::array{true, false, false}, std::array{false, true, true}, std::array{true, true, true}}) {
    const Ran mixed = run(has);
    EXPECT_EQ(mixed.wire, host.wire);
    EXPECT_TRUE(mixed.seen == host.seen);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      const std::int64_t each = rank < kParties ? 2 : 1;  // of a matrix product
      EXPECT_EQ(mixed.products[rank], has[rank] ? kOfCheck + 3 * each : 0) << "rank " << rank;
    }
  }
}

// The dealer's device knows a mask again by the owner that the request names.
TEST(SessionsOnDevice, PutEveryMaskOnTheDealersDeviceOnce) {
  constexpr std::int64_t kOfA = 31 * 40, kOfX = 40 * 5, kOfY = 31 * 5;
  EXPECT_EQ(run({false, false, true}).put_by_dealer, kOfA + kOfX + kOfY);
}

}  // namespace
}  // namespace tacit::mpc
