#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/new_file.h"
#include "launcher/model/export_format.h"
#include "launcher/run/revealed_model.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct ExportOptions {
  std::string from, format, out;
  std::vector<std::string> overrides;
  bool force = false;
};

// Without --format and --out, the model is listed and nothing is written.
Answer export_model(const ExportOptions& options) {
  const ExportFormat format = options.format.empty() ? format_of(options.out) : parse_export_format(options.format);
  const bool is_job = !std::filesystem::is_directory(options.from) && !options.from.ends_with(".npz");
  if (!options.overrides.empty() && !is_job) {
    throw ConfigError(fmt::format("{} changes settings of a job, and {} is none; leave it out", kOverrideFlag,
                                  net::printable(options.from, 200)));
  }
  const std::string out = options.out.empty() && !options.format.empty() ? "model." + options.format : options.out;
  const RevealedModel revealed = find_revealed_model(options.from, options.overrides);
  const std::string file = out.empty() ? revealed.file.string() : out;
  Answer answer;
  if (!out.empty()) {
    expect_absent(out, options.force);
    write_exported(out, revealed.model, format);
  }
  answer.text = fmt::format("{}{}\n", out.empty() ? "" : "written: ", file);
  answer.json = {{"file", file}, {"arrays", Json::object()}};
  for (const gnn::NamedArray& one : revealed.model.arrays) {
    answer.text += fmt::format("  {:<24} ({})\n", one.key, fmt::join(one.array.shape, ", "));
    answer.json["arrays"][one.key] = one.array.shape;
  }
  const std::string python = python_that_predicts(revealed.model, format, file);
  answer.text += python;
  answer.json["python"] = python;
  answer.json["model"] = Json::parse(text_of(revealed.model.description));
  return answer;
}

}  // namespace

void add_export(CLI::App& tacit, Choice& choice) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* verb =
      add_verb(tacit, choice, "export", "write a revealed model as a file that other programs predict with",
               "tacit export runs/rank0 --format onnx --out model.onnx", [options] { return export_model(*options); });
  verb->add_option("FROM", options->from,
                   "a rank's output folder, the folder of all ranks, the job file, or a model.npz")
      ->required();
  verb->add_option("--format", options->format,
                   "npz, safetensors or onnx; without it, the ending of --out decides, and other endings mean npz");
  verb->add_option("--out", options->out,
                   "file to write, by default model.FORMAT; without --format and --out the model is listed on stdout");
  verb->add_option(kOverrideFlag, options->overrides, "KEY=VALUE: a setting of the job, if FROM is a job")
      ->allow_extra_args(false);
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
