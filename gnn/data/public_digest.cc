#include "gnn/data/public_digest.h"

#include "gnn/data/graph_hasher.h"

namespace tacit::gnn {

mpc::Digest public_digest(const GraphData& data, const Ownership& ownership) {
  const auto is_public = [](const PartOwnership& owned) { return owned.kind == PartOwnership::Kind::kPublic; };
  GraphHasher digest;
  digest.add(data.nodes);
  digest.add(data.graphs);
  if (ownership.pairs) digest.add(data.pairs);
  if (data.snapshots > 1) digest.add(data.snapshots);
  if (is_public(ownership.features)) {
    digest.add(data.x);
    digest.add(data.sparse_x);
  }
  if (is_public(ownership.edges)) {
    digest.add(data.edges);
    if (data.links) {
      for (const Edges* some : {&data.links->train, &data.links->validation, &data.links->test}) digest.add(*some);
    }
  }
  if (is_public(ownership.labels)) {
    digest.add(data.classes);
    digest.add(data.targets);
  }
  if (is_public(ownership.masks)) {
    digest.add(data.train_mask);
    digest.add(data.val_mask);
    digest.add(data.test_mask);
  }
  return digest.digest();
}

}  // namespace tacit::gnn
