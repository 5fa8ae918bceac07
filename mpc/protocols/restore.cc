#include "mpc/protocols/restore.h"

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

class Restore final : public OperationOf<Share> {
 public:
  explicit Restore(const SavedShare& saved) : saved_(saved) {}
  std::string_view name() const override { return "restore"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Share at(Party& party) override;
  Share at(Dealer&) override { return Inside::nothing(saved_.shape(), saved_.format()); }
  Share at(Clear&) override { return Inside::share(saved_.shape(), saved_.format(), Inside::words(saved_)); }
  Share at(Planner& planner) override { return planner.made(saved_.shape(), saved_.format()); }

 private:
  const SavedShare& saved_;
};

Share Restore::at(Party& party) {
  RingTensor share = Inside::words(saved_);
  party.refresh(share);
  return Inside::share(saved_.shape(), saved_.format(), std::move(share));
}

}  // namespace

SavedShare save(const Share& share) { return Inside::saved(share); }

Share restore(Session& session, const SavedShare& saved) { return session.run(Restore(saved)); }

}  // namespace tacit::mpc
