#include "mpc/session/session.h"

#include <algorithm>

#include "mpc/kernels/elementwise.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/look_up.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/pair_differences.h"
#include "mpc/protocols/permute.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/restore.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/select.h"
#include "mpc/protocols/show.h"
#include "mpc/protocols/winner.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

namespace {

template <typename Values>
std::vector<Spec> specs(const Values& values) {
  return std::vector<Spec>(values.begin(), values.end());
}

void check_ring(Format format, int bits) { TACIT_CHECK(bits >= format.ring_bits && bits <= kWordBits); }

}  // namespace

bool PublicReader::seen(const Public& value) const { return Inside::seen(value); }
const Matrix& PublicReader::operator()(const Public& value) const { return Inside::value(value); }

// An operation while it goes on.
class Session::Call {
 public:
  Call(Session& session, std::string_view protocol, const Cost& cost)
      : session_(session),
        place_(session.profile_.begin_call(protocol, cost)),
        waited_(session.waited()),
        begun_(session.profile_.now()) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { session_.profile_.end_call(place_, session_.profile_.now() - begun_, session_.waited() - waited_); }

 private:
  Session& session_;
  const RunningProfile::Call place_;
  const Waited waited_;
  const RunningProfile::Clock::time_point begun_;
};

// `protocol` is a literal of this file.
template <typename CostOf>
Session::Call Session::next(std::string_view protocol, const CostOf& cost_of) {
  begin(++operation_);
  const CostSetting* setting = cost_setting();
  const Cost cost = setting == nullptr ? Cost() : cost_of(*setting);
  stated_ += cost;
  return Call(*this, protocol, cost);
}

std::vector<ProtocolCost> Session::stated_by_protocol() const {
  return cost_setting() == nullptr ? std::vector<ProtocolCost>() : profile().by_protocol();
}

void Session::begin_part(std::string_view part) {
  profile_.begin_part(part);
  set_step(turn_.empty() ? std::string(part) : turn_ + ", " + std::string(part));
}

Share Session::input(int owner, Shape shape, Format format, const Matrix* mine, std::string_view name) {
  TACIT_CHECK(owner >= 0 && owner < parties());
  TACIT_CHECK(mine == nullptr || shape_of(*mine) == shape);
  const Call call = next("input", [&](const CostSetting& setting) { return input_cost({shape, format}, setting); });
  return do_input(owner, shape, format, mine, name);
}

Share Session::constant(const Matrix& value, Format format, std::string_view name) {
  return constant(
      shape_of(value), [&] { return value; }, format, name);
}

Share Session::constant(Shape shape, const std::function<Matrix()>& value, Format format, std::string_view name) {
  const Call call = next("constant", [](const CostSetting&) { return Cost(); });
  return do_constant(shape, value, format, name);
}

std::vector<Masked> Session::mask(std::span<const Share> shares) {
  const Call call = next("mask", [&](const CostSetting& setting) { return mask_cost(specs(shares), setting); });
  return do_mask(shares);
}

Share Session::product(const Masked& x, const Masked& y) {
  TACIT_CHECK(x.shape() == y.shape());
  const Call call = next("product", [&](const CostSetting& setting) { return product_cost(x, y, setting); });
  return do_product(x, y);
}

Share Session::matmul(const Masked& x, const Masked& y) {
  TACIT_CHECK(x.shape().cols == y.shape().rows);
  const Call call = next("matmul", [&](const CostSetting& setting) { return matmul_cost(x, y, setting); });
  return do_matmul(x, y);
}

Share Session::drop(const Share& share, int bits) {
  TACIT_CHECK(bits >= 0 && bits < share.ring_bits() && bits <= share.fraction_bits());
  const Call call = next("drop", [&](const CostSetting& setting) { return drop_cost(share, bits, setting); });
  return do_drop(share, bits);
}

std::vector<Shown> Session::show(std::span<const Share> shares) {
  TACIT_CHECK(std::all_of(shares.begin(), shares.end(), [](const Share& share) { return share.ring_bits() >= 3; }));
  const Call call = next("show", [&](const CostSetting& setting) { return show_cost(specs(shares), setting); });
  return do_show(shares);
}

Masked Session::masked(const Shown& shown) {
  const Call call = next("masked", [&](const CostSetting& setting) { return masked_cost(shown, setting); });
  return do_masked(shown);
}

Share Session::lift(const Shown& shown, int ring_bits) {
  check_ring(shown.format(), ring_bits);
  const Call call = next("lift", [&](const CostSetting& setting) { return lift_cost(shown, ring_bits, setting); });
  return do_lift(shown, ring_bits);
}

std::vector<Bits> Session::non_negative(std::span<const Comparison> comparisons) {
  for (const Comparison& comparison : comparisons) {
    TACIT_CHECK(comparison.hi >= 2 && comparison.hi <= comparison.shown.ring_bits() - 1);
  }
  const Call call =
      next("non-negative", [&](const CostSetting& setting) { return non_negative_cost(comparisons, setting); });
  return do_non_negative(comparisons);
}

Share Session::select(const Bits& bits, const Shown& shown, int ring_bits) {
  TACIT_CHECK(bits.shape() == shown.shape());
  check_ring(shown.format(), ring_bits);
  const Call call =
      next("select", [&](const CostSetting& setting) { return select_cost(bits, shown, ring_bits, setting); });
  return do_select(bits, shown, ring_bits);
}

Share Session::indicator(const Bits& bits, int ring_bits) {
  TACIT_CHECK(ring_bits >= 1 && ring_bits <= kWordBits);
  const Call call =
      next("indicator", [&](const CostSetting& setting) { return indicator_cost(bits, ring_bits, setting); });
  return do_indicator(bits, ring_bits);
}

std::vector<Share> Session::look_up(const Masked& x, const CellTable& table, int ring_bits,
                                    std::span<const Masked> factors) {
  TACIT_CHECK(x.format() == table.domain() && ring_bits >= 1 && ring_bits <= kWordBits);
  for (const Masked& y : factors) TACIT_CHECK(y.shape() == x.shape());
  const Call call = next("look up", [&](const CostSetting& setting) {
    return look_up_cost(x, table, ring_bits, specs(factors), setting);
  });
  return do_look_up(x, table, ring_bits, factors);
}

Winner Session::winner(const Bits& pairs, const Masked& y, int ring_bits) {
  const std::int64_t columns = y.shape().cols;
  TACIT_CHECK(columns >= 2 && columns <= kMostColumnsAtOnce && ring_bits >= 1 && ring_bits <= kWordBits);
  TACIT_CHECK(pairs.shape() == (Shape{y.shape().rows, pairs_of(columns)}));
  const Call call = next("winner", [&](const CostSetting& setting) { return winner_cost(y, ring_bits, setting); });
  return do_winner(pairs, y, ring_bits);
}

Permutation Session::permutation(int owner, std::int64_t size, const std::vector<std::int64_t>* order) {
  TACIT_CHECK(owner >= 0 && owner < parties() && size >= 0);
  const Call call =
      next("permutation", [&](const CostSetting& setting) { return permutation_cost(owner, size, setting); });
  return do_permutation(owner, size, order);
}

Share Session::permute(const Masked& x, const Permutation& permutation) {
  TACIT_CHECK(x.shape().rows == permutation.size());
  const Call call = next("permute", [&](const CostSetting& setting) { return permute_cost(x, setting); });
  return do_permute(x, permutation);
}

Share Session::unpermute(const Share& x, const Permutation& permutation) {
  TACIT_CHECK(x.shape().rows == permutation.size());
  const Call call = next("unpermute", [&](const CostSetting& setting) { return unpermute_cost(x, setting); });
  return do_unpermute(x, permutation);
}

Public Session::reveal(const Share& share, To to, std::string_view reason) {
  TACIT_CHECK(to.party >= -1 && to.party < parties());
  TACIT_CHECK(!reason.empty());
  const auto known = std::find_if(reveals_.begin(), reveals_.end(),
                                  [&](const Reveal& line) { return line.reason == reason && line.to == to; });
  Reveal& line = known != reveals_.end() ? *known : reveals_.emplace_back(Reveal{std::string(reason), to});
  ++line.count;
  line.elements += share.shape().size();
  if (note_) note_(reveals_);
  const Call call = next("reveal", [&](const CostSetting& setting) { return reveal_cost(share, to, setting); });
  return do_reveal(share, to);
}

void Session::compare_transcripts() {
  const Call call = next("compare", [](const CostSetting& setting) { return compare_transcripts_cost(setting); });
  do_compare_transcripts();
}

void Session::note_decision(std::string_view reason) {
  const auto known =
      std::find_if(decisions_.begin(), decisions_.end(), [&](const Decision& line) { return line.reason == reason; });
  Decision& line = known != decisions_.end() ? *known : decisions_.emplace_back(Decision{std::string(reason)});
  ++line.count;
}

bool Session::decide(const std::function<bool()>& at_rank_0, std::string_view reason) {
  note_decision(reason);
  const Call call = next("decide", [&](const CostSetting& setting) { return decide_cost(setting); });
  return do_decide(at_rank_0);
}

SavedShare Session::save(const Share& share) const { return Inside::saved(share); }

Share Session::restore(const SavedShare& saved) {
  const Call call = next("restore", [&](const CostSetting& setting) {
    return restore_cost({saved.shape(), saved.format()}, setting);
  });
  return do_restore(saved);
}

Share Session::add_public_units(const Share& share, std::int64_t units) {
  const Call call = next("add public", [](const CostSetting&) { return Cost(); });
  return do_add_public(share, static_cast<std::uint64_t>(units) & low_bits(share.ring_bits()));
}

Share Session::add_public(const Share& share, double constant) {
  const std::uint64_t units = encode_constant(constant, share.format(), "a public constant");
  const Call call = next("add public", [](const CostSetting&) { return Cost(); });
  return do_add_public(share, units);
}

}  // namespace tacit::mpc
