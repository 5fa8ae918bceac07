#include "mpc/levels/range_audit.h"

#include <algorithm>
#include <cmath>

#include "mpc/kernels/elementwise.h"
#include "mpc/levels/random_sums.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/input.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/reveal.h"
#include "mpc/protocols/wrap.h"
#include "mpc/random/pair_seed.h"
#include "mpc/session/inside.h"
#include "mpc/session/local.h"

namespace tacit::mpc {

namespace {

// The rows begin … end - 1 of a tensor of `rows` rows, itself if these are all. A plan's mask has no words.
Held<RingTensor> rows_of(const Held<RingTensor>& all, std::int64_t rows, std::int64_t begin, std::int64_t end) {
  if (all == nullptr || end - begin == rows) return all;
  if (Inside::is_identity(*all, {rows, 1})) return Inside::identity();
  const std::int64_t cols = all->shape().cols;
  auto some = std::make_shared<RingTensor>(Shape{end - begin, cols}, all->bits());
  const auto words =
      all->words().subspan(static_cast<std::size_t>(begin * cols), static_cast<std::size_t>(some->size()));
  std::copy(words.begin(), words.end(), some->words().begin());
  return some;
}

// M = x + 2^(k-2) + r less `offset`, moved to a narrower ring and to its offset: the same words as a show of x in that
// ring gives.
Shown narrow_view(Shape shape, int fraction_bits, const Held<RingTensor>& opened, const Held<RingTensor>& mask,
                  std::uint64_t offset, int ring_bits, Workers& workers) {
  Held<RingTensor> revealed;
  if (opened != nullptr) {
    auto words = std::make_shared<RingTensor>(shape, ring_bits);
    add_constant(*opened, shown_offset(ring_bits) - offset, *words, workers);
    revealed = std::move(words);
  }
  return Inside::shown(shape, {ring_bits, fraction_bits}, std::move(revealed), mask);
}

}  // namespace

RangeAudit::RangeAudit(Session& session, int groups, std::int64_t at_once) : session_(session), at_once_(at_once) {
  TACIT_CHECK(groups >= 1 && at_once >= 1);
  const Shape row{1, std::int64_t{kSums} * groups};
  const auto nothing = [&] { return Matrix::Zero(row.rows, row.cols); };
  const Share zeros = constant(session, row, nothing, {kWordBits, 0}, "the range watch's sums");
  sums_.assign(static_cast<std::size_t>(groups), columns(zeros, 0, kSums));
}

int RangeAudit::ring_of(int fraction_bits, double range) {
  TACIT_CHECK(std::isfinite(range) && range >= 0);
  const int whole = range <= 0 ? -fraction_bits : static_cast<int>(std::ceil(std::log2(range)));
  return std::max(fraction_bits + whole, 0) + 2;
}

void RangeAudit::watch_lift(int group, const Share& after, const Share& before, int through) {
  const int ring = std::min({before.ring_bits(), after.ring_bits(), through + kOverBits});
  if (ring > through) add(group, difference(after, before, ring, session_.workers()));
}

void RangeAudit::watch_narrowed(int group, const Shown& opened, const Share& before) {
  if (before.ring_bits() > opened.ring_bits()) compare(group, opened, before);
}

void RangeAudit::watch(int group, const Shown& opened, const Share& x, int ring_bits) {
  watch(group, {Inside::held_public(opened), Inside::held_mask(opened), shown_offset(opened.ring_bits())}, x,
        ring_bits);
}

void RangeAudit::watch(int group, const Masked& opened, const Share& x, int ring_bits) {
  TACIT_CHECK(!Inside::transposed(opened));
  watch(group, {Inside::held_public(opened), Inside::held_mask(opened), 0}, x, ring_bits);
}

void RangeAudit::watch(int group, const Opened& opened, const Share& x, int ring_bits) {
  if (ring_bits >= x.ring_bits()) return;
  const auto [all, cols] = x.shape();
  const std::int64_t height = std::max<std::int64_t>(1, at_once_ / std::max<std::int64_t>(cols, 1));
  for (std::int64_t begin = 0; begin < all; begin += height) {
    const std::int64_t end = std::min(begin + height, all);
    const Held<RingTensor> revealed = rows_of(opened.revealed, all, begin, end);
    const Held<RingTensor> mask = rows_of(opened.mask, all, begin, end);
    compare(group,
            narrow_view({end - begin, cols}, x.fraction_bits(), revealed, mask, opened.offset, ring_bits,
                        session_.workers()),
            end - begin == all ? x : rows(x, begin, end));
  }
}

void RangeAudit::compare(int group, const Shown& opened, const Share& x) {
  const int ring = std::min(x.ring_bits(), opened.ring_bits() + kOverBits);
  add(group, difference(lift(session_, opened, ring), x, session_.workers()));
}

void RangeAudit::add(int group, const Share& difference) {
  Share& sums = sums_.at(static_cast<std::size_t>(group));
  sums = sums + random_sums(difference, kSums, ++tensors_, session_.workers());
  has_news_ = true;
}

// Twice the sum of 32 random bits from every party, and 1: secret as long as one party keeps its own numbers secret. An even
// number would hide errors that are large powers of two: a product would be zero although the sum is not.
Share RangeAudit::own_numbers() {
  Matrix mine(1, std::ssize(sums_) * kSums);
  RingTensor words(shape_of(mine), 32);
  PairSeed::own({}).fill({.draw = Draw::kOwn}, words);
  for (Eigen::Index i = 0; i < mine.size(); ++i)
    mine(0, i) = static_cast<double>(words.words()[static_cast<std::size_t>(i)]);
  std::optional<Share> all;
  for (int party = 0; party < session_.parties(); ++party) {
    const Share one = input(session_, party, shape_of(mine), {kWordBits, 0}, &mine, "the range watch's random numbers");
    all = all ? *all + one : one;
  }
  return add_public_units(session_, scale(*all, 2, 0), 1);
}

Share RangeAudit::total(const Masking& with) {
  std::vector<Share> to_mask{beside(sums_)};
  if (!numbers_) to_mask.push_back(own_numbers());
  has_news_ = false;  // the next audit has the values that `with` opens
  const std::vector<Masked> masked = with ? with(to_mask) : mask(session_, to_mask);
  if (!numbers_) numbers_ = masked.back();
  products_ = product(session_, masked.front(), *numbers_);
  Share total = columns(products_, 0, kSums);
  for (std::int64_t group = 1; group < std::ssize(sums_); ++group) {
    total = total + columns(products_, group * kSums, (group + 1) * kSums);
  }
  return total;
}

Public RangeAudit::open(std::string_view reason, const Masking& with) {
  return reveal(session_, total(with), To::everyone(), reason);
}

LateReveal RangeAudit::open_late(std::string_view reason, const Masking& with) {
  return late_reveal(session_, total(with), To::everyone(), reason);
}

Public RangeAudit::open_groups(std::string_view reason) { return reveal(session_, products_, To::everyone(), reason); }

bool RangeAudit::left_range(const Matrix& groups, int group) {
  return !is_clean(groups.middleCols(static_cast<Eigen::Index>(group) * kSums, kSums));
}

}  // namespace tacit::mpc
