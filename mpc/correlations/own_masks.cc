#include "mpc/correlations/own_masks.h"

namespace tacit::mpc {

RingTensor OwnMasks::mask(Shape shape, int bits) {
  RingTensor words(shape, bits);
  own_.fill(next(Draw::kMask), words);
  return words;
}

RingTensor OwnMasks::add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                              RingTensor& sum) {
  RingTensor words(request.shape, request.bits);
  own_.fill_and_add(next(Draw::kMask), words, x, constant, sum);
  return words;
}

BitTensor OwnMasks::mask_bits(Shape shape) {
  BitTensor bits(shape);
  own_.fill(next(Draw::kMask), bits);
  return bits;
}

Permutation OwnMasks::order(int owner, std::int64_t count) {
  const StreamName name = next(Draw::kOrder);
  return owner == rank_ ? own_.order(name, count) : Permutation();
}

}  // namespace tacit::mpc
