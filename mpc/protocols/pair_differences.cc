#include "mpc/protocols/pair_differences.h"

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

// Null at a rank without contents.
Held<RingTensor> differences(const Held<RingTensor>& of, std::uint64_t offset) {
  if (of == nullptr) return nullptr;
  const Shape shape = of->shape();
  auto out = std::make_shared<RingTensor>(Shape{shape.rows, pairs_of(shape.cols)}, of->bits());
  std::uint64_t* to = out->data();
  for (std::int64_t r = 0; r < shape.rows; ++r) {
    const std::uint64_t* row = of->data() + r * shape.cols;
    for (std::int64_t a = 0; a < shape.cols; ++a) {
      for (std::int64_t b = a + 1; b < shape.cols; ++b) *to++ = (row[a] - row[b] + offset) & low_bits(of->bits());
    }
  }
  return out;
}

Held<RingTensor> from(const Held<RingTensor>& of, std::int64_t begin, std::int64_t end, std::uint64_t offset) {
  if (of == nullptr) return nullptr;
  const std::int64_t nodes = of->shape().rows;
  if (nodes == 0) return std::make_shared<const RingTensor>();  // a planning session's mask has no words
  auto out = std::make_shared<RingTensor>(Shape{end - begin, nodes - begin}, of->bits());
  std::uint64_t* to = out->data();
  for (std::int64_t a = begin; a < end; ++a) {
    const std::uint64_t first = of->data()[a] + offset;
    for (std::int64_t b = begin; b < nodes; ++b) *to++ = (first - of->data()[b]) & low_bits(of->bits());
  }
  return out;
}

}  // namespace

Shown pair_differences(const Shown& shown) {
  return Inside::shown({shown.shape().rows, pairs_of(shown.shape().cols)}, shown.format(),
                       differences(Inside::held_public(shown), shown_offset(shown.ring_bits())),
                       differences(Inside::held_mask(shown), 0));
}

Shown differences_from(const Shown& column, std::int64_t begin, std::int64_t end) {
  const auto [rows, cols] = column.shape();
  TACIT_CHECK(cols == 1 && 0 <= begin && begin < end && end <= rows);
  return Inside::shown({end - begin, rows - begin}, column.format(),
                       from(Inside::held_public(column), begin, end, shown_offset(column.ring_bits())),
                       from(Inside::held_mask(column), begin, end, 0));
}

}  // namespace tacit::mpc
