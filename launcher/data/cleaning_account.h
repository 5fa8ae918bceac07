// cleaning_account — the counts of a cleaning, as text and as JSON.
#pragma once

#include "gnn/clean/statistics.h"
#include "launcher/answer.h"

namespace tacit::launcher {

// `of`: the statistics of the rows that were read. `all`: the statistics of the whole table if values were imputed by
// them; otherwise null.
Answer cleaning_account(const gnn::CleaningRules& rules, const gnn::CleaningStatistics& of,
                        const gnn::CleaningStatistics* all);

}  // namespace tacit::launcher
