#include "mpc/dealt/lifted_product.h"

#include <optional>

#include "mpc/dealt/row_major_words.h"
#include "mpc/dealt/wrap.h"
#include "mpc/kernels/loops.h"

namespace tacit::mpc {

namespace {

// A column in the place of a matrix with equal columns.
bool repeats_a_column(RingView x) { return x.row_stride == 1 && x.col_stride == 0; }

}  // namespace

std::vector<RingTensor> dealt(const LiftedProductRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;
  const Shape shape = request.shape();
  const bool column = repeats_a_column(request.x);
  std::optional<RowMajorWords> rows_of_x;
  if (!column) rows_of_x.emplace(request.x, workers);
  const RowMajorWords y(request.y, workers);
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.emplace_back(shape, width);
  std::span<RingTensor> rest(made);
  if (request.with_wrap_of_x) {
    TACIT_CHECK(!column);
    make_wrap_terms(rows_of_x->data(), request.k, rest.first(2), workers);
    rest = rest.subspan(2);
  }
  make_wrap_terms(y.data(), request.l, rest.first(2), workers);
  rest = rest.subspan(2);
  const LiftedProductTerms terms{.rx = column ? request.x.words : rows_of_x->data(),
                                 .ry = y.data(),
                                 .x_bits = request.k,
                                 .y_bits = request.l,
                                 .each = column ? shape.cols : 1,
                                 .mask = low_bits(request.bits),
                                 .over_x = low_bits(request.bits - request.k),
                                 .over_y = low_bits(request.bits - request.l),
                                 .rho_rho = rest[0].data(),
                                 .rho_sigma = rest[1].data(),
                                 .sigma_rho = rest[2].data(),
                                 .sigma_sigma = request.has_both() ? rest[3].data() : nullptr};
  const auto loop = loops(best_instructions()).lifted_product_terms;
  workers.for_ranges(shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) { loop(terms, begin, end); });
  return made;
}

}  // namespace tacit::mpc
