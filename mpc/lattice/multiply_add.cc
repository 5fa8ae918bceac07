#include "mpc/lattice/multiply_add.h"

#include <array>

namespace tacit::mpc::lattice {

namespace {

template <std::size_t kCount>
void add(std::span<const LimbProduct> products, Wide* a, Wide* b) {
  std::array<LimbProduct, kCount> each;
  std::copy_n(products.begin(), kCount, each.begin());
  for (std::int64_t i = 0; i < kDegree; ++i) {
    Wide sum_a = a[i], sum_b = b[i];
    for (const LimbProduct& one : each) {
      sum_a += product(one.a[i], one.multiplier[i]);
      sum_b += product(one.b[i], one.multiplier[i]);
    }
    a[i] = sum_a;
    b[i] = sum_b;
  }
}

}  // namespace

void multiply_add(std::span<const LimbProduct> products, Wide* a, Wide* b) {
  switch (products.size()) {
    case 1:
      return add<1>(products, a, b);
    case 2:
      return add<2>(products, a, b);
    case 3:
      return add<3>(products, a, b);
    case 4:
      return add<4>(products, a, b);
    default:
      TACIT_CHECK(products.empty());
  }
}

}  // namespace tacit::mpc::lattice
