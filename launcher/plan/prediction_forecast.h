// prediction_forecast — the cost of a prediction: exact rounds and bytes, approximate time.
#pragma once

#include <vector>

#include "launcher/answer.h"
#include "launcher/job/job.h"
#include "launcher/plan/planned_data.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

// `threads`: the threads of a rank, on a machine like this. Throws ConfigError if the job reveals no prediction.
Answer prediction_forecast(const Job& job, const PlannedPredictionData& data, const std::vector<Link>& links,
                           int threads);

}  // namespace tacit::launcher
