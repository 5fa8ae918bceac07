#include "mpc/dealt/lifted_multiple.h"

#include "mpc/dealt/row_major_words.h"
#include "mpc/protocols/lifted_multiple.h"
#include "mpc/protocols/wrap.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const LiftedMultipleRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;
  const RowMajorWords words(request.r, workers);
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.emplace_back(request.shape(), width);
  const PublicFactor factor{request.mantissa, request.shift};
  const int k = request.k;
  const std::uint64_t *r = words.data(), ring = low_bits(request.bits);
  std::uint64_t *multiple = made[0].data(), *sigma = made[1].data();
  workers.for_ranges(request.shape().size(), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      multiple[i] = rounded_multiple(r[i] & low_bits(k), 0, factor) & ring;
      sigma[i] = wrap_sigma(r[i], k);
    }
  });
  return made;
}

}  // namespace tacit::mpc
