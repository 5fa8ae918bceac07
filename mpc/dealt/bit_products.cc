#include "mpc/dealt/bit_products.h"

#include <algorithm>

#include "mpc/dealt/row_major_words.h"
#include "mpc/kernels/bit_slice.h"
#include "mpc/protocols/subset_products.h"

namespace tacit::mpc {

std::vector<BitTensor> dealt(const GroupProductsRequest& request, Workers& workers) {
  const RowMajorWords words(request.r, workers);
  std::vector<BitTensor> r = BitTensor::several(request.shape(), request.hi - request.low);
  bit_planes(words.view(), request.low, r, workers);
  std::vector<BitTensor> products = BitTensor::several(request.shape(), request.count);
  std::size_t bit = 0;
  std::span<BitTensor> rest(products);
  for (const int group : request.groups) {
    const auto size = static_cast<std::size_t>(group), sets = static_cast<std::size_t>(group_products(group));
    make_group_products(BitPlanes(r).subspan(bit, size), rest.first(sets), workers);
    rest = rest.subspan(sets);
    bit += size;
  }
  TACIT_CHECK(rest.size() == 1 && bit + 1 == r.size());
  std::ranges::copy(r.back().words(), rest.front().words().begin());
  return products;
}

std::vector<BitTensor> dealt(const CarryProductsRequest& request, Workers& workers) {
  std::vector<BitTensor> products = BitTensor::several(request.shape(), request.count);
  make_carry_products(request.generate, request.propagate, products, workers);
  return products;
}

}  // namespace tacit::mpc
