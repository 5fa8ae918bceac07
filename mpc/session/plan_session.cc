#include "mpc/session/plan_session.h"

#include <algorithm>

#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

// Of a masked value: Delta and a share of lambda.
constexpr std::int64_t kWordsMasked = 2;

Format product_of(Format x, Format y) {
  return {std::min(x.ring_bits, y.ring_bits), x.fraction_bits + y.fraction_bits};
}

void widen(const Bits& bits, int ring_bits) {
  auto& widened = Inside::widened(bits);
  widened.ring_bits = std::max(widened.ring_bits, ring_bits);
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  multiplications += other.multiplications;
  words += other.words;
  return *this;
}

Work& Work::operator-=(const Work& other) {
  multiplications -= other.multiplications;
  words -= other.words;
  return *this;
}

PlanSession::PlanSession(int owners, int parties, int rank, net::AllReducePlan openings)
    : Session(serial_, Times::kNone),
      owners_(owners),
      openings_(std::move(openings)),
      setting_{parties, rank, &openings_} {
  TACIT_CHECK(owners >= 1 && rank >= 0 && rank < parties);
}

Share PlanSession::made(Shape shape, Format format) {
  work_.words += shape.size();
  return Inside::nothing(shape, format);
}

Share PlanSession::do_input(int, Shape shape, Format format, const Matrix*, std::string_view) {
  return made(shape, format);
}

Share PlanSession::do_constant(Shape shape, const std::function<Matrix()>&, Format format, std::string_view) {
  return made(shape, format);
}

std::vector<Masked> PlanSession::do_mask(std::span<const Share> shares) {
  std::vector<Masked> masked;
  for (const Share& x : shares) {
    work_.words += kWordsMasked * x.shape().size();
    masked.push_back(Inside::masked(x.shape(), x.format(), nullptr, nullptr));
  }
  return masked;
}

Share PlanSession::do_product(const Masked& x, const Masked& y) {
  return made(x.shape(), product_of(x.format(), y.format()));
}

Share PlanSession::do_matmul(const Masked& x, const Masked& y) {
  constexpr std::int64_t kProducts = 2;  // Delta times a share of lambda, on either side
  const Shape shape{x.shape().rows, y.shape().cols};
  work_.multiplications += kProducts * x.shape().size() * shape.cols;
  return made(shape, product_of(x.format(), y.format()));
}

Share PlanSession::do_drop(const Share& share, int bits) {
  return made(share.shape(), {share.ring_bits() - bits, share.fraction_bits() - bits});
}

std::vector<Shown> PlanSession::do_show(std::span<const Share> shares) {
  std::vector<Shown> shown;
  for (const Share& x : shares) {
    work_.words += kWordsMasked * x.shape().size();
    // An empty mask of its own: comparisons share what is dealt where it is the same.
    shown.push_back(Inside::shown(x.shape(), x.format(), nullptr, std::make_shared<const RingTensor>()));
  }
  return shown;
}

Masked PlanSession::do_masked(const Shown& shown) {
  return Inside::masked(shown.shape(), shown.format(), nullptr, nullptr);
}

Share PlanSession::do_lift(const Shown& shown, int ring_bits) {
  return made(shown.shape(), {ring_bits, shown.fraction_bits()});
}

std::vector<Bits> PlanSession::do_non_negative(std::span<const Comparison> comparisons) {
  std::vector<Bits> bits;
  for (const Comparison& comparison : comparisons) {
    bits.push_back(Inside::bits(comparison.shown.shape(), nullptr, nullptr));
  }
  return bits;
}

Share PlanSession::do_select(const Bits& bits, const Shown& shown, int ring_bits) {
  widen(bits, ring_bits);
  return made(shown.shape(), {ring_bits, shown.fraction_bits()});
}

Share PlanSession::do_indicator(const Bits& bits, int ring_bits) {
  widen(bits, ring_bits);
  return made(bits.shape(), {ring_bits, 0});
}

std::vector<Share> PlanSession::do_look_up(const Masked& x, const CellTable& table, int ring_bits,
                                           std::span<const Masked> factors) {
  std::vector<Share> shares{made(x.shape(), {ring_bits, table.fraction_bits()})};
  for (const Masked& y : factors) {
    shares.push_back(made(x.shape(), {std::min(ring_bits, y.ring_bits()), table.fraction_bits() + y.fraction_bits()}));
  }
  return shares;
}

Winner PlanSession::do_winner(const Bits&, const Masked& y, int ring_bits) {
  const Share which = made(y.shape(), {ring_bits, 0});
  return {which, made(y.shape(), {std::min(ring_bits, y.ring_bits()), y.fraction_bits()})};
}

Permutation PlanSession::do_permutation(int owner, std::int64_t size, const std::vector<std::int64_t>*) {
  return Inside::permutation(owner, size, {});
}

Share PlanSession::do_permute(const Masked& x, const Permutation&) { return made(x.shape(), x.format()); }

Share PlanSession::do_unpermute(const Share& x, const Permutation&) { return made(x.shape(), x.format()); }

Public PlanSession::do_reveal(const Share& share, To) { return Inside::unseen(share.shape()); }

bool PlanSession::do_decide(const std::function<bool()>&) { return true; }

Share PlanSession::do_restore(const SavedShare& saved) { return made(saved.shape(), saved.format()); }

Share PlanSession::do_add_public(const Share& share, std::uint64_t) { return share; }

}  // namespace tacit::mpc
