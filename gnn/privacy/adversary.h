// Adversary — an observer of a job, and the noise between the observer and a record.
//
// Noise has up to two sources: the dealer deals noise as shares, and each party adds noise of its own. An observer that made a
// part of the noise subtracts this part. One job therefore has a different epsilon for each observer.
#pragma once

#include <string>
#include <vector>

#include "gnn/plan/privacy_settings.h"
#include "gnn/privacy/mechanism.h"

namespace tacit::gnn {

enum class Observer {
  kOutsiders,  // everybody who sees the revealed values
  kDealer,     // the dealer, if it sees them
  kParties,    // parties that pool their views, without the owner of the record
};

struct Adversary {
  Observer observer = Observer::kOutsiders;
  int together = 0;  // number of parties that pool their views; 0: the observer is no party
  double noise = 0;  // standard deviation of the noise that the observer does not know, divided by the sensitivity
  double rate = 1;   // probability that a record takes part in a step
  // The most steps of one session that take a record, in a ledger of version 1; 0: any number.
  std::int64_t uses = 0;
  bool sample_seen = false;  // the observer sees which records each step takes (Mechanism::sample_seen)
};

// "the dealer, if it sees the revealed values"
std::string describe(const Adversary& adversary);

// Variances, in units of the square of the job's noise.
struct NoiseShares {
  double dealt = 0, each = 0;  // the dealt noise; the noise of each party
};

// Leaves a variance of at least 1 to `colluding` of the parties, and to the dealer unless all noise is dealt.
NoiseShares noise_shares(NoiseFrom from, int parties, int colluding);

// The adversaries of a job with this noise. `dealer`: the dealer sees the revealed values. Without colluding parties, no
// party is listed.
std::vector<Adversary> adversaries_of(NoiseFrom from, int parties, int colluding, double noise, double rate,
                                      bool dealer);

}  // namespace tacit::gnn
