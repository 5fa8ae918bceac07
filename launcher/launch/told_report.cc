#include "launcher/launch/told_report.h"

#include <fmt/format.h>

namespace tacit::launcher {

void tell_report(const WrittenReport& report, Answer& answer, Console& console) {
  if (!report.problem.empty()) console.say("tacit: there is no report: " + report.problem);
  if (report.file.empty()) return;
  answer.json["report"] = report.file;
  const std::string line = fmt::format("report: {}", report.file);
  if (answer.exit == Exit::kOk) {
    answer.text += line + "\n";
  } else {
    console.say("tacit: " + line);
  }
}

}  // namespace tacit::launcher
