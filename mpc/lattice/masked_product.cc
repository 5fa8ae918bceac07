#include "mpc/lattice/masked_product.h"

#include <algorithm>

#include "mpc/kernels/matmul.h"
#include "mpc/lattice/leakage.h"
#include "mpc/lattice/pair_product.h"

namespace tacit::mpc {

namespace {

using lattice::PlannedPart;
using lattice::ProductPlan;

std::vector<PlannedPart> parts_of_product(Shape x, Shape y, int bits, int parties, const Keeping& keeping) {
  TACIT_CHECK(x.cols == y.rows && bits >= 1 && bits <= kWordBits);
  const lattice::ProductSize size{x.rows, x.cols, y.cols};
  if (keeping.use == Keeping::Use::kFresh) return lattice::planned_parts(size, bits, parties);
  return lattice::kept_parts(size, bits, parties, keeping.left);
}

std::int64_t leakage_of(std::span<const PlannedPart> parts) {
  std::int64_t sum = 0;
  for (const PlannedPart& part : parts) sum = capped_sum(sum, leakage_units(part.plan.leakage));
  return sum;
}

}  // namespace

class MaskedProduct::Impl {
 public:
  Impl(PairNetwork& network, const Nonce& nonce, Workers& workers) : network_(network), workers_(workers) {
    exchange_keys(nonce);
  }

  RingTensor multiply(RingView x, RingView y, int bits, const Keeping& keeping) {
    const auto parts = parts_of_product(x.shape, y.shape, bits, network_.parties(), keeping);
    const std::int64_t leakage = leakage_of(parts);
    if (!network_.planned()) lattice::expect_bounded_leakage(network_.cost().leakage, leakage);
    network_.add_leakage(leakage);
    RingTensor out;
    if (!network_.planned()) {
      out = RingTensor({x.shape.rows, y.shape.cols}, bits);
      matmul(x, y, Into::kSet, out, workers_);
    }
    for (std::size_t part = 0; part < parts.size(); ++part) add_part(parts[part], part, keeping, x, y, out);
    return out;
  }

 private:
  // This party's messages of a round in which `from` sends `bytes` to `to` if sends(from, to).
  struct Round {
    PairNetwork::Messages out, in;
  };
  template <typename Sends>
  Round round(std::int64_t bytes, const Sends& sends) const {
    Round both{network_.messages(), network_.messages()};
    for (int peer = 0; peer < network_.parties(); ++peer) {
      const auto at = static_cast<std::size_t>(peer);
      if (sends(network_.rank(), peer)) both.out[at].resize(static_cast<std::size_t>(bytes));
      if (sends(peer, network_.rank())) both.in[at].resize(static_cast<std::size_t>(bytes));
    }
    return both;
  }

  // Lets `write` write the first message, and copies it to the others.
  template <typename Write>
  static void write_once(PairNetwork::Messages& messages, const Write& write) {
    const auto first = std::ranges::find_if(messages, [](const auto& message) { return !message.empty(); });
    if (first == messages.end()) return;
    write(std::span<std::byte>(*first));
    for (auto other = first + 1; other < messages.end(); ++other) {
      if (!other->empty()) *other = *first;
    }
  }

  void exchange_keys(const Nonce& nonce);
  void add_part(const PlannedPart& planned, std::size_t number, const Keeping& keeping, RingView x, RingView y,
                RingTensor& out);

  PairNetwork& network_;
  Workers& workers_;
  std::vector<std::unique_ptr<lattice::PartyKeys>> keys_;  // by modulus; none on a plan
};

void MaskedProduct::Impl::exchange_keys(const Nonce& nonce) {
  if (network_.parties() == 1) return;
  std::int64_t bytes = 0;
  for (int number = 0; number < lattice::kModuli; ++number) bytes += lattice::modulus(number).message_bytes();
  Round round = this->round(bytes, [](int from, int to) { return from != to; });
  if (network_.planned()) return network_.exchange(round.out, round.in);
  for (int number = 0; number < lattice::kModuli; ++number) {
    keys_.push_back(
        std::make_unique<lattice::PartyKeys>(lattice::modulus(number), nonce, network_.rank(), network_.parties()));
  }
  // The three keys of a message.
  const auto for_each_key = [this](auto message, const auto& use) {
    for (const auto& keys : keys_) {
      const auto size = static_cast<std::size_t>(keys->ring().modulus().message_bytes());
      use(*keys, message.first(size));
      message = message.subspan(size);
    }
  };
  write_once(round.out, [&](std::span<std::byte> message) {
    for_each_key(message, [](lattice::PartyKeys& keys, std::span<std::byte> key) { keys.write_public_key(key); });
  });
  network_.exchange(round.out, round.in);
  for (int peer = 0; peer < network_.parties(); ++peer) {
    if (peer == network_.rank()) continue;
    for_each_key(std::span<const std::byte>(round.in[static_cast<std::size_t>(peer)]),
                 [peer](lattice::PartyKeys& keys, std::span<const std::byte> key) { keys.read_public_key(peer, key); });
  }
}

void MaskedProduct::Impl::add_part(const PlannedPart& planned, std::size_t number, const Keeping& keeping, RingView x,
                                   RingView y, RingTensor& out) {
  const ProductPlan& plan = planned.plan;
  const auto holds = [&plan](int holder, int peer) { return plan.encrypts_for(holder, peer); };
  const bool encrypts = keeping.use != Keeping::Use::kAgain;
  Round ciphertexts = round(encrypts ? plan.ciphertexts_bytes() : 0, holds);
  Round answers = round(plan.answers_bytes(), [&](int peer, int holder) { return holds(holder, peer); });
  if (network_.planned()) {
    // Messages to or from each peer, and one peer's ciphertexts unpacked. Kept ciphertexts are unpacked between two exchanges, so
    // those of one task at a time: a batch may have many such tasks.
    const std::int64_t messages = (encrypts ? plan.ciphertexts_bytes() : 0) + plan.answers_bytes();
    network_.hold((network_.parties() - 1) * messages + (encrypts ? 3 * plan.ciphertexts_bytes() : 0));
    network_.exchange(ciphertexts.out, ciphertexts.in);
    return network_.exchange(answers.out, answers.in);
  }
  lattice::PairProduct product(planned, *keys_[static_cast<std::size_t>(plan.modulus)], x, y, workers_, encrypts);
  write_once(ciphertexts.out, [&](std::span<std::byte> message) { product.encrypt(message); });
  network_.exchange(ciphertexts.out, ciphertexts.in);
  ciphertexts.out.clear();
  for (int holder = 0; holder < network_.parties(); ++holder) {
    const auto at = static_cast<std::size_t>(holder);
    if (!holds(holder, network_.rank())) continue;
    if (!encrypts) {
      product.answer(holder, keeping.ciphertexts->of(number, holder), answers.out[at], out);
      continue;
    }
    lattice::PeerCiphertexts theirs = product.received(holder, std::move(ciphertexts.in[at]));
    product.answer(holder, theirs, answers.out[at], out);
    if (keeping.use == Keeping::Use::kFirst) keeping.ciphertexts->put(number, holder, std::move(theirs));
  }
  network_.exchange(answers.out, answers.in);
  for (int peer = 0; peer < network_.parties(); ++peer) {
    if (holds(network_.rank(), peer)) product.open(answers.in[static_cast<std::size_t>(peer)], out);
  }
}

MaskedProduct::MaskedProduct(PairNetwork& network, const Nonce& nonce, Workers& workers)
    : impl_(std::make_unique<Impl>(network, nonce, workers)) {}
MaskedProduct::~MaskedProduct() = default;

RingTensor MaskedProduct::multiply(RingView x, RingView y, int bits, const Keeping& keeping) {
  return impl_->multiply(x, y, bits, keeping);
}

std::int64_t MaskedProduct::pair_bytes(Shape x, Shape y, int bits, int parties) {
  std::int64_t bytes = 0;
  for (const PlannedPart& part : parts_of_product(x, y, bits, parties, {})) bytes += part.plan.pair_bytes();
  return bytes;
}

MaskedProduct::KeptBytes MaskedProduct::kept_pair_bytes(Shape x, Shape y, int bits, int parties, bool left) {
  KeptBytes bytes;
  for (const PlannedPart& part : parts_of_product(x, y, bits, parties, {Keeping::Use::kFirst, left})) {
    bytes.ciphertexts += part.plan.pair_bytes() - part.plan.pair_answer_bytes();
    bytes.answers += part.plan.pair_answer_bytes();
  }
  return bytes;
}

std::int64_t MaskedProduct::product_leakage(Shape x, Shape y, int bits, int parties, const Keeping& keeping) {
  return leakage_of(parts_of_product(x, y, bits, parties, keeping));
}

}  // namespace tacit::mpc
