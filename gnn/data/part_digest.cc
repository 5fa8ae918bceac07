#include "gnn/data/part_digest.h"

#include "gnn/data/graph_hasher.h"

namespace tacit::gnn {

mpc::Digest part_digest(const GraphData& data) {
  GraphHasher digest;
  digest.add(data.nodes);
  digest.add(data.own_rows);
  digest.add(data.x);
  digest.add(data.sparse_x);
  digest.add(data.edges);
  digest.add(data.classes);
  digest.add(data.targets);
  digest.add(data.train_mask);
  digest.add(data.val_mask);
  digest.add(data.test_mask);
  digest.add(data.ids);
  digest.add(data.graphs);
  if (data.pairs) digest.add(*data.pairs);
  if (data.snapshots > 1) digest.add(data.snapshots);
  return digest.digest();
}

}  // namespace tacit::gnn
