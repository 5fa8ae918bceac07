#include "gnn/train/share_links.h"

#include <set>

#include "gnn/arithmetic/rearranged.h"
#include "gnn/arithmetic/sharing.h"
#include "gnn/train/batches.h"
#include "gnn/train/shared_edges.h"

namespace tacit::gnn {

namespace {

// The rows of some of `all`, which has a row for each first node and then one for each second node.
Tensor ends_at(Arithmetic& arithmetic, const Tensor& all, const Rows& pairs) {
  const std::int64_t count = all.shape().rows / 2;
  if (std::ssize(pairs) == count) return all;
  Rows places = pairs;
  for (const std::int64_t pair : pairs) places.push_back(count + pair);
  return placed(arithmetic, picking(places, 2 * count), all);
}

// Joins the rows of the links of several ranks.
Tensor joined(const Tensors& of_ranks) {
  if (of_ranks.size() == 1) return of_ranks.front();
  Tensors ends;
  for (const Tensor& own : of_ranks) ends.push_back(rows(own, 0, own.shape().rows / 2));
  for (const Tensor& own : of_ranks) ends.push_back(rows(own, own.shape().rows / 2, own.shape().rows));
  return stacked(ends);
}

class LinkSharing {
 public:
  LinkSharing(SharedColumns& columns, const DataPlan& data, const TrainingPlan& training,
              const DataAgreement& agreement)
      : columns_(columns),
        data_(data),
        training_(training),
        agreement_(agreement),
        arithmetic_(columns.arithmetic()),
        nodes_(agreement.holding.nodes),
        numbers_(agreement.link_pairs(*data.links)),
        batches_(batches_of(agreement.counts.train, training.batch, training.seed)) {
    parts_.insert(Part::kTrain);
    for (const Revealed& what : training.metrics) parts_.insert(what.part);
  }

  void add_to(SecretGraph& graph) {
    const std::int64_t pairs = numbers_.all();
    graph.y = share_known(
        arithmetic_, {pairs, 2}, [this] { return numbers_.labels(); }, Precision::kValue, training_.ranges.features,
        "y");
    graph.train = Selection::of(numbers_.of(Part::kTrain), pairs);
    graph.validation = Selection::of(numbers_.of(Part::kValidation), pairs);
    graph.test = Selection::of(numbers_.of(Part::kTest), pairs);
    graph.whole = GraphView::of_numbers(training_.model, all_rows(pairs), nodes_);
    graph.blocks.emplace();
    data_.private_graph() ? add_private(graph) : add_public(graph);
  }

 private:
  void add_batch(SecretGraph& graph, GraphView view) const {
    const std::int64_t count = std::ssize(view.outputs());
    graph.batches.push_back({std::move(view), Selection::of(all_rows(count), count)});
  }

  // The numbers of the pairs of a batch. A view that was made from sizes numbers its pairs from 0.
  void add_public(SecretGraph& graph) {
    const std::optional<PublicViews>& known = agreement_.views;
    const auto view = [&](const LayeredGraph* layers, const std::vector<std::int64_t>& sizes) {
      return layers != nullptr ? GraphView::of_public(arithmetic_, training_.model, *layers, nodes_, data_.edge_weights)
                               : GraphView::of_sizes(arithmetic_, training_.model, nodes_, sizes, data_.edge_weights);
    };
    for (std::size_t i = 0; i < batches_.size(); ++i) {
      add_batch(graph, view(known ? &known->batches[i] : nullptr, agreement_.training_sizes[i]));
    }
    for (const auto& [part, sizes] : agreement_.measured_sizes) {
      graph.blocks->measured[part].push_back(view(known ? &known->measured.at(part) : nullptr, sizes));
    }
    if (!agreement_.asked_sizes.empty()) {
      graph.blocks->all.push_back(view(known ? &*known->asked : nullptr, agreement_.asked_sizes));
    }
  }

  void add_private(SecretGraph& graph) {
    const auto propagators = shared_propagators(columns_, training_.model, data_, agreement_.holding);
    const auto view = [&](Rows numbers, PairEnds ends) {
      return GraphView::of_private_pairs(training_.model, propagators, nodes_, std::move(numbers), std::move(ends));
    };
    const LinkParts drawn = numbers_.drawn_pairs(nodes_);
    const std::map<Part, Tensor> links = shared_links();
    // Some pairs of a part, by their numbers among the pairs of this part.
    const auto ends_of = [&](Part part, const Rows& pairs) {
      const std::int64_t of_links = numbers_.links(part);
      Rows secret, known;
      for (const std::int64_t pair : pairs) {
        pair < of_links ? secret.push_back(pair) : known.push_back(pair - of_links);
      }
      const Edges& all = in_part(drawn, part);
      PairEnds ends(rows_at(all.from, known), rows_at(all.to, known), nodes_);
      if (secret.empty()) return ends;
      const Tensor its = ends_at(arithmetic_, links.at(part), secret);
      return known.empty() ? PairEnds(its) : PairEnds(its, std::move(ends));
    };
    const Rows train = numbers_.of(Part::kTrain);
    for (const Rows& batch : batches_) add_batch(graph, view(rows_at(train, batch), ends_of(Part::kTrain, batch)));
    for (const Revealed& what : training_.metrics) {
      if (graph.blocks->measured.contains(what.part)) continue;
      const Rows all = numbers_.of(what.part);
      graph.blocks->measured[what.part].push_back(view(all, ends_of(what.part, all_rows(std::ssize(all)))));
    }
    if (!tells_predictions(training_)) return;
    const std::int64_t asked = *agreement_.holding.pairs;
    graph.blocks->all.push_back(view(all_rows(asked), ends_of_asked(columns_.any_part(), all_rows(asked), nodes_)));
  }

  // The ends of the links of each part, from all ranks: a row for each first node, and then one for each second node.
  std::map<Part, Tensor> shared_links() {
    std::map<Part, Tensors> of_ranks;
    for (std::size_t rank = 0; rank < agreement_.links.size(); ++rank) {
      std::int64_t count = 0;
      for (const Part part : parts_) count += agreement_.links[rank].of(part);
      if (count == 0) continue;
      const auto ends = [&](const GraphData& own) {
        Matrix rows = Matrix::Zero(2 * count, nodes_);
        std::int64_t row = 0;
        for (const Part part : parts_) {
          for (const std::int64_t node : in_part(*own.links, part).from) rows(row++, node) = 1;
          for (const std::int64_t node : in_part(*own.links, part).to) rows(row++, node) = 1;
        }
        return rows;
      };
      const Tensor all =
          columns_.input_of(static_cast<int>(rank), {2 * count, nodes_}, Precision::kWhole, 1, ends, "links");
      std::int64_t begin = 0;
      for (const Part part : parts_) {
        const std::int64_t own = agreement_.links[rank].of(part);
        if (own == 0) continue;
        of_ranks[part].push_back(rows(all, begin, begin + 2 * own));
        begin += 2 * own;
      }
    }
    std::map<Part, Tensor> links;
    for (const auto& [part, own] : of_ranks) links.emplace(part, joined(own));
    return links;
  }

  SharedColumns& columns_;
  const DataPlan& data_;
  const TrainingPlan& training_;
  const DataAgreement& agreement_;
  Arithmetic& arithmetic_;
  std::int64_t nodes_;
  LinkPairs numbers_;
  std::vector<Rows> batches_;
  std::set<Part> parts_;  // training, and the parts of the job's metrics
};

}  // namespace

void share_links(SharedColumns& columns, const DataPlan& data, const TrainingPlan& training,
                 const DataAgreement& agreement, SecretGraph& graph) {
  LinkSharing(columns, data, training, agreement).add_to(graph);
}

PairEnds ends_of_asked(const GraphData* known, const Rows& pairs, std::int64_t nodes) {
  if (known != nullptr) return {rows_at(known->pairs->from, pairs), rows_at(known->pairs->to, pairs), nodes};
  const Rows first(pairs.size(), 0);  // which nodes they are does not matter here
  return {first, first, nodes};
}

}  // namespace tacit::gnn
