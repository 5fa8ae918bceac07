#include "launcher/report/run_in_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/run/bounded_leakage.h"
#include "launcher/job/job.h"
#include "launcher/report/quantity.h"
#include "mpc/ot/leakage_units.h"

namespace tacit::launcher {

namespace {

// "2026-11-21 23:43 UTC" of "2026-11-21T23:43:35.688Z".
std::string minute_of(const std::string& time) {
  if (time.size() < 16 || time[10] != 'T') return time;
  return fmt::format("{} {} UTC", time.substr(0, 10), time.substr(11, 5));
}

// Each party that ended well states the leakage of its last session.
std::string leakage_of(const RunAccount& run) {
  std::int64_t most = -1;
  std::size_t sessions = 0;
  for (const RankAccount& account : run.ranks) {
    sessions = std::max(sessions, account.sessions.size());
    if (account.stated_by_protocol.empty()) continue;
    std::int64_t leakage = 0;
    for (const ToldCost& one : account.stated_by_protocol) leakage = mpc::capped_sum(leakage, one.cost.made_leakage);
    most = std::max(most, leakage);
  }
  if (most < 0) return "";
  return fmt::format(" Lattice answers tell at most {} about a party’s masks{}.", gnn::leakage_text(most),
                     sessions > 1 ? fmt::format(" in the last of {} sessions, whose bounds add up (each is at most {})",
                                                sessions, gnn::leakage_text(mpc::kMostLeakage))
                                  : "");
}

}  // namespace

std::string threat_model(const RunAccount& run) {
  const int parties = run.parties();
  std::string text =
      run.setting("training.mode") == "\"aggregate\""
          ? "Every party knows the model after every step. If all parties follow the protocol, a party "
            "sees nothing more of the others’ records than sums of clipped gradients with noise. This "
            "page lists how much the sums tell of one record. Not hidden: sizes, timing, and all values "
            "that this page lists as revealed."
          : fmt::format(
                "Protects each party’s data from {}, even if they study all messages that they see, provided that "
                "they follow the protocol{} Not hidden: sizes, timing, and all values that this page lists as "
                "revealed.",
                parties == 0   ? "all other parties together"
                : parties == 1 ? "nobody (there is only one party)"
                : parties == 2 ? "the other party"
                               : fmt::format("the other {} parties together", parties - 1),
                run.is_pairwise()
                    ? fmt::format(". Trust: {}.{}", trust_without_dealer(run.correlations()), leakage_of(run))
                    : " and that none of them works together with the dealer: the dealer and any one party "
                      "could learn everything.");
  if (run.keys_in_one_place) {
    text +=
        " The keys of all ranks were made in this run’s folder, so this run protected nobody: it was a trial of the "
        "job.";
  }
  return text;
}

std::string in_a_sentence(const RunAccount& run) {
  const RankAccount& teller = run.teller();
  std::string text;
  if (run.parties() > 0) {
    text = fmt::format("{} {}{} · ", run.parties(), run.parties() == 1 ? "party" : "parties",
                       run.setting("correlations") == "\"none\"" ? ""
                       : run.is_pairwise()                       ? ", no dealer"
                                                                 : " and a dealer");
  }
  const std::int64_t epochs = teller.epochs.empty() ? 0 : teller.epochs.rbegin()->first;
  text += fmt::format("{}{} {}", grouped(epochs),
                      teller.epochs_planned > epochs ? " of " + grouped(teller.epochs_planned) : "",
                      epochs == 1 && teller.epochs_planned <= 1 ? "epoch" : "epochs");
  const std::string bits = run.setting("ring.bits"), fraction = run.setting("ring.fraction_bits");
  if (!bits.empty()) text += fmt::format(" · ring of 2^{}, {} fraction bits", bits, fraction);
  if (!teller.sessions.empty() && !teller.sessions.front().started.empty()) {
    text += " · " + minute_of(teller.sessions.front().started);
  }
  return text;
}

}  // namespace tacit::launcher
