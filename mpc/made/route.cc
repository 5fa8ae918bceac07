#include "mpc/made/route.h"

#include "mpc/made/switching_network.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kRouteGrain = 1024;

using Layer = std::vector<SwitchingNetwork::Switch>;

// The bits of each layer's switches, which the owner alone holds, bound.
std::vector<SharedBits> switches(Engine& engine, const SwitchingNetwork& network, const RouteRequest& request) {
  const bool known = engine.rank() == request.owner && !engine.planned();
  SwitchingNetwork::Settings settings;
  if (known) settings = SwitchingNetwork::settings(*request.order);
  std::vector<SharedBits> all;
  std::vector<Engine::Binding> bindings;
  for (std::size_t layer = 0; layer < network.layers().size(); ++layer) {
    SharedBits& bits = all.emplace_back();
    bits.size = std::ssize(network.layers()[layer]);
    bits.holders = only(request.owner, engine.parties());
    bindings.push_back({bits, bits.holders});
    if (!known) continue;
    BitTensor own = BitTensor::zeros({1, bits.size});
    for (std::size_t i = 0; i < settings[layer].size(); ++i) {
      own.words()[i / kWordBits] |= std::uint64_t{settings[layer][i]} << (i % kWordBits);
    }
    bits.own = std::make_shared<const BitTensor>(std::move(own));
    bindings.back().bits = bits;
  }
  engine.bind(bindings);
  return all;
}

// Rows of words of at most 64 bits that all parties share; one party's words change in place.
class Rows {
 public:
  Rows(Engine& engine, const SharedWords& from) : engine_(engine), rows_(from) {
    if (from.own != nullptr) words_ = *from.own;
  }

  // Of each switch, its second row less its first one.
  SharedWords differences(const Layer& layer) const {
    SharedWords out = rows_;
    out.rows = std::ssize(layer);
    out.own = nullptr;
    if (engine_.planned()) return out;
    auto words = std::make_shared<OwnWords>(static_cast<std::size_t>(out.size()));
    each(layer, [&](std::int64_t i, const std::uint64_t* first, const std::uint64_t* second) {
      std::uint64_t* to = words->data() + i * columns();
      for (std::int64_t c = 0; c < columns(); ++c) to[c] = (second[c] - first[c]) & mask();
    });
    out.own = std::move(words);
    return out;
  }

  // Adds the exchanged parts of the differences to the first rows, and takes them from the second ones.
  void move(const Layer& layer, const SharedWords& exchanged) {
    if (engine_.planned()) return;
    each(layer, [&](std::int64_t i, const std::uint64_t*, const std::uint64_t*) {
      const auto& [a, b] = layer[static_cast<std::size_t>(i)];
      std::uint64_t *first = words_.data() + a * columns(), *second = words_.data() + b * columns();
      const std::uint64_t* by = exchanged.own->data() + i * columns();
      for (std::int64_t c = 0; c < columns(); ++c) {
        first[c] = (first[c] + by[c]) & mask();
        second[c] = (second[c] - by[c]) & mask();
      }
    });
  }

  SharedWords first(std::int64_t count) const {
    SharedWords out = rows_;
    out.rows = count;
    out.own = nullptr;
    if (!engine_.planned()) {
      out.own =
          std::make_shared<const OwnWords>(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(out.size()));
    }
    return out;
  }

 private:
  std::int64_t columns() const { return rows_.columns; }
  std::uint64_t mask() const { return low_bits(rows_.width); }

  template <typename Use>
  void each(const Layer& layer, const Use& use) const {
    engine_.workers().for_ranges(std::ssize(layer), kRouteGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const auto& [a, b] = layer[static_cast<std::size_t>(i)];
        use(i, words_.data() + a * columns(), words_.data() + b * columns());
      }
    });
  }

  Engine& engine_;
  SharedWords rows_;
  OwnWords words_;
};

}  // namespace

std::vector<SharedWords> made(Engine& engine, const RouteRequest& request) {
  const SwitchingNetwork network(request.lambda.shape.rows);
  const std::vector<SharedBits> bits = switches(engine, network, request);
  Rows rows(engine, engine.shared(request.lambda, request.lambda.shape.cols, request.bits));
  for (std::size_t layer = 0; layer < bits.size(); ++layer) {
    const Engine::Selection exchange{bits[layer], rows.differences(network.layers()[layer])};
    rows.move(network.layers()[layer], engine.times(std::span(&exchange, 1)).front());
  }
  std::vector<SharedWords> all{rows.first(request.outputs)};
  if (!request.with_kappa) return all;
  const RingView kappa{request.kappa.words, {request.outputs, 1}, request.kappa.row_stride, request.kappa.col_stride};
  const Engine::Product product{engine.shared(kappa, 1, request.bits), all.front()};
  all.push_back(engine.products(std::span(&product, 1)).front());
  return all;
}

}  // namespace tacit::mpc
