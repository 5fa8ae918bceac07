#include "launcher/doctor/finding.h"

#include "launcher/table.h"

namespace tacit::launcher {

std::string text_of(const std::vector<Finding>& findings) {
  std::vector<std::vector<std::string>> rows;
  for (const Finding& finding : findings) {
    const char* kind = finding.kind == Finding::Kind::kOk     ? "ok"
                       : finding.kind == Finding::Kind::kNote ? "note"
                                                              : "WRONG";
    rows.push_back({kind, finding.what, finding.text});
  }
  return table(rows, 3);
}

}  // namespace tacit::launcher
