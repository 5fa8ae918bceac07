#include "mpc/dealt/products.h"

#include <algorithm>

#include "mpc/dealt/row_major_words.h"
#include "mpc/kernels/loops.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const ProductRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 1 << 14;  // products
  const RowMajorWords x(request.x, workers), y(request.y, workers);
  std::vector<RingTensor> made;
  RingTensor& out = made.emplace_back(request.shape(), request.bits);
  const auto loop = loops(best_instructions()).multiply;
  workers.for_ranges(out.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    loop(x.data() + begin, y.data() + begin, out.data() + begin, end - begin, low_bits(out.bits()));
  });
  return made;
}

std::vector<RingTensor> dealt(const RowProductRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 4096;  // products
  const RingView x = request.x, y = request.y;
  const std::int64_t cols = x.shape.cols;
  std::vector<RingTensor> made;
  std::uint64_t* const out = made.emplace_back(request.shape(), request.bits).data();
  const std::uint64_t ring = low_bits(request.bits);
  workers.for_ranges(x.shape.rows, 1 + kGrain / std::max<std::int64_t>(cols, 1),
                     [=](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t row = begin; row < end; ++row) {
                         std::uint64_t sum = 0;
                         for (std::int64_t col = 0; col < cols; ++col) sum += x.at(row, col) * y.at(row, col);
                         out[row] = sum & ring;
                       }
                     });
  return made;
}

std::vector<RingTensor> dealt(const MatrixProductRequest& request, MatrixProducts& products) {
  const MatrixProducts::Term term{{request.x, request.owner_of_x}, {request.y, request.owner_of_y}, Into::kSet};
  std::vector<RingTensor> made;
  products.multiply({&term, 1}, made.emplace_back(request.shape(), request.bits));
  return made;
}

}  // namespace tacit::mpc
