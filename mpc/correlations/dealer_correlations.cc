#include "mpc/correlations/dealer_correlations.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "mpc/kernels/packing.h"
#include "net/error.h"

namespace tacit::mpc {

std::unique_ptr<Correlations> from_the_dealer(net::Mesh& mesh, const Nonce& nonce, Workers& workers) {
  if (mesh.world().helpers < 1) {
    throw ConfigError("the roster has no dealer: a session needs one rank of that role, after the parties");
  }
  return std::make_unique<DealerCorrelations>(mesh, nonce, workers);
}

DealerCorrelations::DealerCorrelations(net::Mesh& mesh, const Nonce& nonce, Workers& workers)
    : mesh_(mesh), workers_(workers), dealer_(mesh.channel(mesh.parties())), seed_(dealer_, nonce, &workers) {}

void DealerCorrelations::begin(std::int64_t operation) {
  operation_ = operation;
  draws_ = 0;
}

RingTensor DealerCorrelations::mask(const MaskRequest& request) {
  RingTensor words(request.shape, request.bits);
  seed_.fill(next(Draw::kMask), words);
  return words;
}

RingTensor DealerCorrelations::add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                                        RingTensor& sum) {
  RingTensor words(request.shape, request.bits);
  seed_.fill_and_add(next(Draw::kMask), words, x, constant, sum);
  return words;
}

BitTensor DealerCorrelations::mask_bits(Shape shape) {
  BitTensor bits(shape);
  seed_.fill(next(Draw::kMask), bits);
  return bits;
}

Permutation DealerCorrelations::order(int owner, std::int64_t count) {
  const StreamName name = next(Draw::kOrder);
  return owner == mesh_.rank() ? seed_.order(name, count) : Permutation();
}

std::vector<RingTensor> DealerCorrelations::words(const WordRequest& request) {
  const auto [kind, shape, widths] =
      std::visit([](const auto& one) { return std::tuple(one.kind(), one.shape(), one.widths()); }, request);
  std::vector<RingTensor> shares;
  std::int64_t total = 0;
  for (const int bits : widths) {
    shares.emplace_back(shape, bits);
    total += net::packed_bytes(shape.size(), bits);
  }
  if (our_turn()) {
    UninitialisedVector<std::byte> packed(static_cast<std::size_t>(total));
    receive(kind, packed);
    net::ConstBytes rest(packed);
    for (RingTensor& share : shares) {
      const auto bytes = static_cast<std::size_t>(net::packed_bytes(share.size(), share.bits()));
      unpack(rest.first(bytes), {share.words(), share.bits()}, workers_);
      rest = rest.subspan(bytes);
    }
    draws_ += static_cast<int>(shares.size());
  } else {
    for (RingTensor& share : shares) seed_.fill(next(Draw::kDealt), share);
  }
  ++messages_;
  return shares;
}

std::vector<BitTensor> DealerCorrelations::bits(const BitRequest& request) {
  const auto [kind, shape, count] =
      std::visit([](const auto& one) { return std::tuple(one.kind(), one.shape(), one.count); }, request);
  std::vector<BitTensor> shares = BitTensor::several(shape, count);
  if (our_turn()) {
    receive(kind, std::as_writable_bytes(BitTensor::together(shares)));
    for (BitTensor& share : shares) share.clear_padding();
    ++draws_;
  } else {
    seed_.fill(next(Draw::kDealt), shares);
  }
  ++messages_;
  return shares;
}

void DealerCorrelations::receive(Correlation what, net::Bytes message) {
  std::array<std::byte, static_cast<std::size_t>(kDealtTagBytes)> tag;
  const std::array pieces{net::Bytes(tag), message};
  const net::Clock::time_point begin = net::Clock::now();
  dealer_.receive(net::kMainStream, pieces).wait();
  waited_ += net::Clock::now() - begin;
  const DealtTag expected{operation_, static_cast<std::uint32_t>(messages_), what};
  if (tag != expected.bytes()) {
    throw ProtocolError(fmt::format("{} dealt for an operation other than {}, the next one here: the dealer does not "
                                    "run the same program",
                                    mesh_.describe(mesh_.parties()), operation_),
                        mesh_.parties());
  }
}

}  // namespace tacit::mpc
