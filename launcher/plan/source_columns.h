// The columns of a plan's table about the source of correlations: the bytes that the dealer sends; or, without a dealer, the part of
// the rounds and bytes with which the parties make correlations. A job in the mode "aggregate" has no such columns.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/job.h"
#include "launcher/json.h"
#include "mpc/session/cost.h"

namespace tacit::launcher {

void add_heading_of_source(const Job& job, std::vector<std::string>& row);
void add_source(const Job& job, const mpc::Cost& cost, std::vector<std::string>& row);

// The sentence about the leakage of lattice answers, in the units of mpc/ot/leakage_units.h; "" for a dealer's job. `in`: "200
// epochs".
std::string about_leakage(const Job& job, std::int64_t leakage, const std::string& in);
// A bound as a power of two: {"log2": -45.6, "most": -40}. Without any answer, log2 is null.
Json leakage_json(std::int64_t leakage);

// The lines below the table that explain the columns, and the cost before the first correlation; "" for a dealer's job.
std::string about_source(const Job& job);

}  // namespace tacit::launcher
