#include "mpc/protocols/lifted_product.h"

#include "mpc/kernels/loops.h"
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
  Cost cost(const CostSetting& setting) const override;
  Share at(Party& party) override;
  Share at(Dealer& dealer) override;
  Share at(Clear& clear) override;
  Share at(Planner& planner) override { return planner.made(shape(), format()); }

 private:
  bool is_column() const { return x_.shape() != y_.shape(); }  // x, for all columns of y
  Shape shape() const { return y_.shape(); }
  std::int64_t each() const { return is_column() ? shape().cols : 1; }  // elements of y for one of x
  int more_than_x() const { return ring_bits_ - x_.ring_bits(); }
  // Without masks.
  LiftedProductRequest public_request() const {
    return {{}, {}, x_.ring_bits(), y_.ring_bits(), ring_bits_, !is_column()};
  }
  LiftedProductRequest request() const;  // with this rank's masks
  // A column has its wrap dealt once for all columns of y.
  WrapRequest request_of_column() const { return {Inside::mask(x_).view(), x_.ring_bits(), more_than_x()}; }
  Format format() const { return {ring_bits_, x_.fraction_bits() + y_.fraction_bits()}; }

  const Shown& x_;
  const Shown& y_;
  const int ring_bits_;
};

Cost LiftedProduct::cost(const CostSetting& setting) const {
  LiftedProductRequest of = public_request();
  of.x = of.y = without_contents(shape());
  Cost cost = correlation_cost(of, setting);
  if (is_column()) {
    cost += correlation_cost(WrapRequest{without_contents(x_.shape()), x_.ring_bits(), more_than_x()}, setting);
  }
  return cost;
}

LiftedProductRequest LiftedProduct::request() const {
  LiftedProductRequest of = public_request();
  of.x = Inside::mask(x_).view();
  of.y = Inside::mask(y_).view();
  if (is_column()) of.x = {of.x.words, shape(), 1, 0};
  return of;
}

Share LiftedProduct::at(Party& party) {
  const int k = x_.ring_bits(), l = y_.ring_bits();
  const LiftedProductRequest of = request();
  std::vector<RingTensor> dealt;
  if (is_column()) dealt = party.correlations().words(request_of_column());
  for (RingTensor& one : party.correlations().words(of)) dealt.push_back(std::move(one));
  RingTensor out(shape(), ring_bits_);
  const LiftedProductWords words{
      .x = {Inside::revealed(x_).data(), Inside::mask(x_).data(), dealt[0].data(), dealt[1].data(), k, shown_offset(k)},
      .y = {Inside::revealed(y_).data(), Inside::mask(y_).data(), dealt[2].data(), dealt[3].data(), l, shown_offset(l)},
      .rho_rho = dealt[4].data(),
      .rho_sigma = dealt[5].data(),
      .sigma_rho = dealt[6].data(),
      .sigma_sigma = of.has_both() ? dealt[7].data() : nullptr,
      .each = each(),
      .all = party.first() ? ~std::uint64_t{0} : 0,
      .mask = low_bits(ring_bits_),
      .out = out.data()};
  const auto loop = loops(best_instructions()).lifted_product;
  party.workers().for_ranges(out.size(), kLiftedProductGrain,
                             [&](std::int64_t begin, std::int64_t end) { loop(words, begin, end); });
  return Inside::share(shape(), format(), std::move(out));
}

Share LiftedProduct::at(Dealer& dealer) {
  if (is_column()) dealer.deal(request_of_column());
  dealer.deal(request());
  return Inside::nothing(shape(), format());
}

Share LiftedProduct::at(Clear& clear) {
  const int k = x_.ring_bits(), l = y_.ring_bits();
  const std::uint64_t *mx = Inside::revealed(x_).data(), *my = Inside::revealed(y_).data();
  const std::uint64_t ring = low_bits(ring_bits_);
  const std::int64_t each = this->each();
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
