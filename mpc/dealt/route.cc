#include "mpc/dealt/route.h"

#include "mpc/dealt/row_major_words.h"
#include "mpc/kernels/row_moves.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const RouteRequest& request, Workers& workers) {
  const RowMajorWords lambda(request.lambda, workers);
  const RowNumbers order = request.order == nullptr ? RowNumbers() : RowNumbers(*request.order);
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.emplace_back(request.shape(), width);
  place_rows(lambda.view(), order, made.front(), workers);
  if (request.with_kappa) scale_rows(made.front(), request.kappa, made.back(), workers);
  return made;
}

}  // namespace tacit::mpc
