#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

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
