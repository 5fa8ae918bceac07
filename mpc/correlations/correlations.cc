#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

RingTensor Correlations::add_mask(const MaskRequest& request, const RingTensor& x, std::uint64_t constant,
                                  RingTensor& sum) {
  RingTensor mask = this->mask(request);
  TACIT_CHECK(x.shape() == mask.shape() && sum.shape() == mask.shape());
  const std::uint64_t ring = low_bits(sum.bits());
  for (std::int64_t i = 0; i < sum.size(); ++i) sum.data()[i] = (x.data()[i] + constant + mask.data()[i]) & ring;
  return mask;
}

std::vector<int> LiftedProductRequest::widths() const {
  const int of_x = bits - k, of_y = bits - l;
  std::vector<int> all{of_x, of_x, of_y, of_y, bits, of_y, of_x};
  if (has_both()) all.push_back(bits - k - l);
  if (!with_wrap_of_x) all.erase(all.begin(), all.begin() + 2);
  return all;
}

std::vector<int> MaskProductsRequest::widths() const {
  std::vector<int> all;
  for (const MaskProduct& product : products) {
    if (dealt_bits(product) > 0) all.push_back(dealt_bits(product));
  }
  return all;
}

std::vector<int> SelectionRequest::widths() const {
  std::vector<int> all{bits};
  if (with_mu) all.push_back(bits);
  constexpr std::size_t kTerms = 4;
  if (bits > k) all.insert(all.end(), kTerms, bits - k);
  return all;
}

std::vector<int> LookUpRequest::widths() const {
  std::vector<int> all{bits};
  all.insert(all.end(), factor_bits.begin(), factor_bits.end());
  return all;
}

}  // namespace tacit::mpc
