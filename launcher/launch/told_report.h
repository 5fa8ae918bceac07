// Where the report of a run is, in the answer of the verb that ran it.
#pragma once

#include "launcher/answer.h"
#include "launcher/processes/console.h"
#include "launcher/report/report.h"

namespace tacit::launcher {

// A line of the answer where the run went well; where it did not, or there is no report, the console says it.
void tell_report(const WrittenReport& report, Answer& answer, Console& console);

}  // namespace tacit::launcher
