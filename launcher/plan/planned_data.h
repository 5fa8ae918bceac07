// PlannedData — the sizes of the data for a plan, and for a public graph the number of nodes that
// each layer reads.
#pragma once

#include <optional>

#include "gnn/train/agreement.h"
#include "gnn/train/prediction_agreement.h"
#include "launcher/job/job.h"

namespace tacit::launcher {

// The sizes of the data, from the command line of a user without data.
struct StatedSizes {
  std::int64_t nodes = 0, features = 0, targets = 1;
  std::int64_t snapshots = 1;  // the job's; nodes are counted once
  std::int64_t graphs = 0;     // only if the model pools
  std::int64_t pairs = 0;      // to predict, if the job learns links
  // Edges of a private graph along which messages pass, at all ranks together: without links that are kept for a test.
  std::optional<std::int64_t> edges = std::nullopt;
  std::int64_t train = 0, validation = 0,
               test = 0;  // numbers of nodes (of rows, with snapshots), of graphs, or of links

  std::int64_t subjects() const { return graphs > 0 ? graphs : rows(); }
  std::int64_t rows() const { return nodes * snapshots; }
};

struct PlannedData {
  gnn::DataAgreement agreement;
  std::string from;         // a sentence: the source of the sizes
  bool at_most = false;     // the public graph is unknown, so every layer may read all nodes
  bool edges_known = true;  // the number of edges
};

// By the parts in data.files, which must all be on this machine; by a file with the whole graph; or
// by the stated sizes.
PlannedData data_by_parts(const Job& job);
PlannedData data_by_graph(const Job& job, const std::string& file);
// By all parties' parts if they are on this machine. Otherwise by this rank's part, with the
// assumption that the other parts have its size.
PlannedData data_for_memory(const Job& job, int rank);
PlannedData data_as_stated(const Job& job, const StatedSizes& sizes);

// The same for a prediction.
struct PlannedPredictionData {
  gnn::PredictionAgreement agreement;
  std::string from;
  bool at_most = false;
};
PlannedPredictionData prediction_data_by_parts(const Job& job);
PlannedPredictionData prediction_data_by_graph(const Job& job, const std::string& file);
PlannedPredictionData prediction_data_as_stated(const Job& job, const StatedSizes& sizes);

}  // namespace tacit::launcher
