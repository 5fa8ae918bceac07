#include "mpc/protocols/add_public.h"

#include "mpc/session/local.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

class AddPublic final : public OperationOf<Share> {
 public:
  AddPublic(const Share& share, std::uint64_t units) : share_(share), units_(units) {}
  std::string_view name() const override { return "add public"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party& party) override { return party.first() ? with_units(share_, units_, party.workers()) : share_; }
  Share at(Dealer&) override { return share_; }
  Share at(Clear& clear) override { return with_units(share_, units_, clear.workers()); }
  Share at(Planner&) override { return share_; }

 private:
  const Share& share_;
  const std::uint64_t units_;
};

}  // namespace

Share add_public(Session& session, const Share& share, double constant, std::string_view name) {
  return session.run(AddPublic(share, encode_constant(constant, share.format(), name)));
}

Share add_public_units(Session& session, const Share& share, std::int64_t units) {
  return session.run(AddPublic(share, static_cast<std::uint64_t>(units) & low_bits(share.ring_bits())));
}

}  // namespace tacit::mpc
