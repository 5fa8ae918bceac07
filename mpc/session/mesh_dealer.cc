#include "mpc/session/mesh_dealer.h"

#include <algorithm>

#include "mpc/kernels/packing.h"
#include "mpc/session/decision.h"

namespace tacit::mpc {

MeshDealer::MeshDealer(net::Mesh& mesh, const Nonce& nonce, Workers& workers, std::int64_t ahead_bytes,
                       device::Device* device)
    : mesh_(mesh),
      workers_(workers),
      products_(workers, device),
      own_noise_([nonce] { return PairSeed::own(nonce); }),
      ahead_bytes_(ahead_bytes) {
  for (int party = 0; party < mesh.parties(); ++party) seeds_.emplace_back(mesh.channel(party), nonce, &workers);
}

void MeshDealer::begin(std::int64_t operation) {
  operation_ = operation;
  draws_ = 0;
}

void MeshDealer::wait(net::Transfer& transfer) {
  const net::Clock::time_point begin = net::Clock::now();
  transfer.wait();
  waited_.for_parties += net::Clock::now() - begin;
}

RingTensor MeshDealer::mask(Shape shape, int bits) {
  const StreamName name = next(Draw::kMask);
  RingTensor sum(shape, bits);
  seed(0).fill(name, sum);
  for (int party = 1; party < parties(); ++party) seed(party).add(name, sum);
  return sum;
}

BitTensor MeshDealer::mask_bits(Shape shape) {
  const StreamName name = next(Draw::kMask);
  BitTensor sum(shape);
  seed(0).fill(name, sum);
  for (int party = 1; party < parties(); ++party) seed(party).flip(name, sum);
  return sum;
}

Permutation MeshDealer::order(int owner, std::int64_t count) { return seed(owner).order(next(Draw::kOrder), count); }

void MeshDealer::deal(const WordRequest& request) {
  std::vector<RingTensor> values = dealt_words(request, {workers_, products_, own_noise_});
  const Correlation what = std::visit([](const auto& one) { return one.kind(); }, request);
  const int receiver = receiver_of(messages_, parties());
  std::int64_t total = 0;
  for (RingTensor& value : values) {
    const StreamName name = next(Draw::kDealt);
    for (int party = 0; party < parties(); ++party) {
      if (party != receiver) seed(party).subtract(name, value);
    }
    total += net::packed_bytes(value.size(), value.bits());
  }
  UninitialisedVector<std::byte> bytes = message(what, total);
  net::Bytes rest = net::Bytes(bytes).subspan(static_cast<std::size_t>(kDealtTagBytes));
  for (const RingTensor& value : values) {
    const auto size = static_cast<std::size_t>(net::packed_bytes(value.size(), value.bits()));
    pack({value.words(), value.bits()}, rest.first(size), workers_);
    rest = rest.subspan(size);
  }
  send(std::move(bytes));
}

void MeshDealer::deal(const BitRequest& request) {
  std::vector<BitTensor> values = dealt_bits(request, workers_);
  const Correlation what = std::visit([](const auto& one) { return one.kind(); }, request);
  const int receiver = receiver_of(messages_, parties());
  const StreamName name = next(Draw::kDealt);
  for (int party = 0; party < parties(); ++party) {
    if (party != receiver) seed(party).flip(name, values);
  }
  send(message(what, 0), std::move(values));
}

UninitialisedVector<std::byte> MeshDealer::message(Correlation what, std::int64_t bytes) const {
  UninitialisedVector<std::byte> made(static_cast<std::size_t>(kDealtTagBytes + bytes));
  const auto tag = DealtTag{operation_, static_cast<std::uint32_t>(messages_), what}.bytes();
  std::copy(tag.begin(), tag.end(), made.begin());
  return made;
}

std::int64_t MeshDealer::Sending::bytes() const {
  std::int64_t sum = std::ssize(message);
  for (const BitTensor& plane : planes) sum += static_cast<std::int64_t>(plane.words().size_bytes());
  return sum;
}

// Words of 64 bits need no packing, so the planes travel from where they are.
void MeshDealer::send(UninitialisedVector<std::byte> message, std::vector<BitTensor> planes) {
  const int receiver = receiver_of(messages_++, parties());
  Sending& sending = sending_.emplace_back();
  sending.message = std::move(message);
  sending.planes = std::move(planes);
  sending_bytes_ += sending.bytes();
  std::vector<net::ConstBytes> pieces{sending.message};
  if (const auto together = BitTensor::together(sending.planes); !together.empty()) {
    pieces.push_back(std::as_bytes(together));
  } else {
    for (const BitTensor& plane : sending.planes) pieces.push_back(std::as_bytes(plane.words()));
  }
  sending.transfer = mesh_.channel(receiver).send(net::kMainStream, pieces);
  while (!sending_.empty() && (sending_.front().transfer.done() || sending_bytes_ > ahead_bytes_)) {
    wait(sending_.front().transfer);
    sending_bytes_ -= sending_.front().bytes();
    sending_.pop_front();
  }
}

bool MeshDealer::decision() {
  std::byte outcome{};
  net::Transfer told = mesh_.channel(0).receive(net::kMainStream, std::span(&outcome, 1));
  wait(told);
  return decision_of(outcome, mesh_);
}

void MeshDealer::flush() {
  for (; !sending_.empty(); sending_.pop_front()) wait(sending_.front().transfer);
  sending_bytes_ = 0;
}

}  // namespace tacit::mpc
