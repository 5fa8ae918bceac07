#include "mpc/session/clear_session.h"

#include <cmath>

#include "mpc/session/inside.h"

namespace tacit::mpc {

ClearSession::ClearSession(int parties, std::uint64_t seed, int threads)
    : ClearSession(parties, seed, std::make_unique<Workers>(threads)) {}

ClearSession::ClearSession(int parties, std::uint64_t seed, std::unique_ptr<Workers> workers)
    : SessionOver(*workers), parties_(parties), workers_(std::move(workers)), clear_(*workers_, seed) {}

void ClearSession::expect_between(const Share& x, double begin, double end, std::string_view what) {
  const int f = x.fraction_bits();
  const auto middle = static_cast<std::int64_t>(std::ldexp((begin + end) / 2, f));
  clear_.expect_below(what, Inside::words(x), middle, std::ldexp((end - begin) / 2, f) + 1, f);
}

}  // namespace tacit::mpc
