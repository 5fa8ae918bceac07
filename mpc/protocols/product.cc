#include "mpc/protocols/product.h"

#include <algorithm>
#include <array>

#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/matmul.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

using Term = MatrixProducts::Term;

Format product_format(Format x, Format y) {
  return {std::min(x.ring_bits, y.ring_bits), x.fraction_bits + y.fraction_bits};
}

// Copies the elements into row-major order for a kernel.
RingTensor in_rows(RingView view, int bits) {
  RingTensor rows(view.shape, bits);
  for (std::int64_t r = 0; r < view.shape.rows; ++r) {
    for (std::int64_t c = 0; c < view.shape.cols; ++c)
      rows.data()[r * view.shape.cols + c] = view.at(r, c) & low_bits(bits);
  }
  return rows;
}

// The stored tensor, or a row-major copy if the view is transposed.
class InRows {
 public:
  InRows(const Held<RingTensor>& stored, RingView view, bool transposed)
      : stored_(transposed ? std::make_shared<const RingTensor>(in_rows(view, stored->bits())) : stored) {}
  InRows(const InRows&) = delete;
  InRows& operator=(const InRows&) = delete;
  operator const RingTensor&() const { return *stored_; }

 private:
  Held<RingTensor> stored_;
};

class Product final : public OperationOf<Share> {
 public:
  Product(const Masked& x, const Masked& y) : x_(x), y_(y) {}
  std::string_view name() const override { return "product"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(x_.shape(), product_format(x_.format(), y_.format())); }

 private:
  ProductRequest request() const {  // with this rank's masks
    return {Inside::mask(x_), Inside::mask(y_), product_format(x_.format(), y_.format()).ring_bits};
  }

  const Masked& x_;
  const Masked& y_;
};

Cost Product::cost(const CostSetting& setting) const {
  const RingView mask = without_contents(x_.shape());
  return correlation_cost(ProductRequest{mask, mask, product_format(x_.format(), y_.format()).ring_bits}, setting);
}

Share Product::at(Party& party) {
  const Format format = product_format(x_.format(), y_.format());
  const InRows dx(Inside::held_public(x_), Inside::revealed(x_), Inside::transposed(x_));
  const InRows lx(Inside::held_mask(x_), Inside::mask(x_), Inside::transposed(x_));
  const InRows dy(Inside::held_public(y_), Inside::revealed(y_), Inside::transposed(y_));
  const InRows ly(Inside::held_mask(y_), Inside::mask(y_), Inside::transposed(y_));
  const RingTensor gamma = std::move(party.correlations().words(request()).front());
  RingTensor out(x_.shape(), format.ring_bits);
  product({dx, lx, dy, ly, gamma, party.first()}, out, party.workers());
  return Inside::share(x_.shape(), format, std::move(out));
}

Share Product::at(Dealer& dealer) {
  dealer.deal(request());
  return Inside::nothing(x_.shape(), product_format(x_.format(), y_.format()));
}

Share Product::at(Clear& clear) {
  const Format format = product_format(x_.format(), y_.format());
  const InRows dx(Inside::held_public(x_), Inside::revealed(x_), Inside::transposed(x_));
  const InRows dy(Inside::held_public(y_), Inside::revealed(y_), Inside::transposed(y_));
  RingTensor out(x_.shape(), format.ring_bits);
  multiply(dx, dy, out, clear.workers());
  return Inside::share(x_.shape(), format, std::move(out));
}

}  // namespace

Cost MatrixProduct::cost(const CostSetting& setting) const {
  const int bits = product_format(x_.format(), y_.format()).ring_bits;
  return correlation_cost(
      MatrixProductRequest{without_contents(x_.shape()), without_contents(y_.shape()), bits, Inside::owner_of_mask(x_),
                           Inside::owner_of_mask(y_), Inside::rows_of_owner(x_), Inside::rows_of_owner(y_)},
      setting);
}

MatrixProductRequest MatrixProduct::request() const {
  return {Inside::mask(x_),          Inside::mask(y_),          product_format(x_.format(), y_.format()).ring_bits,
          Inside::owner_of_mask(x_), Inside::owner_of_mask(y_), Inside::rows_of_owner(x_),
          Inside::rows_of_owner(y_)};
}

Share MatrixProduct::at(Party& party) {
  const Format format = product_format(x_.format(), y_.format());
  const Shape shape{x_.shape().rows, y_.shape().cols};
  // [i = 0] Dy - ly_i, in the storage order of y_
  const Held<RingTensor> mask = Inside::held_mask(y_);
  RingTensor left(mask->shape(), format.ring_bits);
  if (party.first()) {
    subtract(*Inside::held_public(y_), *mask, left, party.workers());
  } else {
    negate(*mask, left, party.workers());
  }
  RingTensor out = std::move(party.correlations().words(request()).front());
  const std::array terms{Term{{Inside::revealed(x_), Inside::owner_of_public(x_)},
                              {Inside::transposed(y_) ? left.view().transposed() : left.view()},
                              Into::kAdd},
                         Term{{Inside::mask(x_), Inside::owner_of_mask(x_)},
                              {Inside::revealed(y_), Inside::owner_of_public(y_)},
                              Into::kSubtract}};
  party.products().multiply(terms, out);
  return Inside::share(shape, format, std::move(out));
}

Share MatrixProduct::at(Dealer& dealer) {
  dealer.deal(request());
  return Inside::nothing({x_.shape().rows, y_.shape().cols}, product_format(x_.format(), y_.format()));
}

Share MatrixProduct::at(Clear& clear) {
  const Format format = product_format(x_.format(), y_.format());
  const Shape shape{x_.shape().rows, y_.shape().cols};
  RingTensor out(shape, format.ring_bits);
  matmul(Inside::revealed(x_), Inside::revealed(y_), Into::kSet, out, clear.workers());
  return Inside::share(shape, format, std::move(out));
}

Share MatrixProduct::at(Planner& planner) {
  constexpr std::int64_t kProducts = 2;  // Delta times a share of lambda, on either side
  const Shape shape{x_.shape().rows, y_.shape().cols};
  planner.work().multiplications += kProducts * x_.shape().size() * shape.cols;
  return planner.made(shape, product_format(x_.format(), y_.format()));
}

Share product(Session& session, const Masked& x, const Masked& y) {
  TACIT_CHECK(x.shape() == y.shape());
  return session.run(Product(x, y));
}

Share matmul(Session& session, const Masked& x, const Masked& y) {
  TACIT_CHECK(x.shape().cols == y.shape().rows);
  return session.run(MatrixProduct(x, y));
}

}  // namespace tacit::mpc
