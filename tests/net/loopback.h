// Helpers for tests that run several ranks on this machine: keys and rosters made on the fly, and
// the outcome of a step.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "net/error.h"
#include "net/rendezvous/reserved_port.h"
#include "net/rendezvous/roster.h"
#include "net/tcp/identity.h"

namespace tacit::net {

// Keys and the roster of a world, made on the fly.
struct Ensemble {
  explicit Ensemble(int parties, int helpers = 0);

  std::vector<Identity> identities;  // by rank
  Roster roster;
};

std::vector<RosterEntry> entries_for(const std::vector<Identity>& identities, int parties);

// The outcome of a step, for expectations on the error of a rank.
struct Outcome {
  Exit exit = Exit::kOk;
  int culprit = -1;
  std::string what;
};

std::ostream& operator<<(std::ostream& text, const Outcome& outcome);
Outcome outcome_of(const std::function<void()>& step);

// Runs each rank in its own thread; returns when all have ended.
std::vector<Outcome> run_ranks(int ranks, const std::function<void(int rank)>& step);

}  // namespace tacit::net
