// What was revealed to a rank, written into its output folder, and told.
#pragma once

#include "gnn/run/training_run.h"
#include "launcher/job/job.h"
#include "launcher/run/output_folder.h"
#include "launcher/run/run_record.h"

namespace tacit::launcher {

// model.npz and predictions.npz, where there are any; for their owner alone. Throws ConfigError.
void write_results(const gnn::RunResult& result, const Job& job, const OutputFolder& folder);

// Some lines for the user, from what the summary says.
// Why training ended before the last epoch that the job allows; "" where it did not.
std::string why_stopped(const Job& job, std::int64_t epochs);

std::string closing_text(const Json& summary, const OutputFolder& folder);

}  // namespace tacit::launcher
