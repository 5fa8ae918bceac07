#include "mpc/dealt/mask_products.h"

#include <algorithm>
#include <deque>

#include "mpc/dealt/row_major_words.h"
#include "mpc/protocols/wrap.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const MaskProductsRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;
  std::deque<RowMajorWords> masks;
  for (const RingView& r : request.r) masks.emplace_back(r, workers);
  const auto r_of = [&](const MaskFactor& factor) { return masks[static_cast<std::size_t>(factor.of)].data(); };
  const auto k_of = [&](const MaskFactor& factor) { return request.k[static_cast<std::size_t>(factor.of)]; };
  std::vector<RingTensor> made;
  for (const MaskProduct& product : request.products) {
    const int bits = request.dealt_bits(product);
    if (bits <= 0) continue;
    std::uint64_t* const to = made.emplace_back(request.of, bits).data();
    const std::uint64_t ring = low_bits(bits);
    workers.for_ranges(request.of.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      if (product.is_mask()) {
        const MaskFactor& only = product.factors.front();
        const std::uint64_t* r = r_of(only);
        for (std::int64_t i = begin; i < end; ++i) to[i] = wrap_over(r[i], k_of(only), bits);
        return;
      }
      std::fill(to + begin, to + end, 1);
      for (const MaskFactor& factor : product.factors) {
        const std::uint64_t* r = r_of(factor);
        const int k = k_of(factor);
        for (std::int64_t i = begin; i < end; ++i) {
          for (int power = 0; power < factor.power; ++power) to[i] *= r[i] & low_bits(k);
          if (factor.sigma) to[i] *= wrap_sigma(r[i], k);
        }
      }
      for (std::int64_t i = begin; i < end; ++i) to[i] &= ring;
    });
  }
  return made;
}

}  // namespace tacit::mpc
