// Report — the folders of one run or several, made into a page, pictures and numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "launcher/json.h"
#include "launcher/report/run_account.h"

namespace tacit::launcher {

class Report {
 public:
  // One folder, or up to kMostCompared to compare. Throws ConfigError if one holds no run, or cannot be read.
  explicit Report(const std::vector<std::string>& folders);

  std::string page() const;
  // The numbers of each figure that shows something: "loss.csv". Returns their paths.
  std::vector<std::string> write_figures(const std::filesystem::path& folder) const;
  Json json() const;  // each run's account in short, and the numbers of all figures

 private:
  std::vector<RunAccount> runs_;
};

// Writes the whole page or nothing, with mode 0600. Throws ConfigError.
void write_page(const std::filesystem::path& file, const std::string& text);

// Writes the report of a run that has just ended: OUTPUT/report.html, or `file`. A report that cannot be written is no
// failure of the run.
struct WrittenReport {
  std::string file;     // "": no page
  std::string problem;  // the reason; "" if there was nothing to report
};
WrittenReport report_of_run(const std::filesystem::path& output, std::filesystem::path file = {});

}  // namespace tacit::launcher
