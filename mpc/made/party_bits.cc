#include "mpc/made/party_bits.h"

#include "mpc/kernels/bit_slice.h"

namespace tacit::mpc {

namespace {

RingTensor in_one_row(RingView view) {
  RingTensor row({1, view.shape.size()}, kWordBits);
  std::uint64_t* to = row.data();
  for (std::int64_t r = 0; r < view.shape.rows; ++r) {
    for (std::int64_t c = 0; c < view.shape.cols; ++c) *to++ = view.at(r, c);
  }
  return row;
}

}  // namespace

std::vector<std::shared_ptr<const BitTensor>> planes_of(const RingTensor& words, int count, Workers& workers) {
  std::vector<BitTensor> planes = BitTensor::several(words.shape(), count);
  bit_planes(words, 0, planes, workers);
  std::vector<std::shared_ptr<const BitTensor>> out;
  for (BitTensor& plane : planes) out.push_back(std::make_shared<const BitTensor>(std::move(plane)));
  return out;
}

std::vector<std::vector<SharedBits>> bits_of_parties(Engine& engine, RingView own, int length) {
  std::vector<std::shared_ptr<const BitTensor>> planes(static_cast<std::size_t>(length));
  if (!engine.planned()) planes = planes_of(in_one_row(own), length, engine.workers());
  std::vector<std::vector<SharedBits>> bits;
  for (const std::shared_ptr<const BitTensor>& plane : planes) {
    std::vector<SharedBits>& of_parties = bits.emplace_back();
    for (int party = 0; party < engine.parties(); ++party) {
      of_parties.push_back({own.shape.size(), only(party, engine.parties()), party == engine.rank() ? plane : nullptr});
    }
  }
  return bits;
}

}  // namespace tacit::mpc
