#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/new_file.h"
#include "launcher/run/revealed_model.h"

namespace tacit::launcher {

namespace {

struct ExportOptions {
  std::string from, out;
  std::vector<std::string> overrides;
  bool force = false;
};

Answer export_model(const ExportOptions& options) {
  const RevealedModel model = find_revealed_model(options.from, options.overrides);
  const std::string file = options.out.empty() ? model.file.string() : options.out;
  Answer answer;
  if (!options.out.empty()) {
    expect_absent(options.out, options.force);
    gnn::write_npz(options.out, model.arrays);
  }
  answer.text = fmt::format("{}{}\n", options.out.empty() ? "" : "written: ", file);
  answer.json = {{"file", file}, {"arrays", Json::object()}};
  for (const gnn::NamedArray& one : model.arrays) {
    answer.text += fmt::format("  {:<24} ({})\n", one.key, fmt::join(one.array.shape, ", "));
    answer.json["arrays"][one.key] = one.array.shape;
  }
  const std::string python = python_that_loads(model, file);
  answer.text += "in Python, with numpy, torch and torch_geometric:\n" + python;
  answer.json["python"] = python;
  return answer;
}

}  // namespace

void add_export(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = add_verb(tacit, choice, "export", "write a revealed model as a file for PyTorch Geometric",
                            "tacit export runs/rank0 --out model.npz", [options] { return export_model(*options); });
  verb->add_option("FROM", options->from, "a rank's output folder, the folder of all ranks, or the job file")
      ->required();
  verb->add_option("--out", options->out, "file to write; otherwise the model is listed on stdout");
  verb->add_option(kOverrideFlag, options->overrides, "KEY=VALUE: a setting of the job, if FROM is a job")
      ->allow_extra_args(false);
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
