#include "mpc/session/local.h"

#include <algorithm>

#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/matmul.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

Format meeting(const Share& a, const Share& b) {
  TACIT_CHECK(a.fraction_bits() == b.fraction_bits());
  return {std::min(a.ring_bits(), b.ring_bits()), a.fraction_bits()};
}

// Makes a share with words that `fill` writes; a share without contents if `a` has no contents.
template <typename Fill>
Share made_of(const Share& a, Shape shape, Format format, const Fill& fill) {
  if (!Inside::held(a)) return Inside::nothing(shape, format);
  RingTensor out(shape, format.ring_bits);
  fill(out);
  return Inside::share(shape, format, std::move(out));
}

// Makes a share with element from(r, c) of `a`, in row-major order, as its element (r, c).
template <typename From>
Share picked(const Share& a, Shape shape, const From& from) {
  return made_of(a, shape, a.format(), [&](RingTensor& out) {
    const std::uint64_t* words = Inside::words(a).data();
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      for (std::int64_t c = 0; c < shape.cols; ++c) out.data()[r * shape.cols + c] = words[from(r, c)];
    }
  });
}

// Repeats each element of a column `cols` times; null at a rank without contents.
Held<RingTensor> repeated(const Held<RingTensor>& column, std::int64_t cols) {
  if (column == nullptr) return nullptr;
  if (Inside::is_identity(*column, {1, cols})) return Inside::identity();
  auto out = std::make_shared<RingTensor>(Shape{column->size(), cols}, column->bits());
  for (std::int64_t r = 0; r < column->size(); ++r) std::fill_n(out->data() + r * cols, cols, column->data()[r]);
  return out;
}

Held<RingTensor> multiplied(const PublicMatrix& m, const Held<RingTensor>& x, Workers& workers) {
  if (x == nullptr) return nullptr;
  if (Inside::is_identity(*x, m.shape())) return Inside::identity();
  auto out = std::make_shared<RingTensor>(x->shape(), x->bits());
  multiply(m.words(), *x, *out, workers);
  return out;
}

// The tensors next to each other, in a ring of `bits`; null at a rank without contents.
Held<RingTensor> beside_each_other(const std::vector<Held<RingTensor>>& tensors, int bits) {
  if (tensors.front() == nullptr) return nullptr;
  Shape shape{tensors.front()->shape().rows, 0};
  for (const Held<RingTensor>& one : tensors) shape.cols += one->shape().cols;
  auto out = std::make_shared<RingTensor>(shape, bits);
  std::int64_t begin = 0;
  for (const Held<RingTensor>& one : tensors) {
    const std::int64_t cols = one->shape().cols;
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      const std::uint64_t* from = one->data() + r * cols;
      std::uint64_t* to = out->data() + r * shape.cols + begin;
      for (std::int64_t c = 0; c < cols; ++c) to[c] = from[c] & low_bits(bits);
    }
    begin += cols;
  }
  return out;
}

}  // namespace

Share operator+(const Share& a, const Share& b) {
  Workers serial;
  return sum(a, b, serial);
}

Share operator-(const Share& a, const Share& b) {
  Workers serial;
  return difference(a, b, serial);
}

Share operator-(const Share& a) {
  Workers serial;
  return made_of(a, a.shape(), a.format(), [&](RingTensor& out) { negate(Inside::words(a), out, serial); });
}

Share sum(const Share& a, const Share& b, Workers& workers) {
  TACIT_CHECK(a.shape() == b.shape());
  return made_of(a, a.shape(), meeting(a, b),
                 [&](RingTensor& out) { add(Inside::words(a), Inside::words(b), out, workers); });
}

Share difference(const Share& a, const Share& b, Workers& workers) {
  return difference(a, b, meeting(a, b).ring_bits, workers);
}

Share difference(const Share& a, const Share& b, int ring_bits, Workers& workers) {
  TACIT_CHECK(a.shape() == b.shape());
  const Format format = meeting(a, b);
  TACIT_CHECK(ring_bits >= 1 && ring_bits <= format.ring_bits);
  return made_of(a, a.shape(), {ring_bits, format.fraction_bits},
                 [&](RingTensor& out) { subtract(Inside::words(a), Inside::words(b), out, workers); });
}

Share scale(const Share& a, std::int64_t factor, int fraction_bits) {
  Workers serial;
  return scale(a, factor, fraction_bits, serial);
}

Share scale(const Share& a, std::int64_t factor, int fraction_bits, Workers& workers) {
  const Format format{a.ring_bits(), a.fraction_bits() + fraction_bits};
  return made_of(a, a.shape(), format, [&](RingTensor& out) {
    mpc::scale(Inside::words(a), static_cast<std::uint64_t>(factor), out, workers);
  });
}

Share narrow(const Share& a, int ring_bits) {
  Workers serial;
  return narrow(a, ring_bits, serial);
}

Share narrow(const Share& a, int ring_bits, Workers& workers) {
  TACIT_CHECK(ring_bits >= 1 && ring_bits <= a.ring_bits());
  if (ring_bits == a.ring_bits()) return a;
  return made_of(a, a.shape(), {ring_bits, a.fraction_bits()},
                 [&](RingTensor& out) { reduce(Inside::words(a), out, workers); });
}

Share refine(const Share& a, int fraction_bits) {
  TACIT_CHECK(fraction_bits >= a.fraction_bits());
  const int more = fraction_bits - a.fraction_bits();
  return scale(a, std::int64_t{1} << more, more);
}

Share transposed(const Share& a) {
  const std::int64_t cols = a.shape().cols;
  return picked(a, a.shape().transposed(), [cols](std::int64_t r, std::int64_t c) { return c * cols + r; });
}

Share column_sums(const Share& a) {
  const Shape shape{1, a.shape().cols};
  return made_of(a, shape, a.format(), [&](RingTensor& out) {
    std::fill(out.words().begin(), out.words().end(), 0);
    const RingTensor& words = Inside::words(a);
    const std::uint64_t* row = words.data();
    for (std::int64_t r = 0; r < a.shape().rows; ++r, row += shape.cols) {
      for (std::int64_t c = 0; c < shape.cols; ++c) out.data()[c] += row[c];
    }
    for (std::uint64_t& word : out.words()) word &= low_bits(out.bits());
  });
}

Share row_sums(const Share& a) {
  const Shape shape{a.shape().rows, 1};
  return made_of(a, shape, a.format(), [&](RingTensor& out) {
    const RingTensor& words = Inside::words(a);
    const std::int64_t cols = a.shape().cols;
    for (std::int64_t r = 0; r < shape.rows; ++r) {
      std::uint64_t sum = 0;
      for (std::int64_t c = 0; c < cols; ++c) sum += words.data()[r * cols + c];
      out.data()[r] = sum & low_bits(out.bits());
    }
  });
}

Share repeat_rows(const Share& row, std::int64_t rows) {
  TACIT_CHECK(row.shape().rows == 1);
  return picked(row, {rows, row.shape().cols}, [](std::int64_t, std::int64_t c) { return c; });
}

Share repeat_cols(const Share& column, std::int64_t cols) {
  TACIT_CHECK(column.shape().cols == 1);
  return picked(column, {column.shape().rows, cols}, [](std::int64_t r, std::int64_t) { return r; });
}

Masked repeat_cols(const Masked& column, std::int64_t cols) {
  TACIT_CHECK(column.shape().cols == 1);
  return Inside::masked({column.shape().rows, cols}, column.format(), repeated(Inside::held_public(column), cols),
                        repeated(Inside::held_mask(column), cols));
}

Share columns(const Share& a, std::int64_t begin, std::int64_t end) {
  TACIT_CHECK(begin >= 0 && begin <= end && end <= a.shape().cols);
  const std::int64_t cols = a.shape().cols;
  return picked(a, {a.shape().rows, end - begin}, [=](std::int64_t r, std::int64_t c) { return r * cols + begin + c; });
}

Share rows(const Share& a, std::int64_t begin, std::int64_t end) {
  TACIT_CHECK(begin >= 0 && begin <= end && end <= a.shape().rows);
  const std::int64_t cols = a.shape().cols;
  return picked(a, {end - begin, cols}, [=](std::int64_t r, std::int64_t c) { return (begin + r) * cols + c; });
}

Share reshaped(const Share& a, Shape shape) {
  TACIT_CHECK(shape.size() == a.shape().size());
  return made_of(a, shape, a.format(), [&](RingTensor& out) {
    const RingTensor& words = Inside::words(a);
    std::copy(words.words().begin(), words.words().end(), out.words().begin());
  });
}

namespace {

Held<RingTensor> reshaped(const Held<RingTensor>& a, Shape shape) {
  if (a == nullptr) return nullptr;
  if (Inside::is_identity(*a, shape)) return Inside::identity();
  RingTensor out(shape, a->bits());
  std::copy(a->words().begin(), a->words().end(), out.words().begin());
  return std::make_shared<const RingTensor>(std::move(out));
}

}  // namespace

Masked reshaped(const Masked& a, Shape shape) {
  TACIT_CHECK(shape.size() == a.shape().size() && !Inside::transposed(a));
  if (shape == a.shape()) return a;
  return Inside::masked(shape, a.format(), reshaped(Inside::held_public(a), shape),
                        reshaped(Inside::held_mask(a), shape));
}

Share beside(std::span<const Share> shares) {
  TACIT_CHECK(!shares.empty());
  Share all = shares.front();
  for (const Share& share : shares.subspan(1)) all = beside(all, share);
  return all;
}

Share stacked(std::span<const Share> shares) {
  TACIT_CHECK(!shares.empty());
  Format format = shares.front().format();
  Shape shape{0, shares.front().shape().cols};
  for (const Share& one : shares) {
    TACIT_CHECK(one.shape().cols == shape.cols && one.fraction_bits() == format.fraction_bits);
    format.ring_bits = std::min(format.ring_bits, one.ring_bits());
    shape.rows += one.shape().rows;
  }
  return made_of(shares.front(), shape, format, [&](RingTensor& out) {
    std::uint64_t* to = out.data();
    for (const Share& one : shares) {
      for (const std::uint64_t word : Inside::words(one).words()) *to++ = word & low_bits(out.bits());
    }
  });
}

Masked beside(std::span<const Masked> masked) {
  TACIT_CHECK(!masked.empty());
  Format format = masked.front().format();
  Shape shape{masked.front().shape().rows, 0};
  std::vector<Held<RingTensor>> revealed, masks;
  for (const Masked& one : masked) {
    TACIT_CHECK(!Inside::transposed(one) && one.fraction_bits() == format.fraction_bits &&
                one.shape().rows == shape.rows);
    format.ring_bits = std::min(format.ring_bits, one.ring_bits());
    shape.cols += one.shape().cols;
    revealed.push_back(Inside::held_public(one));
    masks.push_back(Inside::held_mask(one));
  }
  return Inside::masked(shape, format, beside_each_other(revealed, format.ring_bits),
                        beside_each_other(masks, format.ring_bits));
}

Share beside(const Share& left, const Share& right) {
  TACIT_CHECK(left.shape().rows == right.shape().rows);
  const std::int64_t a = left.shape().cols, b = right.shape().cols;
  return made_of(left, {left.shape().rows, a + b}, meeting(left, right), [&](RingTensor& out) {
    const std::uint64_t ring = low_bits(out.bits());
    const std::uint64_t* l = Inside::words(left).data();
    const std::uint64_t* r = Inside::words(right).data();
    std::uint64_t* to = out.data();
    for (std::int64_t row = 0; row < out.shape().rows; ++row) {
      for (std::int64_t c = 0; c < a; ++c) *to++ = *l++ & ring;
      for (std::int64_t c = 0; c < b; ++c) *to++ = *r++ & ring;
    }
  });
}

Share matmul(const PublicMatrix& m, const Share& x, Workers& workers) {
  TACIT_CHECK(m.shape().cols == x.shape().rows);
  const Format format{x.ring_bits(), x.fraction_bits() + m.fraction_bits()};
  return made_of(x, {m.shape().rows, x.shape().cols}, format,
                 [&](RingTensor& out) { matmul(m.words().view(), Inside::words(x).view(), Into::kSet, out, workers); });
}

Share matmul(const Share& x, const PublicMatrix& m, Workers& workers) {
  TACIT_CHECK(x.shape().cols == m.shape().rows);
  const Format format{x.ring_bits(), x.fraction_bits() + m.fraction_bits()};
  return made_of(x, {x.shape().rows, m.shape().cols}, format,
                 [&](RingTensor& out) { matmul(Inside::words(x).view(), m.words().view(), Into::kSet, out, workers); });
}

Share product(const PublicMatrix& m, const Share& x, Workers& workers) {
  TACIT_CHECK(m.shape() == x.shape());
  const Format format{x.ring_bits(), x.fraction_bits() + m.fraction_bits()};
  return made_of(x, x.shape(), format, [&](RingTensor& out) { multiply(m.words(), Inside::words(x), out, workers); });
}

Masked product(const PublicMatrix& m, const Masked& x, Workers& workers) {
  TACIT_CHECK(m.shape() == x.shape() && !Inside::transposed(x));
  return Inside::masked(x.shape(), {x.ring_bits(), x.fraction_bits() + m.fraction_bits()},
                        multiplied(m, Inside::held_public(x), workers), multiplied(m, Inside::held_mask(x), workers));
}

Share matmul(const SparseMatrix& m, const Share& x, Workers& workers) {
  TACIT_CHECK(m.shape.cols == x.shape().rows);
  const Format format{x.ring_bits(), x.fraction_bits() + m.fraction_bits};
  return made_of(x, {m.shape.rows, x.shape().cols}, format,
                 [&](RingTensor& out) { matmul(m, Inside::words(x), out, workers); });
}

Share with_units(const Share& a, std::uint64_t units, Workers& workers) {
  return made_of(a, a.shape(), a.format(),
                 [&](RingTensor& out) { add_constant(Inside::words(a), units, out, workers); });
}

}  // namespace tacit::mpc
