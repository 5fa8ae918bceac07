#include "tests/mpc/suites/broken_session.h"

#include <cmath>
#include <random>

#include "mpc/correlations/dealer_correlations.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/session/inside.h"
#include "net/collectives/collectives.h"

namespace tacit::mpc {

namespace {

bool drops_in_the_same_ring(Mistake mistake) {
  return mistake == Mistake::kScaleLost || mistake == Mistake::kWrapGuessed || mistake == Mistake::kTowardsZero;
}

Format divided(Format format, int bits) { return {format.ring_bits, format.fraction_bits - bits}; }

// a + b as signed numbers of k bits; counts how often the sum left their range.
std::int64_t add_wrapping(std::int64_t a, std::int64_t b, int k, std::int64_t& wraps) {
  const std::int64_t sum = signed_value(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b), k);
  if (a > 0 && b > 0 && sum < 0) ++wraps;
  if (a < 0 && b < 0 && sum >= 0) --wraps;
  return sum;
}

// The words of all parties, which no party may ever see.
std::vector<RingTensor> everybodys(Party& party, const RingTensor& own) {
  const auto n = static_cast<std::size_t>(party.parties());
  std::vector<RingTensor> all(n, own);
  std::vector<net::Words> words(n);
  std::vector<net::Tensors> by_party(n);
  for (std::size_t p = 0; p < n; ++p) {
    words[p] = {all[p].words(), own.bits()};
    by_party[p] = net::Tensors(&words[p], 1);
  }
  net::all_gather(party.group(), by_party);
  return all;
}

class BrokenParty final : public SessionOver<Party> {
 public:
  BrokenParty(net::Mesh& mesh, Mistake mistake) : BrokenParty(mesh, mistake, std::make_unique<Workers>()) {}

  int parties() const override { return party_.parties(); }
  void set_step(std::string step) override { party_.mesh().set_step(std::move(step)); }

 protected:
  void perform(Operation& operation) override {
    if (auto* drop = dynamic_cast<Drop*>(&operation); drop != nullptr && drops_in_the_same_ring(mistake_)) {
      return drop->set(dropped(drop->x(), drop->bits()));
    }
    if (auto* matmul = dynamic_cast<MatrixProduct*>(&operation);
        matmul != nullptr && mistake_ == Mistake::kStorageOrder) {
      const Masked x = in_storage_order(matmul->x()), y = in_storage_order(matmul->y());
      return matmul->set(MatrixProduct(x, y).at(party_));
    }
    SessionOver::perform(operation);
    if (auto* reveal = dynamic_cast<RevealShare*>(&operation); reveal != nullptr && mistake_ == Mistake::kDecoding) {
      reveal->set(wrongly_decoded(reveal->x(), reveal->take()));
    }
  }

 private:
  BrokenParty(net::Mesh& mesh, Mistake mistake, std::unique_ptr<Workers> workers)
      : BrokenParty(mesh, mistake, std::move(workers), agree_on_nonce(mesh)) {}
  BrokenParty(net::Mesh& mesh, Mistake mistake, std::unique_ptr<Workers> workers, const Nonce& nonce)
      : SessionOver(*workers),
        mistake_(mistake),
        workers_(std::move(workers)),
        party_(mesh, nonce, *workers_, net::AllReducePlan({{0, net::AllReduce::kDirect}}),
               std::make_unique<DealerCorrelations>(mesh, nonce, *workers_)) {}

  Party& context() override { return party_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  Share dropped(const Share& x, int bits) {
    if (bits == 0) return x;
    RingTensor out = mistake_ == Mistake::kTowardsZero ? truncated_sum(x, bits) : divided_shares(x, bits);
    return Inside::share(x.shape(), divided(x.format(), bits), std::move(out));
  }

  static Public wrongly_decoded(const Share& x, Public seen) {
    if (!Inside::seen(seen)) return seen;
    Matrix wrong = Inside::value(seen);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (Eigen::Index i = 0; i < wrong.size(); ++i) {
      double& v = wrong.data()[i];
      if (v < 0 && uniform(random) < std::ldexp(-v, -x.fraction_bits())) v -= 1;
    }
    return Inside::revealed(x.shape(), std::move(wrong));
  }

  RingTensor divided_shares(const Share& x, int bits) {
    const int k = x.ring_bits();
    const RingTensor& share = Inside::words(x);
    const std::vector<std::int64_t> wraps = guessed_wraps(share);
    const std::uint64_t half = (std::uint64_t{1} << (bits - 1)) - static_cast<std::uint64_t>(party_.rank() % 2);
    RingTensor out(x.shape(), k);
    for (std::int64_t i = 0; i < out.size(); ++i) {
      const auto count = static_cast<std::uint64_t>(wraps[static_cast<std::size_t>(i)]);
      const std::uint64_t correction = mistake_ == Mistake::kScaleLost ? count : count << (k - bits);
      out.data()[i] =
          (static_cast<std::uint64_t>(signed_value(share.data()[i] + half, k) >> bits) - correction) & low_bits(k);
    }
    return out;
  }

  // This party's part of the count of wraps of the shares' sum: the wraps of z = x + r and of
  // adding r_i to x_i, less the wraps of r. The guess omits whether adding r to x itself wraps.
  std::vector<std::int64_t> guessed_wraps(const RingTensor& x) {
    const int k = x.bits();
    std::vector<std::int64_t> wraps(static_cast<std::size_t>(x.size()));
    if (parties() < 3) return wraps;
    std::vector<RingTensor> r;
    for (int p = 0; p < parties(); ++p) {
      r.emplace_back(x.shape(), k);
      for (std::uint64_t& word : r.back().words()) word = masks_() & low_bits(k);
    }
    RingTensor z(x.shape(), k);
    const RingTensor& own = r[static_cast<std::size_t>(party_.rank())];
    for (std::int64_t i = 0; i < x.size(); ++i) {
      const std::int64_t sum = add_wrapping(signed_value(x.data()[i], k), signed_value(own.data()[i], k), k,
                                            wraps[static_cast<std::size_t>(i)]);
      z.data()[i] = static_cast<std::uint64_t>(sum) & low_bits(k);
    }
    const std::vector<RingTensor> all = everybodys(party_, z);
    if (!party_.first()) return wraps;
    for (std::int64_t i = 0; i < x.size(); ++i) {
      wraps[static_cast<std::size_t>(i)] += wraps_of_sum(all, i) - wraps_of_sum(r, i);
    }
    return wraps;
  }

  static std::int64_t wraps_of_sum(const std::vector<RingTensor>& shares, std::int64_t i) {
    std::int64_t sum = 0, wraps = 0;
    for (const RingTensor& share : shares) {
      sum = add_wrapping(sum, signed_value(share.data()[i], share.bits()), share.bits(), wraps);
    }
    return wraps;
  }

  RingTensor truncated_sum(const Share& x, int bits) {
    const int k = x.ring_bits();
    const std::vector<RingTensor> all = everybodys(party_, Inside::words(x));
    RingTensor out = RingTensor::zeros(x.shape(), k);
    if (!party_.first()) return out;
    for (std::int64_t i = 0; i < out.size(); ++i) {
      std::uint64_t sum = 0;
      for (const RingTensor& share : all) sum += share.data()[i];
      out.data()[i] = static_cast<std::uint64_t>(signed_value(sum, k) / (std::int64_t{1} << bits)) & low_bits(k);
    }
    return out;
  }

  // The mask in the order that the program sees, Delta in the order of its memory.
  static Masked in_storage_order(const Masked& x) {
    if (!Inside::transposed(x)) return x;
    RingTensor delta(x.shape(), x.ring_bits()), mask(x.shape(), x.ring_bits());
    const RingView turned = Inside::mask(x);
    std::copy_n(Inside::owner_of_public(x)->data(), delta.size(), delta.data());
    for (std::int64_t i = 0; i < mask.size(); ++i) {
      mask.data()[i] = turned.at(i / x.shape().cols, i % x.shape().cols) & low_bits(mask.bits());
    }
    return Inside::masked(x.shape(), x.format(), std::move(delta), std::move(mask));
  }

  const Mistake mistake_;
  std::unique_ptr<Workers> workers_;
  Party party_;
  std::mt19937_64 masks_{11};  // equal at every party, which is enough for a test
};

class BrokenDealer final : public SessionOver<Dealer> {
 public:
  BrokenDealer(net::Mesh& mesh, Mistake mistake) : BrokenDealer(mesh, mistake, std::make_unique<Workers>()) {}

  int parties() const override { return dealer_.parties(); }
  void set_step(std::string step) override { dealer_.mesh().set_step(std::move(step)); }
  void flush() { dealer_.flush(); }

 protected:
  void perform(Operation& operation) override {
    auto* drop = dynamic_cast<Drop*>(&operation);
    if (drop == nullptr || drop->bits() == 0 || !drops_in_the_same_ring(mistake_)) {
      return SessionOver::perform(operation);
    }
    drop->set(Inside::nothing(drop->x().shape(), divided(drop->x().format(), drop->bits())));
  }

 private:
  BrokenDealer(net::Mesh& mesh, Mistake mistake, std::unique_ptr<Workers> workers)
      : SessionOver(*workers),
        mistake_(mistake),
        workers_(std::move(workers)),
        dealer_(mesh, agree_on_nonce(mesh), *workers_, SessionOptions().ahead_bytes) {}

  MeshDealer& context() override { return dealer_; }
  const CostSetting* cost_setting() const override { return nullptr; }

  const Mistake mistake_;
  std::unique_ptr<Workers> workers_;
  MeshDealer dealer_;
};

}  // namespace

Interpreter broken_parties(int parties, Mistake mistake) {
  return {parties, [=](const Program& program) {
            net::run_ranks(net::mesh_kind("Memory").make(parties, 1), [&](net::Mesh& mesh) {
              if (mesh.world().is_party()) {
                BrokenParty session(mesh, mistake);
                program(session, mesh.rank());
              } else {
                BrokenDealer session(mesh, mistake);
                program(session, mesh.rank());
                session.flush();
              }
            });
          }};
}

}  // namespace tacit::mpc
