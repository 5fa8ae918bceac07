#include "gnn/plain/plain_links.h"

#include "gnn/train/link_pairs.h"

namespace tacit::gnn {

PlainData plain_links(const DataPlan& plan, const GraphData& whole, Matrix x) {
  GraphData apart = with_links_apart(whole, *plan.links);
  const LinkPairs numbers(*plan.links, counts_of(*apart.links));
  const LinkParts drawn = numbers.drawn_pairs(whole.nodes, plan.private_graph() ? LinkParts() : *apart.links);
  PlainData data{std::move(x),
                 numbers.labels(),
                 apart.edges ? std::move(*apart.edges) : Edges(),
                 numbers.of(Part::kTrain),
                 numbers.of(Part::kValidation),
                 numbers.of(Part::kTest)};
  data.pairs = all_pairs(*apart.links, drawn);
  return data;
}

}  // namespace tacit::gnn
