#include "mpc/protocols/row_product.h"

#include <algorithm>

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kGrain = 4096;  // products

class RowProduct final : public OperationOf<Share> {
 public:
  RowProduct(const Masked& x, const Masked& y) : x_(x), y_(y) {}
  std::string_view name() const override { return "row product"; }
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override;

 private:
  Shape shape() const { return {x_.shape().rows, 1}; }
  Format format() const { return {std::min(x_.ring_bits(), y_.ring_bits()), x_.fraction_bits() + y_.fraction_bits()}; }
  RowProductRequest request() const {  // with this rank's masks
    return {Inside::mask(x_), Inside::mask(y_), format().ring_bits};
  }
  std::int64_t grain() const { return 1 + kGrain / std::max<std::int64_t>(1, x_.shape().cols); }
  // Adds term(row, column), summed over the columns, to each row.
  template <typename Term>
  void add_sums(RingTensor& to, Workers& workers, const Term& term) const;

  const Masked& x_;
  const Masked& y_;
};

Cost RowProduct::cost(const CostSetting& setting) const {
  const RingView mask = without_contents(x_.shape());
  return correlation_cost(RowProductRequest{mask, mask, format().ring_bits}, setting);
}

template <typename Term>
void RowProduct::add_sums(RingTensor& to, Workers& workers, const Term& term) const {
  const std::uint64_t ring = low_bits(to.bits());
  const std::int64_t cols = x_.shape().cols;
  std::uint64_t* out = to.data();
  workers.for_ranges(to.size(), grain(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      std::uint64_t sum = out[row];
      for (std::int64_t col = 0; col < cols; ++col) sum += term(row, col);
      out[row] = sum & ring;
    }
  });
}

Share RowProduct::at(Party& party) {
  const RingView dx = Inside::revealed(x_), lx = Inside::mask(x_), dy = Inside::revealed(y_), ly = Inside::mask(y_);
  RingTensor out = std::move(party.correlations().words(request()).front());
  const std::uint64_t pub = party.first() ? ~std::uint64_t{0} : 0;
  add_sums(out, party.workers(), [=](std::int64_t row, std::int64_t col) {
    const std::uint64_t y = dy.at(row, col);
    return dx.at(row, col) * ((y & pub) - ly.at(row, col)) - lx.at(row, col) * y;
  });
  return Inside::share(shape(), format(), std::move(out));
}

Share RowProduct::at(Dealer& dealer) {
  dealer.deal(request());
  return Inside::nothing(shape(), format());
}

Share RowProduct::at(Clear& clear) {
  const RingView x = Inside::revealed(x_), y = Inside::revealed(y_);
  RingTensor out = RingTensor::zeros(shape(), format().ring_bits);
  add_sums(out, clear.workers(), [=](std::int64_t row, std::int64_t col) { return x.at(row, col) * y.at(row, col); });
  return Inside::share(shape(), format(), std::move(out));
}

Share RowProduct::at(Planner& planner) {
  constexpr std::int64_t kProducts = 2;  // Delta times a share of lambda, on either side
  planner.work().multiplications += kProducts * x_.shape().size();
  return planner.made(shape(), format());
}

}  // namespace

Share row_product(Session& session, const Masked& x, const Masked& y) {
  TACIT_CHECK(x.shape() == y.shape());
  return session.run(RowProduct(x, y));
}

}  // namespace tacit::mpc
