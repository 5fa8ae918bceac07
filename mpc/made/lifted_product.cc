#include "mpc/made/lifted_product.h"

#include "mpc/made/mask_products.h"

namespace tacit::mpc {

std::vector<SharedWords> made(Engine& engine, const LiftedProductRequest& request) {
  const int bits = request.bits, of_x = bits - request.k, of_y = bits - request.l;
  const MaskFactor rho_x{0, 1, false}, rho_y{1, 1, false}, sigma_x{0, 0, true}, sigma_y{1, 0, true};
  MaskProductsRequest products{{request.x, request.y}, {request.k, request.l}, request.shape(), {}};
  if (request.with_wrap_of_x) products.products = {{{rho_x}, bits}, {{sigma_x}, of_x}};
  const std::vector<MaskProduct> others{{{rho_y}, bits},          {{sigma_y}, of_y},
                                        {{rho_x, rho_y}, bits},   {{rho_x, sigma_y}, of_y},
                                        {{sigma_x, rho_y}, of_x}, {{sigma_x, sigma_y}, bits - request.k - request.l}};
  products.products.insert(products.products.end(), others.begin(), others.end());
  return made(engine, products);
}

}  // namespace tacit::mpc
