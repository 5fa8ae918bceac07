#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "gnn/data/cleaning_mark.h"
#include "gnn/data/graph_file.h"
#include "gnn/data/split.h"
#include "gnn/train/prediction_agreement.h"
#include "launcher/commands/job_options.h"
#include "launcher/commands/verb.h"
#include "launcher/data/contents.h"
#include "launcher/data/new_file.h"
#include "net/private_folder.h"
#include "net/world.h"

namespace tacit::launcher {

namespace {

namespace fs = std::filesystem;

struct SplitOptions {
  std::string graph, out;
  JobOptions job;
  int parties = 0;
  std::string features, edges, labels, masks = "public";
  bool force = false, predict = false;
};

struct Split {
  gnn::Ownership ownership;
  int parties = 0;
  RankFiles files;
};

gnn::PartOwnership part(const std::string& text, gnn::GraphPart of) {
  if (text.empty()) {
    throw ConfigError(fmt::format("--{} is missing; say who holds them, or name a job with --job", gnn::name_of(of)));
  }
  return gnn::parse_ownership(text, of);
}

void state_sizes(gnn::Ownership& ownership, const std::vector<std::int64_t>& sizes) {
  using Kind = gnn::PartOwnership::Kind;
  if (ownership.features.kind == Kind::kByRows) ownership.features.sizes = sizes;
  if (ownership.edges.kind == Kind::kByOwner) ownership.edges.sizes = sizes;
}

// The names that the job has for the parts, in this folder, so that the job finds them there. Parts have the names rank0.npz, ...
// if there is no job, or if its names are no different .npz files.
RankFiles files_under(const fs::path& folder, const Split& split) {
  RankFiles named;
  std::set<std::string> names;
  for (int rank = 0; rank < split.parties; ++rank) {
    const fs::path name = fs::path(split.files.of(rank)).filename();
    if (name.extension() == ".npz" && names.insert(name.string()).second)
      named.each.push_back((folder / name).string());
  }
  if (std::ssize(named.each) == split.parties) return named;
  return {.pattern = (folder / "rank{rank}.npz").string(), .each = {}};
}

Split split_of(const SplitOptions& options, const std::optional<ReadJob>& job) {
  Split split;
  if (job) {
    const Job& of = job->job;
    split = {of.data.ownership, static_cast<int>(of.parties), options.predict ? of.predict_files : of.files};
  } else {
    if (options.parties < 1 || options.parties >= net::kMaxWorldSize) {
      throw ConfigError(fmt::format("--parties is {}; expected 1 ... {}, or a job with --job", options.parties,
                                    net::kMaxWorldSize - 1));
    }
    split.parties = options.parties;
    split.ownership = {part(options.features, gnn::GraphPart::kFeatures), part(options.edges, gnn::GraphPart::kEdges),
                       part(options.labels, gnn::GraphPart::kLabels), part(options.masks, gnn::GraphPart::kMasks)};
    gnn::check(split.ownership, split.parties);
  }
  if (!options.out.empty()) split.files = files_under(options.out, split);
  if (split.files.empty()) {
    throw ConfigError(fmt::format("--out is missing, and no job says {}: say where the parts go",
                                  options.predict ? "predict.files" : "data.files"));
  }
  if (options.predict) {
    split.ownership = gnn::ownership_of_prediction(split.ownership);
    if (job) state_sizes(split.ownership, job->job.predict_rows);
  }
  return split;
}

std::vector<fs::path> new_files(const Split& split, const SplitOptions& options) {
  std::vector<fs::path> files;
  for (int rank = 0; rank < split.parties; ++rank) {
    files.emplace_back(split.files.of(rank));
    if (files.back().extension() != ".npz") {
      throw ConfigError(
          fmt::format("{}: parts are written as .npz; end its name so, or say --out DIR", files.back().string()));
    }
    std::error_code none;
    if (fs::equivalent(files.back(), options.graph, none)) {
      throw ConfigError(fmt::format("{}: this is the graph to split, and a part would have its name; say another --out",
                                    options.graph));
    }
    expect_absent(files.back(), options.force);
    if (std::find(files.begin(), files.end() - 1, files.back()) != files.end() - 1) {
      throw ConfigError(fmt::format("{}: two ranks would have this file; give each its own, or say --out DIR",
                                    files.back().string()));
    }
  }
  return files;
}

// Writes all parts or none: removes the written ones if another part cannot be written.
class Parts {
 public:
  // `mark`: in the file of the whole graph.
  void write(const fs::path& file, const gnn::GraphData& part, const std::optional<gnn::CleaningMark>& mark) {
    const bool was_there = fs::exists(file);
    if (const std::error_code failed = net::make_folder(file.parent_path())) {
      throw ConfigError(fmt::format("the folder {} cannot be made: {}", file.parent_path().string(), failed.message()));
    }
    gnn::write_marked_npz(file, part, mark);
    if (!was_there) written_.push_back(file);
  }
  void keep() { written_.clear(); }
  ~Parts() {
    std::error_code ignored;
    for (const fs::path& file : written_) fs::remove(file, ignored);
  }

 private:
  std::vector<fs::path> written_;
};

Answer split_graph(const SplitOptions& options, Choice& choice) {
  std::optional<ReadJob> job;
  if (options.job.given()) job = options.job.load();
  if (job) explain(options.job, *job, choice);
  Split split = split_of(options, job);
  const std::vector<fs::path> files = new_files(split, options);
  const gnn::ClassNames class_names = job ? job->job.data.class_names : gnn::ClassNames();
  const gnn::GraphData whole = gnn::read_graph(options.graph, {.class_names = class_names, .missing_features = true});
  const std::optional<gnn::CleaningMark> mark = gnn::cleaning_mark_in(options.graph);
  if (!job) split.ownership.graphs = !whole.graphs.empty();
  if (!job) split.ownership.snapshots = whole.snapshots;
  if (!job) split.ownership.pairs = whole.pairs.has_value();
  if (whole.own_rows) {
    throw ConfigError(fmt::format("{}: the file is a part already (own_rows); expected a whole graph", options.graph));
  }
  Parts parts;
  Answer answer;
  answer.json["parts"] = Json::array();
  for (int rank = 0; rank < split.parties; ++rank) {
    if (options.predict && !gnn::takes_part(split.ownership, rank)) {
      answer.text += fmt::format("rank {}: no file, since it holds neither features nor edges\n", rank);
      continue;
    }
    const gnn::GraphData part = gnn::part_of(whole, split.ownership, rank, split.parties);
    const fs::path& file = files[static_cast<std::size_t>(rank)];
    parts.write(file, part, mark);
    answer.text += fmt::format("rank {}: {}: {}\n", rank, file.string(), contents(part));
    Json json = contents_json(part);
    json["rank"] = rank;
    json["file"] = file.string();
    answer.json["parts"].push_back(std::move(json));
  }
  parts.keep();
  return answer;
}

}  // namespace

void add_data_split(CLI::App& data, Choice& choice) {
  const auto options = std::make_shared<SplitOptions>();
  CLI::App* verb = add_verb(data, choice, "split", "split one graph into the parties' files, for trials",
                            "tacit data split whole.npz --job sensors.toml --out parts\n  tacit data split whole.npz "
                            "--parties 3 --features columns --edges \"rank 1\" --labels \"rank 2\" --out parts",
                            [options, &choice] { return split_graph(*options, choice); });
  verb->add_option("GRAPH", options->graph, "an .npz file, or a folder with nodes.csv and edges.csv")->required();
  verb->add_option("--out", options->out,
                   "folder for the parts, with the names that the job's data.files has, or rank0.npz, rank1.npz, ...; "
                   "otherwise they go where data.files says");
  CLI::Option* job = verb->add_option("--job", options->job.file, "the job, which names the owners of the data");
  add_job_options(*verb, options->job, job);
  verb->add_option("--parties", options->parties, "without a job: the number of parties")->excludes(job);
  verb->add_option("--features", options->features,
                   "without a job: the owners of the features, in the words of a job file")
      ->excludes(job);
  verb->add_option("--edges", options->edges, "likewise")->excludes(job);
  verb->add_option("--labels", options->labels, "likewise")->excludes(job);
  verb->add_option("--masks", options->masks, "likewise")->capture_default_str()->excludes(job);
  verb->add_flag("--predict", options->predict,
                 "data to predict: without labels and masks, and rows as predict.rows says, or evenly; to the job's "
                 "predict.files, or --out")
      ->needs(job);
  verb->add_flag("--force", options->force, kForceHelp);
}

}  // namespace tacit::launcher
