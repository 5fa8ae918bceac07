// bounded_leakage — refuses a run without a dealer whose lattice answers might tell more about the parties' masks than the bound
// of 2^-40 (condition (d) of mpc/lattice/masked_product.h), before any data are shared.
//
// The bound is for all epochs of a training together, however many sessions they take: the sessions of one job add up. Every rank
// computes the same sum from public shapes, so all ranks refuse with the same sentence.
#pragma once

#include <optional>

#include "gnn/run/planned_run.h"
#include "gnn/train/prediction_agreement.h"

namespace tacit::gnn {

// "2^-45.6", "0". In the units of mpc/ot/leakage_units.h.
std::string leakage_text(std::int64_t units);

// The leakage of all epochs of a training together.
std::int64_t planned_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                             int parties);

// The reason why a training of this plan must not begin; "" if it may. `leakage` is planned_leakage().
std::string excess_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                           int parties, std::int64_t leakage);

// Throws ConfigError if the plan's run must not begin. Without effect if the run has a dealer.
void expect_bounded_leakage(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                            int parties);
// The same for a prediction, or for a service until it is ready. A request to a service makes no product.
void expect_bounded_leakage(const DataPlan& data, const TrainingPlan& training, const PredictionAgreement& agreement,
                            int parties);

// The same for a prediction whose leakage is known.
void expect_bounded_leakage(const TrainingPlan& training, std::int64_t leakage_of_prediction);

}  // namespace tacit::gnn
