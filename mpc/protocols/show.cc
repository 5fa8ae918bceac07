#include "mpc/protocols/show.h"

#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/wrap.h"
#include "mpc/session/inside.h"
#include "mpc/session/operation.h"

namespace tacit::mpc {

namespace {

Masked without_offset(const Shown& shown, Workers& workers) {
  auto delta = std::make_shared<RingTensor>(shown.shape(), shown.ring_bits());
  add_constant(Inside::revealed(shown), std::uint64_t{0} - shown_offset(shown.ring_bits()), *delta, workers);
  return Inside::masked(shown.shape(), shown.format(), std::move(delta), Inside::held_mask(shown));
}

// Copies of a row's words, each with `add`, in Z_2^bits. Null at a rank without contents.
Held<RingTensor> copies(const Held<RingTensor>& row, Shape shape, int bits, std::uint64_t add) {
  if (row == nullptr) return nullptr;
  if (Inside::is_identity(*row, shape)) return Inside::identity();
  auto out = std::make_shared<RingTensor>(shape, bits);
  const auto loop = loops(best_instructions()).add_constant;
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    loop(row->data(), add, out->data() + i * shape.cols, shape.cols, low_bits(bits));
  }
  return out;
}

class Show final : public OperationOf<std::vector<Shown>> {
 public:
  explicit Show(std::span<const Share> shares) : shares_(shares) {}
  std::string_view name() const override { return "show"; }
  Cost cost(const CostSetting& setting) const override;
  std::vector<Shown> at(Party& party) override;
  std::vector<Shown> at(Dealer& dealer) override;
  std::vector<Shown> at(Clear& clear) override;
  std::vector<Shown> at(Planner& planner) override;

 private:
  std::span<const Share> shares_;
};

class MaskedForm final : public OperationOf<Masked> {
 public:
  explicit MaskedForm(const Shown& shown) : shown_(shown) {}
  std::string_view name() const override { return "masked"; }
  Cost cost(const CostSetting&) const override { return {}; }
  Masked at(Party& party) override { return without_offset(shown_, party.workers()); }
  Masked at(Dealer&) override {
    return Inside::masked(shown_.shape(), shown_.format(), nullptr, Inside::held_mask(shown_));
  }
  Masked at(Clear& clear) override { return without_offset(shown_, clear.workers()); }
  Masked at(Planner&) override {
    return Inside::masked(shown_.shape(), shown_.format(), nullptr, Inside::held_mask(shown_));
  }

 private:
  const Shown& shown_;
};

Cost Show::cost(const CostSetting& setting) const {
  std::vector<net::WordShape> opened;
  for (const Share& x : shares_) opened.push_back(word_shape(x.shape(), x.ring_bits()));
  return opening_cost(opened, setting);
}

std::vector<Shown> Show::at(Party& party) {
  std::vector<RingTensor> r, m;
  for (const Share& x : shares_) {
    m.emplace_back(x.shape(), x.ring_bits());
    const std::uint64_t offset = party.first() ? shown_offset(x.ring_bits()) : 0;
    const MaskRequest request{x.shape(), kWordBits, x.ring_bits()};
    r.push_back(party.correlations().add_mask(request, Inside::words(x), offset, m.back()));
  }
  party.open(m);
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    shown.push_back(Inside::shown(shares_[i].shape(), shares_[i].format(),
                                  std::make_shared<const RingTensor>(std::move(m[i])),
                                  std::make_shared<const RingTensor>(std::move(r[i]))));
  }
  return shown;
}

std::vector<Shown> Show::at(Dealer& dealer) {
  std::vector<Shown> shown;
  for (const Share& x : shares_) {
    shown.push_back(Inside::shown(x.shape(), x.format(), nullptr,
                                  std::make_shared<const RingTensor>(dealer.mask(x.shape(), kWordBits))));
  }
  return shown;
}

std::vector<Shown> Show::at(Clear& clear) {
  std::vector<Shown> shown;
  for (const Share& x : shares_) {
    clear.expect_below("show", Inside::words(x), 0, static_cast<double>(shown_offset(x.ring_bits())),
                       x.fraction_bits());
    auto m = std::make_shared<RingTensor>(x.shape(), x.ring_bits());
    add_constant(Inside::words(x), shown_offset(x.ring_bits()), *m, clear.workers());
    shown.push_back(Inside::shown(x.shape(), x.format(), std::move(m), nullptr));
  }
  return shown;
}

std::vector<Shown> Show::at(Planner& planner) {
  std::vector<Shown> shown;
  for (const Share& x : shares_) shown.push_back(planner.made_shown(x.shape(), x.format()));
  return shown;
}

}  // namespace

std::vector<Shown> show(Session& session, std::span<const Share> shares) {
  TACIT_CHECK(std::all_of(shares.begin(), shares.end(), [](const Share& share) { return share.ring_bits() >= 3; }));
  return session.run(Show(shares));
}

Shown show(Session& session, const Share& share) { return show(session, std::span(&share, 1)).front(); }

Masked masked(Session& session, const Shown& shown) { return session.run(MaskedForm(shown)); }

Shown shown_rows(const Masked& row, std::int64_t rows, int ring_bits) {
  TACIT_CHECK(row.shape().rows == 1 && ring_bits >= 3 && ring_bits <= row.ring_bits());
  const Shape shape{rows, row.shape().cols};
  // A row and its transposition have their words in the same order.
  return Inside::shown(shape, {ring_bits, row.fraction_bits()},
                       copies(Inside::held_public(row), shape, ring_bits, shown_offset(ring_bits)),
                       copies(Inside::held_mask(row), shape, row.ring_bits(), 0));
}

}  // namespace tacit::mpc
