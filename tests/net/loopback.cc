#include "tests/net/loopback.h"

#include <ostream>
#include <thread>

namespace tacit::net {

std::vector<RosterEntry> entries_for(const std::vector<Identity>& identities, int parties) {
  std::vector<RosterEntry> entries;
  for (const Identity& identity : identities) {
    const Role role = static_cast<int>(entries.size()) < parties ? Role::kParty : Role::kDealer;
    entries.push_back({role, identity.fingerprint(), std::nullopt});
  }
  return entries;
}

namespace {

std::vector<Identity> generate(int number) {
  std::vector<Identity> identities;
  for (int i = 0; i < number; ++i) identities.push_back(Identity::generate());
  return identities;
}

}  // namespace

Ensemble::Ensemble(int parties, int helpers)
    : identities(generate(parties + helpers)), roster(entries_for(identities, parties)) {}

std::ostream& operator<<(std::ostream& text, const Outcome& outcome) {
  return text << "exit " << static_cast<int>(outcome.exit) << ", culprit " << outcome.culprit << ": " << outcome.what;
}

Outcome outcome_of(const std::function<void()>& step) {
  try {
    step();
    return {};
  } catch (const NetError& error) {
    return {error.exit(), error.culprit(), error.what()};
  } catch (const ProtocolError& error) {
    return {error.exit(), error.culprit(), error.what()};
  } catch (const Error& error) {
    return {error.exit(), -1, error.what()};
  } catch (const std::exception& error) {
    return {Exit::kBug, -1, error.what()};
  }
}

std::vector<Outcome> run_ranks(int ranks, const std::function<void(int rank)>& step) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(ranks));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] { outcomes[static_cast<std::size_t>(rank)] = outcome_of([&] { step(rank); }); });
    }
  }
  return outcomes;
}

}  // namespace tacit::net
