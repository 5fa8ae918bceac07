#include "mpc/dealt/look_up.h"

#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

namespace {

std::uint64_t word_of(const RingView& view, std::int64_t i) {
  return view.at(i / view.shape.cols, i % view.shape.cols);
}

}  // namespace

std::vector<RingTensor> dealt(const LookUpRequest& request, Workers& workers) {
  constexpr std::int64_t kGrain = 256;
  const std::vector<int> widths = request.widths();
  std::vector<RingTensor> made;
  for (const int width : widths) made.emplace_back(request.shape(), width);
  const std::uint64_t domain = low_bits(request.table->domain().ring_bits);
  workers.for_ranges(request.lambda.shape.size(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::uint64_t> entries(static_cast<std::size_t>(request.entries));
    for (std::int64_t i = begin; i < end; ++i) {
      request.table->entries(word_of(request.lambda, i) & domain, entries);
      for (std::size_t f = 0; f < made.size(); ++f) {
        const std::uint64_t times = f == 0 ? 1 : word_of(request.factors[f - 1], i);
        std::uint64_t* to = made[f].data() + i * request.entries;
        for (std::size_t e = 0; e < entries.size(); ++e) to[e] = (times * entries[e]) & low_bits(widths[f]);
      }
    }
  });
  return made;
}

}  // namespace tacit::mpc
