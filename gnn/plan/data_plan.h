// DataPlan — the settings of a job's data: which rank holds each part, and how features and targets
// are scaled.
//
// The plan is public and equal at every rank.
#pragma once

#include <optional>

#include "gnn/data/class_names.h"
#include "gnn/data/links.h"
#include "gnn/data/ownership.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

enum class FeatureScaling {
  kNone,         // unchanged: the job declares how large the features are
  kWhole,        // unchanged, and all are whole numbers: on shares they have no fraction bits
  kStandardise,  // every column to mean 0 and deviation 1
  kRowSum,       // every row to a sum of absolute values of 1, as Kipf and Welling do; a row of zeros stays
};

enum class MissingFeatures {
  kRefused,
  kMean,  // the mean of the column's known features, of all owners
};

// How the ranks hold a private graph.
enum class AdjacencyForm {
  kDense,   // a matrix of nodes by nodes on shares, masked once
  kSparse,  // a sparse matrix that the owner of all edges alone knows
};

struct DataPlan {
  Ownership ownership;
  std::int64_t classes = 0;     // number of classes; 0: the labels are targets
  ClassNames class_names = {};  // of all classes, or of none
  // The model learns which pairs of nodes have an edge. The edges are the labels, and no rank holds other labels or masks:
  // class 1 is a pair with an edge, class 0 one without.
  std::optional<LinkPlan> links = {};
  std::int64_t snapshots = 1;                       // states of the graph, with the same edges (snapshots.h)
  bool edge_weights = false;                        // edges have weights; otherwise each counts once
  AdjacencyForm adjacency = AdjacencyForm::kDense;  // of a private graph
  FeatureScaling features = FeatureScaling::kStandardise;
  MissingFeatures missing = MissingFeatures::kRefused;
  std::optional<double> cut = {};  // clips standardised features to [-cut, cut]
  // Scales every column of targets to mean 0 and deviation 1 (target_scale.h). Metrics and
  // predictions are in the targets' own unit in either case.
  bool standardise_targets = true;

  // The settings of the tables [data] and [preprocessing].
  void describe(SettingVisitor& visitor);
  void describe_preparation(SettingVisitor& visitor);

  bool has_graph() const { return ownership.edges.kind != PartOwnership::Kind::kNone; }  // false: the data are rows
  bool private_graph() const { return has_graph() && ownership.edges.kind != PartOwnership::Kind::kPublic; }
  // The rank that holds all edges computes with them, and they are on no shares.
  bool sparse_graph() const { return private_graph() && adjacency == AdjacencyForm::kSparse; }
  bool fills_features() const { return missing == MissingFeatures::kMean; }
  bool private_masks() const { return !links && ownership.masks.kind != PartOwnership::Kind::kPublic; }
};

}  // namespace tacit::gnn
