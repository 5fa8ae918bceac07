// The products of masks: element by element, summed over rows, of matrices.
#pragma once

#include "mpc/correlations/correlations.h"
#include "mpc/session/matrix_products.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const ProductRequest& request, Workers& workers);
std::vector<RingTensor> dealt(const RowProductRequest& request, Workers& workers);
// On a device, masks with an owner stay for later requests.
std::vector<RingTensor> dealt(const MatrixProductRequest& request, MatrixProducts& products);

}  // namespace tacit::mpc
