#include "gnn/run/bounded_leakage.h"

#include <fmt/format.h>

#include <algorithm>

#include "gnn/run/planned_prediction.h"
#include "mpc/ot/leakage_units.h"
#include "net/error.h"

namespace tacit::gnn {

namespace {

// Steps that are planned one by one: enough for each kind of epoch, and a matter of milliseconds.
constexpr std::int64_t kPlannedSteps = 50;

// A number of epochs that stays within the bound, or 0 if not even one epoch does. About the largest such number, since epochs with
// and without evaluations leak differently.
std::int64_t epochs_within(const DataPlan& data, TrainingPlan training, const DataAgreement& agreement, int parties,
                           std::int64_t leakage) {
  while (training.epochs > 1 && leakage > mpc::kMostLeakage) {
    constexpr double kSafely = 0.999;  // so that a few plans suffice
    const double part = kSafely * static_cast<double>(mpc::kMostLeakage) / static_cast<double>(leakage);
    const auto fewer = static_cast<std::int64_t>(part * static_cast<double>(training.epochs));
    training.epochs = std::clamp<std::int64_t>(fewer, 1, training.epochs - 1);
    leakage = planned_leakage(data, training, agreement, parties);
  }
  return leakage > mpc::kMostLeakage ? 0 : training.epochs;
}

std::string other_remedies(const TrainingPlan& training) {
  const int bits = training.top.ring_bits;
  const char* narrower = bits > 56   ? "narrow the ring (ring.bits = 56 or 48), or "
                         : bits > 48 ? "narrow the ring (ring.bits = 48), or "
                                     : "";
  return fmt::format("{}take a dealer (correlations = \"dealer\")", narrower);
}

std::string excess(std::string_view what, std::int64_t leakage) {
  return fmt::format(
      "without a dealer, the matrix products of {} may tell a party's peers more about its masks (up to {}) than the "
      "bound of "
      "2^-40 allows: ",
      what, leakage_text(leakage));
}

}  // namespace

std::string leakage_text(std::int64_t units) {
  return units == 0 ? "0" : fmt::format("2^{:.1f}", mpc::log2_of_leakage(units));
}

std::int64_t planned_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                             int parties) {
  const PlannedRank rank{parties, 0, net::AllReducePlan::unmeasured(parties), kPlannedSteps};
  return planned_run(data, training, sizes_of(agreement), rank).total.cost.made_leakage;
}

std::string excess_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                           int parties, std::int64_t leakage) {
  if (!training.is_pairwise() || leakage <= mpc::kMostLeakage) return "";
  const std::int64_t fewer = epochs_within(data, training, agreement, parties, leakage);
  return excess(fmt::format("{} epochs", training.epochs), leakage) +
         (fewer > 0 ? fmt::format("{} epochs stay within it, in all sessions together, as the sessions of one job add "
                                  "up. Set training.epochs = {}, ",
                                  fewer, fewer)
                    : "not even one epoch stays within it. ") +
         other_remedies(training);
}

void expect_bounded_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                            int parties) {
  if (!training.is_pairwise()) return;
  const std::string why =
      excess_leakage(data, training, agreement, parties, planned_leakage(data, training, agreement, parties));
  if (!why.empty()) throw ConfigError(why);
}

void expect_bounded_leakage(const DataPlan& data, const TrainingPlan& training, const PredictionAgreement& agreement,
                            int parties) {
  if (!training.is_pairwise()) return;
  const PlannedRank rank{parties, 0, net::AllReducePlan::unmeasured(parties), kPlannedSteps};
  expect_bounded_leakage(training,
                         planned_prediction(data, training, sizes_of(agreement), rank).total().cost.made_leakage);
}

void expect_bounded_leakage(const TrainingPlan& training, std::int64_t leakage_of_prediction) {
  if (leakage_of_prediction <= mpc::kMostLeakage) return;
  throw ConfigError(excess("this prediction", leakage_of_prediction) +
                    "predict in parts (fewer nodes, or other data), " + other_remedies(training));
}

}  // namespace tacit::gnn
