// tell_report — puts the place of a run's report into the verb's answer.
#pragma once

#include "launcher/answer.h"
#include "launcher/processes/console.h"
#include "launcher/report/report.h"

namespace tacit::launcher {

// After a success: a line of the answer. After a failure, the console prints the line. The console
// also prints why a report is missing.
void tell_report(const WrittenReport& report, Answer& answer, Console& console);

}  // namespace tacit::launcher
