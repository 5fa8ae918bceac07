#include "mpc/protocols/contribution.h"

#include <cmath>

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

constexpr double kMostUnits = 0x1p52;

RingTensor whole_numbers(const Matrix& units, Format format) {
  RingTensor words(shape_of(units), format.ring_bits);
  for (std::int64_t i = 0; i < units.size(); ++i) {
    const double value = units.data()[i];
    TACIT_CHECK(std::abs(value) <= kMostUnits && value == std::trunc(value));
    words.data()[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & low_bits(format.ring_bits);
  }
  return words;
}

class Contribution final : public OperationOf<Share> {
 public:
  Contribution(Shape shape, Format format, const Matrix* mine) : shape_(shape), format_(format), mine_(mine) {}
  std::string_view name() const override { return "contribution"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party&) override { return own(); }
  Share at(Dealer&) override { return Inside::nothing(shape_, format_); }
  Share at(Clear&) override { return own(); }
  Share at(Planner& planner) override { return planner.made(shape_, format_); }

 private:
  Share own() const {
    TACIT_CHECK(mine_ != nullptr && shape_of(*mine_) == shape_);
    return Inside::share(shape_, format_, whole_numbers(*mine_, format_));
  }

  const Shape shape_;
  const Format format_;
  const Matrix* const mine_;
};

}  // namespace

Share contribution(Session& session, Shape shape, Format format, const Matrix* mine) {
  return session.run(Contribution(shape, format, mine));
}

}  // namespace tacit::mpc
