// Writes the values revealed to a rank into its output folder, and describes them.
#pragma once

#include "gnn/run/training_run.h"
#include "gnn/train/link_pairs.h"
#include "launcher/job/job.h"
#include "launcher/run/output_folder.h"
#include "launcher/run/run_record.h"

namespace tacit::launcher {

// Writes model.npz and predictions.npz, if revealed to this rank, readable by their owner only.
// Throws ConfigError.
// `part` is this rank's data, for the names of features (described_model) and of nodes; null at the dealer.
void write_results(const gnn::RunResult& result, const Job& job, const OutputFolder& folder,
                   const gnn::GraphData* part);

// Writes links.csv. It lists the labelled pairs that this party of a training of links knows: the party's own links, and the drawn
// pairs. `numbers`: the numbers of all ranks' pairs. Throws ConfigError.
void write_links(const gnn::GraphData& part, const gnn::DataPlan& data, const gnn::LinkPairs& numbers,
                 const OutputFolder& folder);

// The reason why training ended before the job's last epoch; "" if it did not.
std::string why_stopped(const Job& job, const gnn::RunResult& result);

// Some lines for the user, from the summary.
std::string closing_text(const Json& summary, const OutputFolder& folder);

}  // namespace tacit::launcher
