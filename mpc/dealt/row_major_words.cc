#include "mpc/dealt/row_major_words.h"

#include <algorithm>

namespace tacit::mpc {

RowMajorWords::RowMajorWords(RingView view, Workers& workers) : view_(view) {
  constexpr std::int64_t kGrain = 1 << 14;  // words
  if (view.row_major()) return;
  const std::int64_t cols = view.shape.cols;
  copy_ = RingTensor(view.shape, kWordBits);
  std::uint64_t* const to = copy_.data();
  workers.for_ranges(view.shape.rows, 1 + kGrain / std::max<std::int64_t>(cols, 1),
                     [=](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t row = begin; row < end; ++row) {
                         for (std::int64_t col = 0; col < cols; ++col) to[row * cols + col] = view.at(row, col);
                       }
                     });
  view_ = copy_.view();
}

}  // namespace tacit::mpc
