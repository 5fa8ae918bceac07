#include "mpc/levels/range_audit.h"

#include <bit>
#include <cmath>

#include "mpc/session/local.h"

namespace tacit::mpc {

void RangeAudit::watch(const Shown& shown, double bound) {
  const double units = std::floor(std::ldexp(bound, shown.fraction_bits()));
  TACIT_CHECK(units >= 0 && units < std::ldexp(1.0, shown.ring_bits() - 4));
  watched_.push_back({shown, static_cast<std::int64_t>(units)});
}

Public RangeAudit::reveal_whether_any_was_outside(std::string_view reason) {
  std::int64_t elements = 0;
  std::vector<Session::Comparison> comparisons;
  for (const Watched& watched : watched_) {
    elements += watched.shown.shape().size();
    const int hi = watched.shown.ring_bits() - 1;
    comparisons.push_back({watched.shown, hi, -watched.units});
    comparisons.push_back({watched.shown, hi, watched.units + 1});
  }
  watched_.clear();
  const std::vector<Bits> bits = session_.non_negative(comparisons);

  // How many are outside: all, less those from -B on, and those above B.
  const int ring = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(elements))) + 3;
  const Matrix zero = Matrix::Zero(1, 1);
  Share outside = session_.constant(zero, {ring, 0}, "the audit's count");
  for (std::size_t i = 0; i < bits.size(); i += 2) {
    const Share count = session_.indicator(bits[i + 1], ring) - session_.indicator(bits[i], ring);
    outside = outside + row_sums(column_sums(count));
  }
  outside = session_.add_public(outside, static_cast<double>(elements));
  const Shown shown = session_.show(outside);
  const Session::Comparison any{shown, ring - 1, 1};
  const Bits answer = session_.non_negative(std::span(&any, 1)).front();
  return session_.reveal(session_.indicator(answer, 3), To::everyone(), reason);
}

}  // namespace tacit::mpc
