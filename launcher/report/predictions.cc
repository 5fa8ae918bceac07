#include "launcher/report/predictions.h"

#include "launcher/report/run_figures.h"

namespace tacit::launcher {

namespace {

struct Compared {
  const char* name;
  std::int64_t (*stated)(const mpc::Cost&);
  std::int64_t (*measured)(const EpochTraffic&);
};

constexpr Compared kOfParty[] = {{"rounds", [](const mpc::Cost& cost) { return cost.rounds; },
                                  [](const EpochTraffic& traffic) { return traffic.rounds; }},
                                 {"bytes to parties", [](const mpc::Cost& cost) { return cost.bytes; },
                                  [](const EpochTraffic& traffic) { return traffic.parties.payload_sent; }},
                                 {"messages to parties", [](const mpc::Cost& cost) { return cost.messages; },
                                  [](const EpochTraffic& traffic) { return traffic.parties.messages_sent; }}};

constexpr Compared kOfDealer[] = {{"bytes dealt", [](const mpc::Cost& cost) { return cost.dealt_bytes; },
                                   [](const EpochTraffic& traffic) { return traffic.parties.payload_sent; }},
                                  {"messages dealt", [](const mpc::Cost& cost) { return cost.dealt_messages; },
                                   [](const EpochTraffic& traffic) { return traffic.parties.messages_sent; }}};

// The epochs of `measuring` against the statements of `stating`.
Prediction compare(const Compared& compared, const RankAccount& stating, const RankAccount& measuring) {
  Prediction one{name_of_rank(measuring), compared.name};
  for (const auto& [epoch, told] : measuring.epochs) {
    const auto its = stating.epochs.find(epoch);
    if (!told.measured || its == stating.epochs.end() || !its->second.stated) continue;
    const auto stated = static_cast<double>(compared.stated(*its->second.stated)),
               measured = static_cast<double>(compared.measured(*told.measured));
    one.stated += stated;
    one.measured += measured;
    ++one.epochs;
    one.differing += stated == measured ? 0 : 1;
  }
  return one;
}

}  // namespace

std::vector<Prediction> predictions_of(const RunAccount& run) {
  std::vector<Prediction> all;
  if (run.is_pairwise()) return all;  // messages of makers belong to no epoch
  const auto add = [&](Prediction one) {
    if (one.epochs > 0) all.push_back(std::move(one));
  };
  const RankAccount *dealer = nullptr, *party = nullptr;
  for (const RankAccount& account : run.ranks) {
    if (account.role == "dealer") {
      dealer = &account;
      continue;
    }
    if (party == nullptr) party = &account;
    for (const Compared& compared : kOfParty) add(compare(compared, account, account));
  }
  if (dealer == nullptr || party == nullptr || result_of(*dealer) != "finished") return all;
  for (const Compared& compared : kOfDealer) {
    Prediction one = compare(compared, *party, *dealer);
    one.differing = 0;  // the dealer runs ahead, so only sums over all epochs are compared
    add(std::move(one));
  }
  return all;
}

}  // namespace tacit::launcher
