#include "mpc/protocols/input.h"

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

class Input final : public OperationOf<Share> {
 public:
  Input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name)
      : owner_(owner), shape_(shape), format_(format), mine_(mine), name_(name) {}
  std::string_view name() const override { return "input"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party& party) override;
  Share at(Dealer&) override { return Inside::nothing(shape_, format_); }
  Share at(Clear&) override;
  Share at(Planner& planner) override { return planner.made(shape_, format_); }

 private:
  const int owner_;
  const Shape shape_;
  const Format format_;
  const Matrix* const mine_;
  const std::string_view name_;
};

class Constant final : public OperationOf<Share> {
 public:
  Constant(Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name)
      : shape_(shape), value_(value), format_(format), name_(name) {}
  std::string_view name() const override { return "constant"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party& party) override;
  Share at(Dealer&) override { return Inside::nothing(shape_, format_); }
  Share at(Clear&) override { return Inside::share(shape_, format_, encode_public(value_(), format_, name_)); }
  Share at(Planner& planner) override { return planner.made(shape_, format_); }

 private:
  const Shape shape_;
  const std::function<Matrix()>& value_;
  const Format format_;
  const std::string_view name_;
};

Share Input::at(Party& party) {
  const StreamName stream = party.next(Draw::kInput);
  if (party.rank() != owner_) {
    RingTensor share(shape_, format_.ring_bits);
    party.seed(owner_).fill(stream, share);
    return Inside::share(shape_, format_, std::move(share));
  }
  TACIT_CHECK(mine_ != nullptr);
  RingTensor share = encode(*mine_, format_, name_);
  for (int peer = 0; peer < party.parties(); ++peer) {
    if (peer != owner_) party.seed(peer).subtract(stream, share);
  }
  return Inside::share(shape_, format_, std::move(share));
}

Share Input::at(Clear&) {
  TACIT_CHECK(mine_ != nullptr);
  return Inside::share(shape_, format_, encode(*mine_, format_, name_));
}

Share Constant::at(Party& party) {
  RingTensor words = encode_public(value_(), format_, name_);
  TACIT_CHECK(words.shape() == shape_);
  if (!party.first()) words = RingTensor::zeros(shape_, words.bits());
  return Inside::share(shape_, format_, std::move(words));
}

}  // namespace

Share input(Session& session, int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) {
  TACIT_CHECK(owner >= 0 && owner < session.parties());
  TACIT_CHECK(mine == nullptr || shape_of(*mine) == shape);
  return session.run(Input(owner, shape, format, mine, name));
}

Share constant(Session& session, Shape shape, const std::function<Matrix()>& value, Format format,
               std::string_view name) {
  return session.run(Constant(shape, value, format, name));
}

Share constant(Session& session, const Matrix& value, Format format, std::string_view name) {
  return constant(
      session, shape_of(value), [&] { return value; }, format, name);
}

}  // namespace tacit::mpc
