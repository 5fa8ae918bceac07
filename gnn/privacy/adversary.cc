#include "gnn/privacy/adversary.h"

#include <fmt/format.h>

#include <cmath>

#include "net/error.h"

namespace tacit::gnn {

std::string describe(const Adversary& adversary) {
  switch (adversary.observer) {
    case Observer::kOutsiders:
      return "everyone who sees the revealed values";
    case Observer::kDealer:
      return "the dealer, if it sees the revealed values";
    case Observer::kParties:
      break;
  }
  if (adversary.together == 1) return "1 party, not the owner";
  return fmt::format("{} parties together, none the owner", adversary.together);
}

NoiseShares noise_shares(NoiseFrom from, int parties, int colluding) {
  TACIT_CHECK(parties >= 1 && colluding >= 0 && colluding < parties);
  const double honest = parties - colluding;
  switch (from) {
    case NoiseFrom::kBoth:
      return {1 - honest / parties, 1.0 / parties};
    case NoiseFrom::kParties:
      return {0, 1 / honest};
    case NoiseFrom::kDealt:
      break;
  }
  return {1, 0};
}

std::vector<Adversary> adversaries_of(NoiseFrom from, int parties, int colluding, double noise, double rate,
                                      bool dealer) {
  const NoiseShares shares = noise_shares(from, parties, colluding);
  const auto left = [noise](double variance) { return noise * std::sqrt(variance); };
  std::vector<Adversary> all = {{Observer::kOutsiders, 0, left(shares.dealt + parties * shares.each), rate}};
  if (dealer) all.push_back({Observer::kDealer, 0, left(parties * shares.each), rate});
  if (colluding > 0) {
    const double honest = parties - colluding;
    all.push_back({Observer::kParties, colluding, left(shares.dealt + honest * shares.each), rate});
  }
  return all;
}

}  // namespace tacit::gnn
