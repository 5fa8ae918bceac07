// cleaning_account — the counts of a cleaning, as text and as JSON.
#pragma once

#include <span>

#include "gnn/clean/statistics.h"
#include "launcher/answer.h"

namespace tacit::launcher {

// `of`: the statistics of the rows that were read. `all`: of the whole table, if its values were imputed; null otherwise.
// `not_utf8`: for each rule, the invalid values that are not UTF-8, if they were counted.
Answer cleaning_account(const gnn::CleaningRules& rules, const gnn::CleaningStatistics& of,
                        const gnn::CleaningStatistics* all, std::span<const std::int64_t> not_utf8 = {});

}  // namespace tacit::launcher
