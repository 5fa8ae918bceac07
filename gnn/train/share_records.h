// share_records — the secret data of a private training on shares, if every owner has whole records: the records for metrics.
// Records to train on are put in anew for each step (record_draw.h).
//
// Every owner's records are put in part by part, so that a part is a range of rows. The numbers of records of each part are
// known to all ranks; the places of an owner's records in its file are not.
//
// If all parties sample together, they know which rows are trained on, and all rows are put in once (share_graph.h).
#pragma once

#include "gnn/train/own_records.h"
#include "gnn/train/trainer.h"

namespace tacit::gnn {

SecretGraph share_records(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                          const DataAgreement& agreement, RecordSource source);

// share_graph() of any training. `source`: of a private one.
SecretGraph share_for_training(mpc::Session& session, const DataPlan& data, const TrainingPlan& training,
                               const DataAgreement& agreement, const PartOf& part_of,
                               std::optional<RecordSource> source, const DataScale* resumed = nullptr);

}  // namespace tacit::gnn
