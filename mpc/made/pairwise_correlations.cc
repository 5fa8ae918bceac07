#include "mpc/correlations/pairwise_correlations.h"

#include <map>
#include <vector>

#include <algorithm>

#include "mpc/lattice/masked_product.h"
#include "mpc/made/bit_products.h"
#include "mpc/made/engine.h"
#include "mpc/made/lifted_multiple.h"
#include "mpc/made/lifted_product.h"
#include "mpc/made/look_up.h"
#include "mpc/made/mask_products.h"
#include "mpc/made/public_part.h"
#include "mpc/made/route.h"
#include "mpc/made/selection.h"
#include "mpc/made/share_products.h"
#include "mpc/made/tiles.h"
#include "mpc/made/winner.h"
#include "mpc/made/wrap.h"
#include "mpc/random/pair_seed.h"
#include "net/error.h"

namespace tacit::mpc {

namespace {

[[noreturn]] std::vector<SharedWords> made(Engine& /*engine*/, const NoiseRequest& /*request*/) {
  throw ConfigError(
      "noise that no party knows needs a dealer, and this session has none: let the parties alone add the noise "
      "(from = \"parties\")");
}

void place(const SharedWords& part, std::int64_t begin, RingTensor& whole) {
  TACIT_CHECK(part.width == whole.bits() && begin + part.size() <= whole.size());
  if (part.own != nullptr) std::copy(part.own->begin(), part.own->end(), whole.data() + begin);
}

void place(const SharedBits& part, std::int64_t begin, BitTensor& whole) {
  TACIT_CHECK(begin % kWordBits == 0 && begin + part.size <= whole.size());
  if (part.own != nullptr) std::ranges::copy(part.own->words(), whole.words().begin() + begin / kWordBits);
}

// Calls use(its shares, their first unit, all units) for each tile of a request. On a plan, tiles of the same size have the same
// traffic: one stands for all.
template <typename Request, typename Use>
void for_each_tile(Engine& engine, const Request& request, const Use& use) {
  if constexpr (requires(Tile & tile) { part(request, tile); }) {
    const std::int64_t count = units(request), most = most_units(request);
    std::int64_t begin = 0;
    if (engine.planned() && count > most) {
      const std::int64_t others = count / most - 1;
      const MadeCost before = engine.network().cost();
      Tile tile(0, most, false);
      use(made(engine, part(request, tile)), 0, count);
      MadeCost one = engine.network().cost();
      one -= before;
      engine.network().repeat(one, others);
      begin = (others + 1) * most;
    }
    for (; begin < count; begin += most) {
      Tile tile(begin, std::min(begin + most, count), !engine.planned());
      use(made(engine, part(request, tile)), begin, count);
    }
  } else {
    use(made(engine, request), 0, 1);
  }
}

class Maker {
 public:
  Maker(PairNetwork& network, const Nonce& nonce, Workers& workers)
      : products_(network, nonce, workers), engine_(network, products_, workers), matrices_(network, nonce, workers) {}

  std::vector<RingTensor> words(const WordRequest& request) {
    return std::visit([this](const auto& one) { return words_of(one); }, request);
  }

  std::vector<BitTensor> bits(const BitRequest& request) {
    return std::visit([this](const auto& one) { return bits_of(one); }, request);
  }

 private:
  template <typename Request>
  std::vector<RingTensor> words_of(const Request& request) {
    std::vector<RingTensor> shares;
    const Shape shape = engine_.planned() ? Shape{} : request.shape();
    for (const int bits : request.widths()) shares.push_back(RingTensor::zeros(shape, bits));
    if (request.shape().size() == 0) return shares;
    for_each_tile(engine_, request, [&](const std::vector<SharedWords>& tile, std::int64_t begin, std::int64_t count) {
      TACIT_CHECK(tile.size() == shares.size());
      if (engine_.planned()) return;
      const std::int64_t each = request.shape().size() / count;
      for (std::size_t t = 0; t < tile.size(); ++t) place(tile[t], begin * each, shares[t]);
    });
    return shares;
  }

  // By the method with fewer bytes.
  std::vector<RingTensor> words_of(const MatrixProductRequest& request) {
    const auto& [x, y, bits] = request;
    const std::int64_t by_ciphertexts = MaskedProduct::pair_bytes(x.shape, y.shape, bits, engine_.parties());
    if (pair_bytes_by_bits(x.shape, y.shape, bits) < by_ciphertexts) return words_of<>(request);
    std::vector<RingTensor> shares;
    shares.push_back(matrices_.multiply(x, y, bits));
    return shares;
  }

  template <typename Request>
  std::vector<BitTensor> bits_of(const Request& request) {
    const Shape shape = engine_.planned() ? Shape{} : request.shape();
    std::vector<BitTensor> shares = BitTensor::several(shape, request.count);
    std::ranges::fill(BitTensor::together(shares), 0);
    for_each_tile(engine_, request, [&](const std::vector<SharedBits>& tile, std::int64_t begin, std::int64_t) {
      TACIT_CHECK(tile.size() == shares.size());
      if (engine_.planned()) return;
      for (std::size_t t = 0; t < tile.size(); ++t) place(tile[t], begin, shares[t]);
    });
    return shares;
  }

  BitTimesWord products_;
  Engine engine_;
  MaskedProduct matrices_;
};

class PairwiseCorrelations final : public Correlations {
 public:
  PairwiseCorrelations(net::Mesh& mesh, const Nonce& nonce, Workers& workers)
      : network_(mesh), maker_(network_, nonce, workers), own_(PairSeed::own(nonce, &workers)) {}

  void begin(std::int64_t operation) override {
    operation_ = operation;
    draws_ = 0;
  }
  RingTensor mask(const MaskRequest& request) override {
    RingTensor words(request.shape, request.bits);
    own_.fill(next(Draw::kMask), words);
    return words;
  }
  RingTensor add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                      RingTensor& sum) override {
    RingTensor words(request.shape, request.bits);
    own_.fill_and_add(next(Draw::kMask), words, x, constant, sum);
    return words;
  }
  BitTensor mask_bits(Shape shape) override {
    BitTensor bits(shape);
    own_.fill(next(Draw::kMask), bits);
    return bits;
  }
  Permutation order(int owner, std::int64_t count) override {
    const StreamName name = next(Draw::kOrder);
    return owner == network_.rank() ? own_.order(name, count) : Permutation();
  }
  std::vector<RingTensor> words(const WordRequest& request) override { return maker_.words(request); }
  std::vector<BitTensor> bits(const BitRequest& request) override { return maker_.bits(request); }
  bool made_by_parties() const override { return true; }
  std::chrono::nanoseconds waited() const override { return network_.waited(); }

 private:
  StreamName next(Draw draw) { return {operation_, draw, draws_++}; }

  PairNetwork network_;
  Maker maker_;
  PairSeed own_;
  std::int64_t operation_ = 0;
  int draws_ = 0;  // in this operation
};

// What a rank sends to start, and from then on to make something.
struct PlannedCost {
  MadeCost start, rest;
};

template <typename Make>
PlannedCost planned_cost(int parties, int rank, const Make& make) {
  PairNetwork plan(rank, parties);
  Workers workers;
  Maker maker(plan, Nonce{}, workers);
  PlannedCost cost{plan.cost(), {}};
  make(maker);
  cost.rest = plan.cost();
  cost.rest -= cost.start;
  return cost;
}

// A program makes a few kinds of requests over and over, so the thread keeps what it has planned.
template <typename Request, typename Make>
MadeCost known_cost(const Request& request, int parties, int rank, const Make& make) {
  constexpr std::size_t kMostKept = 4096;
  thread_local std::map<std::vector<std::int64_t>, MadeCost> kept;
  std::vector<std::int64_t> name = public_part(request);
  name.insert(name.end(), {parties, rank});
  if (const auto known = kept.find(name); known != kept.end()) return known->second;
  if (kept.size() >= kMostKept) kept.clear();
  const MadeCost cost = planned_cost(parties, rank, make).rest;
  kept.emplace(std::move(name), cost);
  return cost;
}

}  // namespace

std::unique_ptr<Correlations> pairwise_correlations(net::Mesh& mesh, const Nonce& nonce, Workers& workers) {
  return std::make_unique<PairwiseCorrelations>(mesh, nonce, workers);
}

MadeCost start_cost(int parties, int rank) {
  return planned_cost(parties, rank, [](Maker&) {}).start;
}

MadeCost made_cost(const WordRequest& request, int parties, int rank) {
  return known_cost(request, parties, rank, [&](Maker& maker) { maker.words(request); });
}

MadeCost made_cost(const BitRequest& request, int parties, int rank) {
  return known_cost(request, parties, rank, [&](Maker& maker) { maker.bits(request); });
}

}  // namespace tacit::mpc
