// The pieces of a rank's events and of its summary, in JSON. Structs that run_fields.h describes need no function here.
#pragma once

#include "gnn/run/training_run.h"
#include "launcher/run_fields.h"

namespace tacit::launcher {

std::string text_of(const mpc::To& to);  // "everyone", "rank 1"

// `class_names`: the names of classes in the job; empty if it has none.
Json json_of(const gnn::EpochEvent& event, int rank, std::span<const std::string> class_names);
// Under "best": the epoch and the metrics of the best model, if the event says that it is the result.
void add_best(const gnn::EpochEvent& event, std::span<const std::string> class_names, Json& json);
Json json_of(const std::vector<gnn::EpochEvent::Reading>& readings, std::span<const std::string> class_names);
Json json_of(const std::vector<mpc::ProtocolCost>& costs);
Json json_of(const std::vector<mpc::Reveal>& reveals);
Json json_of(const gnn::TrainingProfile& profile);
// The sizes of the data and the model, from the ranks' agreement.
Json agreed_sizes(const gnn::DataPlan& data, const gnn::TrainingPlan& training, const gnn::DataAgreement& agreement);
// `rank` has no entry among the peers.
Json json_of(const net::Traffic& traffic, int rank);
net::Traffic traffic_in(const Json& object, int ranks);  // at most `ranks` ranks; others are left out

}  // namespace tacit::launcher
