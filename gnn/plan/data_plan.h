// DataPlan — which data a job trains on: who holds what, and how it is prepared. Public, and the same at every rank.
#pragma once

#include <optional>

#include "gnn/data/ownership.h"
#include "gnn/settings/setting_visitor.h"

namespace tacit::gnn {

enum class FeatureScaling {
  kNone,         // as they are in the files: the job declares how large they are
  kStandardise,  // every column to mean 0 and deviation 1
  kRowSum,       // every row to a sum of absolute values of 1, as Kipf and Welling; rows of zeros stay
};

struct DataPlan {
  Ownership ownership;
  std::int64_t classes = 0;  // of the labels; 0: they are targets
  FeatureScaling features = FeatureScaling::kStandardise;
  std::optional<double> cut = {};  // of standardised features: what is further from 0 is moved to this distance
  // Every column of targets to mean 0 and deviation 1 (target_scale.h says of which). Metrics and predictions are in
  // the targets' own unit all the same.
  bool standardise_targets = true;

  // The table [data], and the table [preprocessing].
  void describe(SettingVisitor& visitor);
  void describe_preparation(SettingVisitor& visitor);

  bool has_graph() const { return ownership.edges.kind != PartOwnership::Kind::kNone; }  // or rows alone
  bool private_graph() const { return has_graph() && ownership.edges.kind != PartOwnership::Kind::kPublic; }
  bool private_masks() const { return ownership.masks.kind != PartOwnership::Kind::kPublic; }
};

}  // namespace tacit::gnn
