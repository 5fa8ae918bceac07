// share_graph — from what each party's file holds to a secret graph that can be trained on.
#pragma once

#include "gnn/train/agreement.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

// Every rank calls it with the same agreement. Data leave their owners as shares only. An owner scales what it holds as
// a whole; what no owner does is scaled on shares. A private graph is added up from all owners' edges and normalised on
// shares.
SecretGraph share_graph(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PartOf& part_of);

}  // namespace tacit::gnn
