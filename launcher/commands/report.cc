#include "launcher/report/report.h"

#include <fmt/format.h>

#include "launcher/commands/verb.h"

namespace tacit::launcher {

namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string output, figures;
};

Answer report(const ReportOptions& options) {
  const Report made(options.folders);
  std::filesystem::path file = options.output;
  if (file.empty()) file = std::filesystem::path(options.folders.front()) / "report.html";
  write_page(file, made.page());
  Answer answer;
  answer.text = fmt::format("written: {}\n", file.string());
  answer.json = {{"report", file.string()}};
  if (!options.figures.empty()) {
    const std::vector<std::string> files = made.write_figures(options.figures);
    answer.text += fmt::format("written: {} figures in {}\n", files.size(), options.figures);
    answer.json["files"] = files;
  }
  answer.json.update(made.json());
  return answer;
}

}  // namespace

void add_report(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* verb =
      add_verb(tacit, choice, "report", "write an offline page about one run, or a comparison of several runs",
               "tacit report runs/1\n  tacit report runs/1 runs/2 runs/3 --output compared.html --figures figures",
               [options] { return report(*options); });
  verb->add_option("DIR", options->folders, "output folders of runs, or a rank's alone")->required();
  verb->add_option("--output", options->output, "the file for the page; otherwise report.html in the first DIR");
  verb->add_option("--figures", options->figures,
                   "write the numbers of each figure into this folder, as CSV for a plotting program");
}

}  // namespace tacit::launcher
