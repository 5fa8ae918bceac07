#include "mpc/dealt/wrap.h"

#include "mpc/dealt/row_major_words.h"
#include "mpc/kernels/loops.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WrapRequest& request, Workers& workers) {
  const RowMajorWords r(request.r, workers);
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.emplace_back(request.shape(), width);
  make_wrap_terms(r.data(), request.k, made, workers);
  return made;
}

void make_wrap_terms(const std::uint64_t* r, int k, std::span<RingTensor> over_sigma, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;
  const WrapTerms terms{.r = r,
                        .bits = k,
                        .mask = low_bits(over_sigma[0].bits()),
                        .over = over_sigma[0].data(),
                        .sigma = over_sigma[1].data(),
                        .mu = nullptr,
                        .mu_over = nullptr,
                        .mu_sigma = nullptr};
  const auto loop = loops(best_instructions()).wrap_terms;
  workers.for_ranges(over_sigma[0].size(), kGrain,
                     [&](std::int64_t begin, std::int64_t end) { loop(terms, begin, end); });
}

}  // namespace tacit::mpc
