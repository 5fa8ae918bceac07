#include "gnn/arithmetic/quotients.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "mpc/functions/reciprocal.h"
#include "mpc/protocols/add_public.h"
#include "mpc/protocols/compare.h"
#include "mpc/protocols/drop.h"
#include "mpc/protocols/indicator.h"
#include "mpc/protocols/lift.h"
#include "mpc/protocols/mask.h"
#include "mpc/protocols/product.h"
#include "mpc/protocols/show.h"
#include "mpc/session/local.h"

namespace tacit::gnn {

namespace {

constexpr int kRoughBits = 20;       // fraction bits of the first reciprocal, and of its error
constexpr int kReciprocalRing = 40;  // the first reciprocal is up to 2^8, with 25 fraction bits
constexpr int kMostHalvings = 20;

mpc::Share in_words(mpc::Session& session, const mpc::Share& share) {
  return gnn::in_words(session, std::vector{share}).front();
}

}  // namespace

std::vector<mpc::Share> in_words(mpc::Session& session, std::vector<mpc::Share> shares) {
  std::vector<mpc::Share> narrow;
  const auto is_narrow = [](const mpc::Share& share) { return share.ring_bits() < mpc::kWordBits; };
  std::copy_if(shares.begin(), shares.end(), std::back_inserter(narrow), is_narrow);
  if (narrow.empty()) return shares;
  const std::vector<mpc::Shown> shown = mpc::show(session, narrow);
  std::size_t next = 0;
  for (mpc::Share& share : shares) {
    if (is_narrow(share)) share = mpc::lift(session, shown[next++], mpc::kWordBits);
  }
  return shares;
}

mpc::Share whole_numbers(Arithmetic& arithmetic, const Tensor& ones) {
  mpc::Session& session = arithmetic.session();
  const int f = ones.format().fraction_bits;
  if (f == 0) return in_words(session, mpc::narrow(ones.share(), mpc::room_for(0, 1)));
  const mpc::Shown shown = mpc::show(session, mpc::narrow(ones.share(), f + 3));
  const std::array comparison{mpc::Comparison{shown, f + 1, std::int64_t{1} << (f - 1)}};
  return mpc::indicator(session, mpc::non_negative(session, comparison).front(), mpc::kWordBits);
}

mpc::Share inverse(mpc::Session& session, const mpc::Share& x) {
  constexpr int kRoom = 15;  // whole bits of a reciprocal's argument, and three spare ones
  const int f = x.fraction_bits();
  TACIT_CHECK(x.ring_bits() == mpc::kWordBits && f >= 8 && f <= mpc::kWordBits - 24);
  const mpc::Share coarse = f > kRoughBits ? mpc::drop(session, x, f - kRoughBits) : x;
  const mpc::Share rough =
      mpc::reciprocal(session, mpc::narrow(coarse, coarse.fraction_bits() + kRoom), kReciprocalRing);
  const mpc::Share r = in_words(session, mpc::drop(session, rough, rough.fraction_bits() - kRoughBits));
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{x, r});
  const mpc::Share off = mpc::add_public(session, -mpc::product(session, masked[0], masked[1]), 1);
  const mpc::Share small = mpc::narrow(mpc::drop(session, off, f), kRoughBits + 4);
  const mpc::Masked step = mpc::mask(session, in_words(session, small));
  return mpc::refine(r, kInverseBits) + mpc::product(session, masked[1], step);
}

int halvings_of(double most) {
  const int halvings = std::max(8, static_cast<int>(std::ceil(std::log2(most))) - 12);
  TACIT_CHECK(halvings <= kMostHalvings);
  return halvings;
}

mpc::Share quotients(mpc::Session& session, const mpc::Share& numerators, const mpc::Share& denominators, double most) {
  TACIT_CHECK(numerators.fraction_bits() == 0 && denominators.fraction_bits() == 0);
  const int halvings = halvings_of(most);
  const mpc::Share inverted = inverse(session, mpc::scale(denominators, 1, halvings));
  const std::vector<mpc::Masked> masked = mpc::mask(session, std::array{mpc::scale(numerators, 1, halvings), inverted});
  const mpc::Share exact = mpc::product(session, masked[0], masked[1]);
  return mpc::drop(session, exact, exact.fraction_bits() - kQuotientBits);
}

Tensor to_reveal(mpc::Session& session, const mpc::Share& number, double bound, const std::string& name) {
  return Tensor(mpc::drop(session, number, number.fraction_bits() - kRevealedBits), bound, name);
}

double rounding_of(int parties, std::int64_t quotients) {
  const double units = std::max(1.0, parties / 2.0);  // the error of a drop, in units
  return units * (std::ldexp(1.0, -kRevealedBits) + std::ldexp(static_cast<double>(quotients), -kQuotientBits));
}

double told_quotient(double value, double error, double least) {
  if (value <= error) return 0;
  if (1 - value <= error && least > 2 * error) return 1;
  return std::min(value, 1.0);
}

}  // namespace tacit::gnn
