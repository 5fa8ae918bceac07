// Two parties make a product without a network: in parts, with fresh randomness for each message, and with checked messages.
#include "mpc/lattice/pair_product.h"

#include <gmock/gmock.h>

#include <set>

#include "mpc/kernels/matmul.h"
#include "tests/mpc/kernels/tensors.h"

namespace tacit::mpc::lattice {
namespace {

using WireBytes = UninitialisedVector<std::byte>;

// Both parties' keys for one modulus.
struct TwoParties {
  explicit TwoParties(int number) : modulus(lattice::modulus(number)) {
    for (const int rank : {0, 1}) keys.push_back(std::make_unique<PartyKeys>(modulus, Nonce{}, rank, 2));
    std::vector<std::byte> message(static_cast<std::size_t>(modulus.message_bytes()));
    for (const std::size_t rank : {0U, 1U}) {
      keys[rank]->write_public_key(message);
      keys[1 - rank]->read_public_key(static_cast<int>(rank), message);
    }
  }

  const Modulus& modulus;
  std::vector<std::unique_ptr<PartyKeys>> keys;
};

TEST(PairProduct, AddsUpToTheProductOverParts) {
  constexpr int kBits = 51;
  const ProductSize size{70, 90, 41};
  const auto parts = planned_parts(size, kBits, 2, 250'000);
  ASSERT_GT(parts.size(), 3u);
  std::set<int> numbers;
  for (const PlannedPart& part : parts) numbers.insert(part.plan.modulus);
  ASSERT_THAT(numbers, testing::ElementsAre(1));
  TwoParties two(1);
  Workers workers(2);
  std::vector<RingTensor> x, y, out;
  for (const std::uint64_t rank : {0U, 1U}) {
    x.push_back(random_tensor({size.m, size.c}, kBits, rank));
    y.push_back(random_tensor({size.c, size.p}, kBits, rank + 2));
    out.emplace_back(Shape{size.m, size.p}, kBits);
    matmul(x.back().view(), y.back().view(), Into::kSet, out.back(), workers);
  }
  for (const PlannedPart& part : parts) {
    std::vector<PairProduct> both;
    for (const std::size_t rank : {0U, 1U})
      both.emplace_back(part, *two.keys[rank], x[rank].view(), y[rank].view(), workers);
    for (const std::size_t holder : {0U, 1U}) {
      const std::size_t peer = 1 - holder;
      if (!part.plan.encrypts_for(static_cast<int>(holder), static_cast<int>(peer))) continue;
      const auto number = static_cast<int>(holder);
      WireBytes ciphertexts(static_cast<std::size_t>(part.plan.ciphertexts_bytes()));
      std::vector<std::byte> answers(static_cast<std::size_t>(part.plan.answers_bytes()));
      both[holder].encrypt(ciphertexts);
      both[peer].answer(number, both[peer].received(number, std::move(ciphertexts)), answers, out[peer]);
      both[holder].open(answers, out[holder]);
    }
  }
  RingTensor exact({size.m, size.p}, kBits), all_x = x[0], all_y = y[0];
  for (std::int64_t i = 0; i < all_x.size(); ++i)
    all_x.data()[i] = (all_x.data()[i] + x[1].data()[i]) & low_bits(kBits);
  for (std::int64_t i = 0; i < all_y.size(); ++i)
    all_y.data()[i] = (all_y.data()[i] + y[1].data()[i]) & low_bits(kBits);
  matmul(all_x.view(), all_y.view(), Into::kSet, exact, workers);
  for (std::int64_t i = 0; i < exact.size(); ++i) {
    ASSERT_EQ((out[0].data()[i] + out[1].data()[i]) & low_bits(kBits), exact.data()[i]) << i;
  }
}

TEST(PairProduct, RefusesResiduesThatAreNotBelowTheirPrime) {
  const PlannedPart part = planned_parts({7, 1, 5}, 38, 2).front();
  PartyKeys keys(modulus(part.plan.modulus), {}, 1, 2);
  Workers workers;
  const RingTensor x = random_tensor({7, 1}, 64, 1), y = random_tensor({1, 5}, 64, 2);
  RingTensor out = RingTensor::zeros({7, 5}, 38);
  const WireBytes damaged(static_cast<std::size_t>(part.plan.ciphertexts_bytes()), std::byte{0xff});
  std::vector<std::byte> answer(static_cast<std::size_t>(part.plan.answers_bytes()));
  PairProduct product(part, keys, x.view(), y.view(), workers);
  EXPECT_THROW(product.answer(0, product.received(0, damaged), answer, out), ProtocolError);
  EXPECT_THROW(keys.read_public_key(0, std::span(damaged).first(static_cast<std::size_t>(modulus(0).message_bytes()))),
               ProtocolError);
}

// Equal multipliers of equal ciphertexts: only the encryptions of zero differ.
TEST(PairProduct, DrawsAZeroForEveryAnswer) {
  const PlannedPart part = planned_parts({300, 40, 2}, 38, 2).front();
  ASSERT_EQ(part.plan.encrypted, Encrypted::kRight);
  const std::int64_t answers = part.plan.blocks.count().m;
  ASSERT_GT(answers, 1);
  PartyKeys holder(modulus(part.plan.modulus), {}, 0, 2), peer(modulus(part.plan.modulus), {}, 1, 2);
  std::vector<std::byte> key(static_cast<std::size_t>(modulus(part.plan.modulus).message_bytes()));
  holder.write_public_key(key);
  peer.read_public_key(0, key);
  Workers workers;
  RingTensor x({300, 40}, 64), out = RingTensor::zeros({300, 2}, 38);
  std::ranges::fill(x.words(), 12345);
  const RingTensor y = random_tensor({40, 2}, 64, 2);
  WireBytes ciphertexts(static_cast<std::size_t>(part.plan.ciphertexts_bytes()));
  PairProduct(part, holder, x.view(), y.view(), workers).encrypt(ciphertexts);
  std::vector<std::byte> message(static_cast<std::size_t>(part.plan.answers_bytes()));
  PairProduct product(part, peer, x.view(), y.view(), workers);
  product.answer(0, product.received(0, std::move(ciphertexts)), message, out);
  std::set<std::vector<std::byte>> seen;
  for (std::int64_t i = 0, at = 0; i < answers; at += part.plan.answer_bytes(i++, 0)) {
    seen.insert({message.begin() + at, message.begin() + at + kDegree * (38 + kSlack) / 8});
  }
  EXPECT_EQ(std::ssize(seen), answers);
}

TEST(PairProduct, TakesEachNameOfAHalfOnce) {
  const PlannedPart part = planned_parts({7, 1, 5}, 38, 2).front();
  PartyKeys keys(modulus(part.plan.modulus), {}, 0, 2);
  Workers workers;
  const RingTensor x = random_tensor({7, 1}, 64, 1), y = random_tensor({1, 5}, 64, 2);
  std::vector<std::byte> message(static_cast<std::size_t>(part.plan.ciphertexts_bytes()));
  PairProduct product(part, keys, x.view(), y.view(), workers), next(part, keys, x.view(), y.view(), workers);
  product.encrypt(message);
  EXPECT_THROW(product.encrypt(message), BrokenInvariant);
  next.encrypt(message);
}

}  // namespace
}  // namespace tacit::mpc::lattice
