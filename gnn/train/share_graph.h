// share_graph shares the parties' files as one secret graph for training.
#pragma once

#include "gnn/train/agreement.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

// Every rank calls it with the same agreement. Data leave their owners as shares only. If one owner holds all rows or
// all columns that a scaling needs, it scales its own data; otherwise the data are scaled on shares. A private graph is
// added up from all owners' edges and normalised on shares. A training that is resumed passes the scale of its
// checkpoint: on shares, a scale that is computed anew is rounded anew.
SecretGraph share_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PartOf& part_of, const DataScale* resumed = nullptr);

}  // namespace tacit::gnn
