#include "launcher/data/read_part.h"

#include <fmt/format.h>

#include <filesystem>

#include "gnn/data/graph_file.h"
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

}  // namespace

namespace {

gnn::GraphData read_whole_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored) {
  const gnn::Ownership& ownership = job.data.ownership;
  if (!gnn::splits_nodes(ownership) || !std::filesystem::is_directory(file))
    return gnn::read_graph(file, ignored, nullptr, job.data.class_names);
  const gnn::CsvRows rows{rank, stated_sizes(ownership)};
  if (rows.sizes.empty()) {
    throw ConfigError(
        fmt::format("{}: a folder of CSV files has its owner's nodes alone; say in the job how many each rank has, as "
                    "features = \"rows 100,200\", or store the part as .npz with own_rows",
                    file),
        "", "is a folder of CSV files; the job must say how many nodes each rank has");
  }
  return gnn::read_graph(file, ignored, &rows, job.data.class_names);
}

}  // namespace

gnn::GraphData read_part(const Job& job, int rank, const std::string& file, std::vector<std::string>* ignored) {
  gnn::GraphData part = read_whole_part(job, rank, file, ignored);
  leave_out_weights(job, part, ignored);
  return part;
}

void leave_out_weights(const Job& job, gnn::GraphData& part, std::vector<std::string>* ignored) {
  if (job.data.edge_weights || !part.edges || !part.edges->weighted()) return;
  part.edges->weights.clear();
  if (ignored != nullptr) ignored->push_back("edge_weight (the job does not say data.edge_weights = true)");
}

}  // namespace tacit::launcher
