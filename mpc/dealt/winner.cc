#include "mpc/dealt/winner.h"

#include "mpc/protocols/winner_pattern.h"

namespace tacit::mpc {

std::vector<RingTensor> dealt(const WinnerRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 256;
  const RingView y = request.y;
  const std::int64_t columns = y.shape.cols;
  std::vector<RingTensor> made;
  for (const int width : request.widths()) made.push_back(RingTensor::zeros(request.shape(), width));
  std::uint64_t *which = made[0].data(), *times = made[1].data();
  workers.for_ranges(y.shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t row = i / columns, column = i % columns;
      const std::int64_t mus = pattern_of(*request.pairs, row, column, columns);
      const std::int64_t at = i * patterns_of(columns) + (winning_pattern(column, columns) ^ mus);
      which[at] = 1;
      times[at] = y.at(row, column) & low_bits(request.y_bits);
    }
  });
  return made;
}

}  // namespace tacit::mpc
