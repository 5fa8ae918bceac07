#include "mpc/made/making.h"

#include <algorithm>
#include <memory>

#include "mpc/made/bit_products.h"
#include "mpc/made/lifted_multiple.h"
#include "mpc/made/lifted_product.h"
#include "mpc/made/look_up.h"
#include "mpc/made/mask_products.h"
#include "mpc/made/planned_tasks.h"
#include "mpc/made/route.h"
#include "mpc/made/selection.h"
#include "mpc/made/share_products.h"
#include "mpc/made/tiles.h"
#include "mpc/made/winner.h"
#include "mpc/made/wrap.h"
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

template <typename Request>
constexpr bool kHasTiles = requires(const Request& request, Tile& tile) {
  part(request, tile);
};

std::vector<RingTensor> zeros_of(const WordRequest& request) {
  std::vector<RingTensor> zeros;
  std::visit(
      [&](const auto& one) {
        for (const int bits : one.widths()) zeros.push_back(RingTensor::zeros(one.shape(), bits));
      },
      request);
  return zeros;
}

std::vector<BitTensor> zeros_of(const BitRequest& request) {
  std::vector<BitTensor> zeros =
      std::visit([](const auto& one) { return BitTensor::several(one.shape(), one.count); }, request);
  std::ranges::fill(BitTensor::together(zeros), 0);
  return zeros;
}

}  // namespace

Making::Making(PairNetwork& network, const Nonce& nonce, Workers& workers, CorrelationsFrom from)
    : network_(network),
      from_(from),
      products_(network, nonce, workers,
                from == CorrelationsFrom::kAheadByFerret ? TransferSource::kFerret : TransferSource::kSoftSpoken),
      engine_(network, products_, workers, from),
      matrices_(network, nonce, workers) {}

template <typename Request, typename Tensor>
void Making::make(const Request& request, std::int64_t begin, std::vector<Tensor>& shares) {
  const auto parts = made(engine_, request);
  if (engine_.planned()) return;
  TACIT_CHECK(parts.size() == shares.size());
  for (std::size_t t = 0; t < parts.size(); ++t) place(parts[t], begin, shares[t]);
}

// With kept ciphertexts, or by the method with fewer bytes.
void Making::make(const MatrixProductRequest& request, std::int64_t begin, std::vector<RingTensor>& shares) {
  const Shape x = request.x.shape, y = request.y.shape;
  if (request.keeping.use == Keeping::Use::kFresh) {
    const std::int64_t by_ciphertexts = MaskedProduct::pair_bytes(x, y, request.bits, engine_.parties());
    if (pair_bytes_by_bits(x, y, request.bits) < by_ciphertexts) return make<>(request, begin, shares);
  }
  RingTensor product = matrices_.multiply(request.x, request.y, request.bits, request.keeping);
  if (!engine_.planned()) shares.front() = std::move(product);
}

template <typename Request, typename Tensor>
void Making::add_tasks(const Request& of, std::vector<Tensor>& shares, std::vector<LockStep::Task>& tasks) {
  if (of.shape().size() == 0) return;
  const auto request = std::make_shared<const Request>(of);
  if constexpr (kHasTiles<Request>) {
    const std::int64_t count = units(of), most = most_units(of), each = of.shape().size() / count;
    for (std::int64_t begin = 0; begin < count; begin += most) {
      tasks.push_back({[this, request, begin, end = std::min(begin + most, count), each, &shares] {
        Tile tile(begin, end, true);
        make(part(*request, tile), begin * each, shares);
      }});
    }
  } else {
    tasks.push_back({[this, request, &shares] { make(*request, 0, shares); }});
  }
}

template <typename Request, typename Tensor>
void Making::add_request(const Request& request, std::vector<Tensor>& shares, std::vector<LockStep::Task>& tasks) {
  const auto planned = planned_tasks(request, engine_.parties(), engine_.rank(), from_);
  shares = zeros_of(request);
  std::size_t next = tasks.size();
  std::visit([&](const auto& one) { add_tasks(one, shares, tasks); }, request);
  for (const auto& [trace, times] : *planned) {
    for (std::int64_t i = 0; i < times; ++i) tasks.at(next++).memory = trace->memory;
  }
  TACIT_CHECK(next == tasks.size());
}

void Making::add(const WordRequest& request, std::vector<RingTensor>& shares, std::vector<LockStep::Task>& tasks) {
  add_request(request, shares, tasks);
}

void Making::add(const BitRequest& request, std::vector<BitTensor>& shares, std::vector<LockStep::Task>& tasks) {
  add_request(request, shares, tasks);
}

template <typename Tensor, typename Request>
std::vector<LockStep::PlannedTask> Making::plan_tasks(const Request& request) {
  TACIT_CHECK(engine_.planned());
  std::vector<LockStep::PlannedTask> tasks;
  if (request.shape().size() == 0) return tasks;
  std::vector<Tensor> none;
  network_.take_trace();
  const auto plan_task = [&](std::int64_t times, const auto& one) {
    make(one, 0, none);
    tasks.push_back({std::make_shared<const MadeTrace>(network_.take_trace()), times});
  };
  if constexpr (kHasTiles<Request>) {
    const std::int64_t count = units(request), most = most_units(request);
    if (count >= most) {
      Tile tile(0, most, false);
      plan_task(count / most, part(request, tile));
    }
    if (count % most > 0) {
      Tile tile(0, count % most, false);
      plan_task(1, part(request, tile));
    }
  } else {
    plan_task(1, request);
  }
  return tasks;
}

std::vector<LockStep::PlannedTask> Making::plan(const WordRequest& request) {
  return std::visit([this](const auto& one) { return plan_tasks<RingTensor>(one); }, request);
}

std::vector<LockStep::PlannedTask> Making::plan(const BitRequest& request) {
  return std::visit([this](const auto& one) { return plan_tasks<BitTensor>(one); }, request);
}

}  // namespace tacit::mpc
