#include "mpc/dealt/selection.h"

#include <utility>

#include "mpc/dealt/row_major_words.h"
#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/loops.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WideningRequest& request, Workers& workers) {
  std::vector<RingTensor> made;
  widen(*request.mu, made.emplace_back(request.shape(), request.bits), workers);
  return made;
}

std::vector<RingTensor> dealt(const SelectionRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;
  const Shape shape = request.shape();
  const RowMajorWords rows(request.r, workers);
  RingTensor mu(shape, request.bits);
  widen(*request.mu, mu, workers);
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.emplace_back(shape, width);
  const std::uint64_t* r = rows.data();
  std::uint64_t* mu_r = made[0].data();
  const Loops& wide = loops(best_instructions());
  workers.for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    wide.multiply(r + begin, mu.data() + begin, mu_r + begin, end - begin, low_bits(request.bits));
  });
  if (request.bits > request.k) {
    RingTensor* const terms = &made[request.with_mu ? 2 : 1];
    const WrapTerms words{.r = r,
                          .bits = request.k,
                          .mask = low_bits(request.bits - request.k),
                          .over = terms[0].data(),
                          .sigma = terms[1].data(),
                          .mu = mu.data(),
                          .mu_over = terms[2].data(),
                          .mu_sigma = terms[3].data()};
    workers.for_ranges(shape.size(), kGrain,
                       [&](std::int64_t begin, std::int64_t end) { wide.wrap_terms(words, begin, end); });
  }
  if (request.with_mu) made[1] = std::move(mu);
  return made;
}

}  // namespace tacit::mpc
