#include "launcher/data/read_part.h"

#include <fmt/format.h>

#include <filesystem>

#include "gnn/data/graph_file.h"
#include "gnn/data/snapshots.h"
#include "gnn/train/prediction_agreement.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

std::vector<std::int64_t> stated_sizes(const gnn::Ownership& ownership) {
  for (const gnn::PartOwnership* part : {&ownership.features, &ownership.edges, &ownership.labels, &ownership.masks}) {
    using Kind = gnn::PartOwnership::Kind;
    if ((part->kind == Kind::kByRows || part->kind == Kind::kByOwner) && !part->sizes.empty()) return part->sizes;
  }
  return {};
}

// `split`: the ownership of the file's data. `setting`: an example of the setting that states the sizes.
gnn::GraphData read(const Job& job, const gnn::Ownership& split, const gnn::CsvRows& rows, const char* setting,
                    const std::string& file, std::vector<std::string>* ignored) {
  const bool of_owner = gnn::splits_nodes(split) && std::filesystem::is_directory(file);
  if (of_owner && rows.sizes.empty()) {
    throw ConfigError(
        fmt::format("{}: a folder of CSV files has its owner's nodes alone; say in the job how many each rank has, as "
                    "{}, or store the part as .npz with own_rows",
                    file, setting),
        "", "is a folder of CSV files; the job must say how many nodes each rank has");
  }
  gnn::GraphData part =
      gnn::read_graph(file, {ignored, of_owner ? &rows : nullptr, job.data.class_names, job.data.fills_features()});
  leave_out_unused(job, part, ignored);
  // Edges are the same in all snapshots, so a part with edges alone need not say how many there are.
  const bool no_rows = !part.x && !part.sparse_x && !part.classes && !part.targets && !part.train_mask &&
                       !part.val_mask && !part.test_mask;
  if (no_rows && part.snapshots == 1) gnn::repeat_in_snapshots(part, job.data.snapshots);
  return part;
}

}  // namespace

gnn::GraphData read_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored) {
  const gnn::Ownership& ownership = job.data.ownership;
  return read(job, ownership, {rank, stated_sizes(ownership)}, "features = \"rows 100,200\"", file, ignored);
}

gnn::GraphData read_other_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored) {
  gnn::CsvRows rows{rank, job.predict_rows, "in predict.rows", "change predict.rows"};
  if (rows.sizes.empty()) rows = {rank, stated_sizes(job.data.ownership), "in the training", "state predict.rows"};
  return read(job, gnn::ownership_of_prediction(job.data.ownership), rows, "predict.rows = [100, 200]", file, ignored);
}

gnn::GraphData read_whole(const Job& job, const std::string& file) {
  return gnn::read_graph(file, {.class_names = job.data.class_names, .missing_features = job.data.fills_features()});
}

void leave_out_unused(const Job& job, gnn::GraphData& part, std::vector<std::string>* ignored) {
  if (!job.data.links && part.pairs) {
    part.pairs.reset();
    if (ignored != nullptr) ignored->push_back("pairs (the job has no table data.links)");
  }
  if (part.edges && !part.edges->parts.empty() && !(job.data.links && job.data.links->from_files)) {
    part.edges->parts.clear();
    if (ignored != nullptr) ignored->push_back("edge_part (the job does not say data.links.split = \"files\")");
  }
  if (job.data.edge_weights || !part.edges || !part.edges->weighted()) return;
  part.edges->weights.clear();
  if (ignored != nullptr) ignored->push_back("edge_weight (the job does not say data.edge_weights = true)");
}

}  // namespace tacit::launcher
