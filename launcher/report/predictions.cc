#include "launcher/report/predictions.h"

#include <algorithm>

#include "launcher/report/run_figures.h"

namespace tacit::launcher {

namespace {

template <typename Stated, typename Measured>
void add(const RankAccount& account, const std::string& what, const Stated& stated, const Measured& measured,
         std::vector<Prediction>& all) {
  Prediction one{name_of_rank(account), what};
  for (const auto& [epoch, told] : account.epochs) {
    if (!told.stated || !told.measured) continue;
    const auto predicted = static_cast<double>(stated(*told.stated)),
               found = static_cast<double>(measured(*told.measured));
    one.stated += predicted;
    one.measured += found;
    ++one.epochs;
    one.differing += predicted == found ? 0 : 1;
  }
  if (one.epochs > 0) all.push_back(std::move(one));
}

void add_party(const RankAccount& account, std::vector<Prediction>& all) {
  add(
      account, "rounds", [](const mpc::Cost& cost) { return cost.rounds; },
      [](const EpochTraffic& traffic) { return traffic.rounds; }, all);
  add(
      account, "bytes to parties", [](const mpc::Cost& cost) { return cost.bytes; },
      [](const EpochTraffic& traffic) { return traffic.parties.payload_sent; }, all);
  add(
      account, "messages to parties", [](const mpc::Cost& cost) { return cost.messages; },
      [](const EpochTraffic& traffic) { return traffic.parties.messages_sent; }, all);
}

// What a party stated of the dealer, over the same epochs.
void add_dealer(const RankAccount& dealer, const RankAccount& party, std::vector<Prediction>& all) {
  Prediction bytes{name_of_rank(dealer), "bytes dealt"}, messages{name_of_rank(dealer), "messages dealt"};
  for (const auto& [epoch, told] : dealer.epochs) {
    const auto stated = party.epochs.find(epoch);
    if (!told.measured || stated == party.epochs.end() || !stated->second.stated) continue;
    bytes.stated += static_cast<double>(stated->second.stated->dealt_bytes);
    bytes.measured += static_cast<double>(told.measured->parties.payload_sent);
    messages.stated += static_cast<double>(stated->second.stated->dealt_messages);
    messages.measured += static_cast<double>(told.measured->parties.messages_sent);
    ++bytes.epochs;
  }
  messages.epochs = bytes.epochs;
  if (bytes.epochs > 0) all.insert(all.end(), {bytes, messages});
}

}  // namespace

std::vector<Prediction> predictions_of(const RunAccount& run) {
  std::vector<Prediction> all;
  const RankAccount *dealer = nullptr, *party = nullptr;
  for (const RankAccount& account : run.ranks) {
    if (account.role == "dealer") {
      dealer = &account;
    } else {
      if (party == nullptr) party = &account;
      add_party(account, all);
    }
  }
  const bool ended = dealer != nullptr && result_of(*dealer) == "finished";
  if (ended && party != nullptr) add_dealer(*dealer, *party, all);
  return all;
}

}  // namespace tacit::launcher
