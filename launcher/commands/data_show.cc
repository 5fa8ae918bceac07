#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gnn/data/cleaning_mark.h"
#include "gnn/data/graph_file.h"
#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/contents.h"
#include "launcher/data/new_file.h"
#include "launcher/data/summary.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

struct ShowOptions {
  std::string file, npz;
  bool force = false;
  JobOptions job;
  std::int64_t columns = 12;
};

std::vector<std::string> printable_names(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 20;
  std::vector<std::string> safe;
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) safe.push_back(net::printable(names[i], 60));
  return safe;
}

Answer show(const ShowOptions& options, Choice& choice) {
  std::vector<std::string> ignored;
  gnn::ClassNames class_names;
  if (options.job.given()) {
    const ReadJob job = options.job.load();
    explain(options.job, job, choice);
    class_names = job.job.data.class_names;
  }
  const gnn::GraphData data =
      gnn::read_graph(options.file, {.ignored = &ignored, .class_names = class_names, .missing_features = true});
  if (!options.npz.empty()) {
    expect_absent(options.npz, options.force);
    gnn::write_marked_npz(options.npz, data, gnn::cleaning_mark_in(options.file));
  }
  const GraphSummary summary = summarise(data, options.columns);
  Answer answer;
  answer.text = fmt::format("{}: {}\n{}", options.file, contents(data), to_text(summary, letters_of_terminal()));
  const std::vector<std::string> names = printable_names(ignored);
  if (!names.empty()) {
    answer.text += fmt::format("  not part of a graph, and ignored: {}{}\n", fmt::join(names, ", "),
                               ignored.size() > names.size() ? ", ..." : "");
  }
  answer.json = contents_json(data);
  answer.json["file"] = options.file;
  answer.json["summary"] = to_json(summary);
  answer.json["ignored"] = names;
  return answer;
}

}  // namespace

void add_data_show(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* verb = add_verb(data, choice, "show", "summarise a graph's file, with small histograms: for its owner only",
                            "tacit data show rank0.npz", [options, &choice] { return show(*options, choice); });
  verb->add_option("FILE", options->file, "an .npz file, or a folder with nodes.csv and edges.csv")->required();
  CLI::Option* job = verb->add_option("--job", options->job.file,
                                      "the job, if the file has classes by their names (data.class_names)");
  CLI::Option* npz = verb->add_option("--npz", options->npz, "also write the graph or the part into this .npz file");
  verb->add_flag("--force", options->force, kForceHelp)->needs(npz);
  add_job_options(*verb, options->job, job);
  verb->add_option("--columns", options->columns, "number of columns of x to show")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000}));
}

}  // namespace tacit::launcher
