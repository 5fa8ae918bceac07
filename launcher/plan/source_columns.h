// The columns of a plan's table about the source of correlations: the bytes that the dealer sends; or, without a dealer, the part of
// the rounds and bytes with which the parties make correlations. A job in the mode "aggregate" has no such columns.
#pragma once

#include <string>
#include <vector>

#include "launcher/job/job.h"
#include "mpc/session/cost.h"

namespace tacit::launcher {

void add_heading_of_source(const Job& job, std::vector<std::string>& row);
void add_source(const Job& job, const mpc::Cost& cost, std::vector<std::string>& row);

// The lines below the table that explain the columns, and the cost before the first correlation; "" for a dealer's job.
std::string about_source(const Job& job);

}  // namespace tacit::launcher
