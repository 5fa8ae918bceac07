// agree_on_data — the agreement of all ranks on the data before a session: the holding, the
// number of nodes that count for training and metrics, and the number of nodes of a public graph
// that each layer reads.
//
// Every party announces the shapes and counts of its file to all ranks. The parties compare their
// public data without the dealer. The dealer knows no graph, so the parties send it the number of
// nodes in each view, and nothing else about a public graph.
#pragma once

#include <functional>
#include <map>

#include "gnn/data/holding.h"
#include "gnn/plan/data_plan.h"
#include "gnn/train/link_pairs.h"
#include "gnn/train/public_views.h"
#include "gnn/train/row_order.h"
#include "net/mesh.h"

namespace tacit::gnn {

// A rank's part of the data if this process holds it, and null otherwise.
using PartOf = std::function<const GraphData*(int rank)>;

struct DataAgreement {
  Holding holding;
  Counts counts;                // sums over all ranks
  std::vector<Counts> by_rank;  // counts of each rank's masks; empty if masks are public
  std::vector<Counts> links;    // each rank's links, in a job that learns links; `counts` has the drawn pairs, too
  // For a public graph. Empty without a graph, since a batch then reads its own rows.
  std::optional<PublicViews> views;                       // empty at the dealer
  std::vector<std::vector<std::int64_t>> training_sizes;  // for each batch, the numbers of nodes in its view
  std::vector<std::int64_t> whole_sizes;
  // For a job that learns links: the sizes of PublicViews::measured.
  std::map<Part, std::vector<std::int64_t>> measured_sizes = {};
  std::vector<std::int64_t> asked_sizes = {};

  // The labelled pairs of a job that learns links.
  LinkPairs link_pairs(const LinkPlan& plan) const;
  RowOrder row_order = {};
};

// `own` is the part of a party, with_links_apart() if the job learns links; null at the dealer. Throws the same ConfigError at every rank
// if a file does not fit the job or another file, if the rows of two parties have different names,
// or if the public data of two parties differ. Throws ProtocolError if a rank announces an
// impossible number, or if the dealer receives different views of the public graph.
DataAgreement agree_on_data(net::Mesh& mesh, const DataPlan& data, const TrainingPlan& training, const GraphData* own);
// The same agreement for a process that holds the files of all parts.
DataAgreement agreement_of(const DataPlan& data, const TrainingPlan& training, std::span<const GraphData> files);

// The rows in the mask of `part`; empty without such a mask.
Rows rows_of(const GraphData& data, Part part);

}  // namespace tacit::gnn
