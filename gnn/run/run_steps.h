// The steps with which the training and the prediction of one rank begin.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gnn/plan/plans.h"
#include "gnn/run/training_run.h"
#include "mpc/ahead/making_ahead.h"
#include "mpc/correlations/correlations.h"
#include "net/collectives/all_reduce.h"
#include "net/mesh.h"

namespace tacit::gnn {

inline constexpr std::string_view kCheckpoints =
    "its checkpoints";  // subject of an error in the messages to other ranks

// Compares the builds and the plans of all ranks. A rank with another plan would compute wrong values or wait for ever.
// `more`: lines "name = value" that must be equal, too. All ranks throw the same ConfigError, which names the first
// difference.
void expect_same_plans(net::Mesh& mesh, const Plans& plans, const std::string& more);

// The source of a party's correlations, as the plan says; null if the parties make them (maker_of()). All ranks throw the same
// ConfigError if the mesh has a dealer without a part in the training, or lacks the dealer of the plan.
mpc::CorrelationSource source_of(const TrainingPlan& training, const net::World& world);

// The thread of a party that makes correlations, where the plan has no dealer; otherwise null.
std::unique_ptr<mpc::MakingAhead> maker_of(const TrainingPlan& training, net::Mesh& mesh,
                                           const mpc::SessionOptions& options);

// Adds the rounds and messages of a maker to the result of its party, whose operations have stated its bytes.
void add_making(const mpc::MakingAhead& maker, RunResult& result);

// The line of expect_same_plans() about the source, which is no setting of the plans.
std::string source_line(const TrainingPlan& training);

// The opening algorithm of a party's session. `measuring` is called before the links are measured, if the plan says so.
net::AllReducePlan openings_of_session(net::Mesh& mesh, Openings openings, const std::function<void()>& measuring);

}  // namespace tacit::gnn
