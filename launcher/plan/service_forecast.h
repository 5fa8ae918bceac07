// service_forecast — the cost of tacit serve: exact rounds and bytes until it is ready and of a request, approximate time.
#pragma once

#include <vector>

#include "launcher/answer.h"
#include "launcher/job/job.h"
#include "launcher/plan/planned_data.h"
#include "launcher/settings/link.h"

namespace tacit::launcher {

// The forecast is for requests of the first rank to which the job reveals predictions. `threads`: the threads of a
// rank, on a machine like this. Throws ConfigError if the job reveals no prediction.
Answer service_forecast(const Job& job, const PlannedPredictionData& data, const std::vector<Link>& links, int threads);

}  // namespace tacit::launcher
