#include "mpc/protocols/product.h"

#include <algorithm>

#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/matmul.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

Format product_format(Format x, Format y) {
  return {std::min(x.ring_bits, y.ring_bits), x.fraction_bits + y.fraction_bits};
}

Cost dealt(Shape shape, Format format) {
  const net::WordShape gamma = word_shape(shape, format.ring_bits);
  return dealing_cost(std::span(&gamma, 1));
}

// The same elements in rows, where a kernel needs them so.
RingTensor in_rows(RingView view, int bits) {
  RingTensor rows(view.shape, bits);
  for (std::int64_t r = 0; r < view.shape.rows; ++r) {
    for (std::int64_t c = 0; c < view.shape.cols; ++c)
      rows.data()[r * view.shape.cols + c] = view.at(r, c) & low_bits(bits);
  }
  return rows;
}

// As stored, or in rows if it is a transposed view.
class InRows {
 public:
  InRows(const RingTensor& stored, RingView view, bool transposed) : stored_(&stored) {
    if (!transposed) return;
    copy_ = in_rows(view, stored.bits());
    stored_ = &copy_;
  }
  InRows(const InRows&) = delete;
  InRows& operator=(const InRows&) = delete;
  operator const RingTensor&() const { return *stored_; }

 private:
  RingTensor copy_;
  const RingTensor* stored_;
};

}  // namespace

Cost product_cost(const Spec& x, const Spec& y, const CostSetting&) {
  return dealt(x.shape, product_format(x.format, y.format));
}

Share product(Party& party, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const InRows dx(Inside::stored_public(x), Inside::revealed(x), Inside::transposed(x));
  const InRows lx(Inside::stored_mask(x), Inside::mask(x), Inside::transposed(x));
  const InRows dy(Inside::stored_public(y), Inside::revealed(y), Inside::transposed(y));
  const InRows ly(Inside::stored_mask(y), Inside::mask(y), Inside::transposed(y));
  const RingTensor gamma =
      std::move(party.correlations()
                    .dealt({Correlation::kProduct, x.shape(), {format.ring_bits}, {Inside::mask(x), Inside::mask(y)}})
                    .front());
  RingTensor out(x.shape(), format.ring_bits);
  product({dx, lx, dy, ly, gamma, party.first()}, out, party.workers());
  return Inside::share(x.shape(), format, std::move(out));
}

Share product(Dealer& dealer, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const InRows lx(Inside::stored_mask(x), Inside::mask(x), Inside::transposed(x));
  const InRows ly(Inside::stored_mask(y), Inside::mask(y), Inside::transposed(y));
  std::vector<RingTensor> gamma;
  multiply(lx, ly, gamma.emplace_back(x.shape(), format.ring_bits), dealer.workers());
  dealer.deal(Correlation::kProduct, std::move(gamma));
  return Inside::nothing(x.shape(), format);
}

Share product(Clear& clear, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const InRows dx(Inside::stored_public(x), Inside::revealed(x), Inside::transposed(x));
  const InRows dy(Inside::stored_public(y), Inside::revealed(y), Inside::transposed(y));
  RingTensor out(x.shape(), format.ring_bits);
  multiply(dx, dy, out, clear.workers());
  return Inside::share(x.shape(), format, std::move(out));
}

Cost matmul_cost(const Spec& x, const Spec& y, const CostSetting&) {
  return dealt({x.shape.rows, y.shape.cols}, product_format(x.format, y.format));
}

Share matmul(Party& party, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const Shape shape{x.shape().rows, y.shape().cols};
  // [i = 0] Dy - ly_i, as y is stored
  RingTensor left(Inside::stored_public(y).shape(), format.ring_bits);
  if (party.first()) {
    subtract(Inside::stored_public(y), Inside::stored_mask(y), left, party.workers());
  } else {
    negate(Inside::stored_mask(y), left, party.workers());
  }
  RingTensor out =
      std::move(party.correlations()
                    .dealt({Correlation::kMatrixProduct, shape, {format.ring_bits}, {Inside::mask(x), Inside::mask(y)}})
                    .front());
  matmul(Inside::revealed(x), Inside::transposed(y) ? left.view().transposed() : left.view(), Into::kAdd, out,
         party.workers());
  matmul(Inside::mask(x), Inside::revealed(y), Into::kSubtract, out, party.workers());
  return Inside::share(shape, format, std::move(out));
}

Share matmul(Dealer& dealer, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const Shape shape{x.shape().rows, y.shape().cols};
  std::vector<RingTensor> gamma;
  matmul(Inside::mask(x), Inside::mask(y), Into::kSet, gamma.emplace_back(shape, format.ring_bits), dealer.workers());
  dealer.deal(Correlation::kMatrixProduct, std::move(gamma));
  return Inside::nothing(shape, format);
}

Share matmul(Clear& clear, const Masked& x, const Masked& y) {
  const Format format = product_format(x.format(), y.format());
  const Shape shape{x.shape().rows, y.shape().cols};
  RingTensor out(shape, format.ring_bits);
  matmul(Inside::revealed(x), Inside::revealed(y), Into::kSet, out, clear.workers());
  return Inside::share(shape, format, std::move(out));
}

}  // namespace tacit::mpc
