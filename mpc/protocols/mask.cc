#include "mpc/protocols/mask.h"

#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

class Mask final : public OperationOf<std::vector<Masked>> {
 public:
  explicit Mask(std::span<const Share> shares) : shares_(shares) {}
  std::string_view name() const override { return "mask"; }
  Cost cost(const CostSetting& setting) const override;
  std::vector<Masked> at(Party& party) override;
  std::vector<Masked> at(Dealer& dealer) override;
  std::vector<Masked> at(Clear&) override;
  std::vector<Masked> at(Planner& planner) override;

 private:
  std::span<const Share> shares_;
};

Cost Mask::cost(const CostSetting& setting) const {
  std::vector<net::WordShape> opened;
  for (const Share& x : shares_) opened.push_back(word_shape(x.shape(), x.ring_bits()));
  return opening_cost(opened, setting);
}

std::vector<Masked> Mask::at(Party& party) {
  std::vector<RingTensor> lambda, delta;
  for (const Share& x : shares_) {
    delta.emplace_back(x.shape(), x.ring_bits());
    lambda.push_back(party.correlations().add_mask({x.shape(), x.ring_bits()}, Inside::words(x), 0, delta.back()));
  }
  party.open(delta);
  std::vector<Masked> masked;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    masked.push_back(
        Inside::masked(shares_[i].shape(), shares_[i].format(), std::move(delta[i]), std::move(lambda[i])));
  }
  return masked;
}

std::vector<Masked> Mask::at(Dealer& dealer) {
  std::vector<Masked> masked;
  for (const Share& x : shares_) {
    auto lambda = std::make_shared<const RingTensor>(dealer.mask(x.shape(), x.ring_bits()));
    masked.push_back(Inside::masked(x.shape(), x.format(), nullptr, std::move(lambda)));
  }
  return masked;
}

std::vector<Masked> Mask::at(Clear&) {
  std::vector<Masked> masked;
  for (const Share& x : shares_)
    masked.push_back(Inside::masked(x.shape(), x.format(), Inside::held_words(x), nullptr));
  return masked;
}

std::vector<Masked> Mask::at(Planner& planner) {
  std::vector<Masked> masked;
  for (const Share& x : shares_) masked.push_back(planner.made_masked(x.shape(), x.format()));
  return masked;
}

}  // namespace

std::vector<Masked> mask(Session& session, std::span<const Share> shares) { return session.run(Mask(shares)); }

Masked mask(Session& session, const Share& share) { return mask(session, std::span(&share, 1)).front(); }

}  // namespace tacit::mpc
