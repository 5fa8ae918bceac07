#include "mpc/protocols/lifted_product.h"

#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr std::int64_t kLiftedProductGrain = 4096;

class LiftedProduct final : public OperationOf<Share> {
 public:
  LiftedProduct(const Shown& x, const Shown& y, int ring_bits) : x_(x), y_(y), ring_bits_(ring_bits) {}
  std::string_view name() const override { return "lifted product"; }
  Cost cost(const CostSetting&) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(shape(), format()); }

 private:
  bool is_column() const { return x_.shape() != y_.shape(); }  // x, for all columns of y
  Shape shape() const { return y_.shape(); }
  int more_than_x() const { return ring_bits_ - x_.ring_bits(); }
  LiftedProductRequest request() const { return {{}, {}, x_.ring_bits(), y_.ring_bits(), ring_bits_, !is_column()}; }
  Format format() const { return {ring_bits_, x_.fraction_bits() + y_.fraction_bits()}; }

  const Shown& x_;
  const Shown& y_;
  const int ring_bits_;
};

Cost LiftedProduct::cost(const CostSetting&) const {
  std::vector<net::WordShape> dealt;
  for (const int width : request().widths()) dealt.push_back(word_shape(shape(), width));
  Cost cost = dealing_cost(dealt);
  if (is_column()) cost += dealing_cost(std::vector(2, word_shape(x_.shape(), more_than_x())));
  return cost;
}

Share LiftedProduct::at(Party& party) {
  const int k = x_.ring_bits(), l = y_.ring_bits();
  LiftedProductRequest of = request();
  of.x = Inside::mask(x_).view();
  of.y = Inside::mask(y_).view();
  std::vector<RingTensor> dealt;
  if (is_column()) {
    dealt = party.correlations().words(WrapRequest{of.x, k, more_than_x()});
    of.x = {of.x.words, shape(), 1, 0};
  }
  for (RingTensor& one : party.correlations().words(of)) dealt.push_back(std::move(one));
  const std::uint64_t *mx = Inside::revealed(x_).data(), *rx = Inside::mask(x_).data();
  const std::uint64_t *my = Inside::revealed(y_).data(), *ry = Inside::mask(y_).data();
  const std::uint64_t *over_x = dealt[0].data(), *sigma_x = dealt[1].data();
  const std::uint64_t *over_y = dealt[2].data(), *sigma_y = dealt[3].data();
  const std::uint64_t *rho_rho = dealt[4].data(), *rho_sigma = dealt[5].data(), *sigma_rho = dealt[6].data();
  const std::uint64_t* sigma_sigma = of.has_both() ? dealt[7].data() : nullptr;
  const std::uint64_t ring = low_bits(ring_bits_);
  const std::uint64_t pub = party.first() ? ~std::uint64_t{0} : 0;
  const std::int64_t each = is_column() ? shape().cols : 1;  // elements of y for one of x
  RingTensor out(shape(), ring_bits_);
  std::uint64_t* to = out.data();
  party.workers().for_ranges(out.size(), kLiftedProductGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t j = each == 1 ? i : i / each;
      const std::uint64_t cx = mx[j] - shown_offset(k), cy = my[i] - shown_offset(l);
      const std::uint64_t x = wrap_of(over_x[j], sigma_x[j], mx[j], k) - rx[j];
      const std::uint64_t y = wrap_of(over_y[i], sigma_y[i], my[i], l) - ry[i];
      const std::uint64_t nx = wraps(mx[j], k), ny = wraps(my[i], l);
      std::uint64_t both = rho_rho[i] - ((rho_sigma[i] & ny) << l) - ((sigma_rho[i] & nx) << k);
      if (sigma_sigma != nullptr) both += (sigma_sigma[i] & nx & ny) << (k + l);
      to[i] = (((cx * cy) & pub) + cx * y + cy * x + both) & ring;
    }
  });
  return Inside::share(shape(), format(), std::move(out));
}

Share LiftedProduct::at(Dealer& dealer) {
  const int k = x_.ring_bits(), l = y_.ring_bits();
  const int of_x = ring_bits_ - k, of_y = ring_bits_ - l;
  std::vector<RingTensor> wrap_of_x(2, RingTensor(x_.shape(), of_x));
  const std::uint64_t *rx = Inside::mask(x_).data(), *ry = Inside::mask(y_).data();
  std::uint64_t *over_x = wrap_of_x[0].data(), *sigmas_x = wrap_of_x[1].data();
  dealer.workers().for_ranges(x_.shape().size(), kLiftedProductGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      over_x[i] = wrap_over(rx[i], k, of_x);
      sigmas_x[i] = wrap_sigma(rx[i], k);
    }
  });
  std::vector<RingTensor> dealt;
  if (is_column()) {
    dealer.deal(Correlation::kWrap, std::move(wrap_of_x));
  } else {
    dealt = std::move(wrap_of_x);
  }
  std::vector<std::uint64_t*> to;  // beginning with the terms of y
  const std::vector<int> widths = request().widths();
  const std::size_t known = dealt.size();
  for (std::size_t i = known; i < widths.size(); ++i) dealt.emplace_back(shape(), widths[i]);
  for (std::size_t i = known; i < dealt.size(); ++i) to.push_back(dealt[i].data());
  const std::uint64_t ring = low_bits(ring_bits_);
  const std::int64_t each = is_column() ? shape().cols : 1;
  dealer.workers().for_ranges(shape().size(), kLiftedProductGrain, [=, &to](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t j = each == 1 ? i : i / each;
      const std::uint64_t rho_x = rx[j] & low_bits(k), rho_y = ry[i] & low_bits(l);
      const std::uint64_t sigma_x = wrap_sigma(rx[j], k), sigma_y = wrap_sigma(ry[i], l);
      to[0][i] = wrap_over(ry[i], l, of_y);
      to[1][i] = sigma_y;
      to[2][i] = (rho_x * rho_y) & ring;
      to[3][i] = (rho_x * sigma_y) & low_bits(of_y);
      to[4][i] = (sigma_x * rho_y) & low_bits(of_x);
      if (to.size() > 5) to[5][i] = sigma_x & sigma_y;
    }
  });
  dealer.deal(Correlation::kLiftedProduct, std::move(dealt));
  return Inside::nothing(shape(), format());
}

Share LiftedProduct::at(Clear& clear) {
  const int k = x_.ring_bits(), l = y_.ring_bits();
  const std::uint64_t *mx = Inside::revealed(x_).data(), *my = Inside::revealed(y_).data();
  const std::uint64_t ring = low_bits(ring_bits_);
  const std::int64_t each = is_column() ? shape().cols : 1;
  RingTensor out(shape(), ring_bits_);
  std::uint64_t* to = out.data();
  clear.workers().for_ranges(out.size(), kLiftedProductGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto x = static_cast<std::uint64_t>(signed_value(mx[i / each] - shown_offset(k), k));
      const auto y = static_cast<std::uint64_t>(signed_value(my[i] - shown_offset(l), l));
      to[i] = (x * y) & ring;
    }
  });
  return Inside::share(shape(), format(), std::move(out));
}

}  // namespace

Share lifted_product(Session& session, const Shown& x, const Shown& y, int ring_bits) {
  TACIT_CHECK(x.shape() == y.shape() || x.shape() == (Shape{y.shape().rows, 1}));
  TACIT_CHECK(ring_bits > x.ring_bits() && ring_bits > y.ring_bits() && ring_bits <= kWordBits);
  return session.run(LiftedProduct(x, y, ring_bits));
}

}  // namespace tacit::mpc
