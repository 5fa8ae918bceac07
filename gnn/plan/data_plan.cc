#include "gnn/plan/data_plan.h"

#include "gnn/data/snapshots.h"
#include "gnn/settings/class_fields.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostClasses = 1 << 20;

constexpr WordTable<FeatureScaling, 4> kScalings = {{{FeatureScaling::kStandardise, "standardise"},
                                                     {FeatureScaling::kRowSum, "row-sum"},
                                                     {FeatureScaling::kNone, "none"},
                                                     {FeatureScaling::kWhole, "whole"}}};
constexpr WordTable<MissingFeatures, 2> kMissing = {
    {{MissingFeatures::kRefused, "refuse"}, {MissingFeatures::kMean, "mean"}}};
constexpr WordTable<AdjacencyForm, 2> kAdjacencies = {
    {{AdjacencyForm::kDense, "dense"}, {AdjacencyForm::kSparse, "sparse"}}};
constexpr WordTable<bool, 2> kTargets = {{{true, "standardise"}, {false, "none"}}};

constexpr WordTable<bool, 2> kLinkSplits = {{{false, "seed"}, {true, "files"}}};

void describe_links(SettingVisitor& visitor, LinkPlan& links) {
  constexpr Interval kPart = {.least = 0, .most = 1, .without_most = true};
  constexpr std::int64_t kMostDrawn = 100, kMostSeed = std::int64_t{1} << 40;
  visitor.word({"split",
                "how links are kept for validation and test: seed: by chance, validation and test say how many; files: "
                "as the files say, in edge_part of an .npz file or in a column part of edges.csv",
                Scope::kModel},
               links.from_files, kLinkSplits);
  if (links.from_files) {
    for (const char* key : {"validation", "test"}) {
      visitor.exclude(key, "the files state the part of each link (data.links.split = \"files\"); take it out");
    }
  } else {
    visitor.real(
        {"validation", "the part of the links that is kept for validation; the edges of these links pass no messages",
         Scope::kModel},
        links.validation, kPart);
    visitor.real({"test", "the part of the links that is kept for the test", Scope::kModel}, links.test, kPart);
  }
  visitor.whole({"drawn", "pairs of nodes without a link that are drawn for each link"}, links.drawn, 1, kMostDrawn);
  visitor.whole({"seed", "decides which links are kept, and which pairs are drawn", Scope::kModel}, links.seed, 0,
                kMostSeed);
}

}  // namespace

void DataPlan::describe(SettingVisitor& visitor) {
  const auto part = [&](GraphPart of, PartOwnership& owned, std::string_view help) {
    visitor.ownership({name_of(of), help, Scope::kModel, true}, owned, of);
  };
  part(GraphPart::kFeatures, ownership.features,
       "who holds the features: public, rank R, columns, rows, or the number of each rank: columns 3,5");
  part(GraphPart::kEdges, ownership.edges,
       "who holds the edges: none, public, rank R, edges: each rank the edges that leave its nodes, or any: each rank "
       "any "
       "edges, and an edge that several hold counts once");
  if (has_graph()) {
    visitor.flag(
        {"edge_weights",
         "whether edges have weights: edge_weight in a file, or a column weight of edges.csv; weights of an edge "
         "that several ranks hold add up",
         Scope::kModel},
        edge_weights);
  } else {
    visitor.exclude("edge_weights", "there are no edges; take it out");
  }
  if (!private_graph()) {
    visitor.exclude("adjacency", "it is for private edges, which ranks hold; take it out");
  } else if (ownership.edges.kind == PartOwnership::Kind::kWhole ||
             visitor.has("adjacency", adjacency != AdjacencyForm::kDense)) {
    visitor.word(
        {"adjacency",
         "how the ranks hold private edges: dense: as a matrix of nodes x nodes on shares, masked once, for graphs of "
         "up "
         "to some thousands of nodes; sparse: each rank alone knows its own edges as a sparse matrix, and each product "
         "sends rows for each edge and node, for large graphs",
         Scope::kModel},
        adjacency, kAdjacencies);
  }
  if (visitor.has("snapshots", snapshots != 1)) {
    visitor.whole({"snapshots",
                   "states of the graph, as the hours of a day: each node has features, labels and masks in each, and "
                   "the edges are the same in all"},
                  snapshots, 1, kMostSnapshots);
  }
  if (visitor.has("links", links.has_value())) {
    if (!links) links.emplace();
    visitor.enter("links");
    describe_links(visitor, *links);
    visitor.leave();
    classes = 2;
    for (const std::string_view key : {"labels", "masks", "classes", "class_names"}) {
      visitor.exclude(key, "the job learns links (data.links), and the edges are its labels; take it out");
    }
    return;
  }
  part(GraphPart::kLabels, ownership.labels, "who holds the classes or targets: public, rank R, columns or rows");
  part(GraphPart::kMasks, ownership.masks, "who holds the train, validation and test masks: public, rank R or rows");
  if (visitor.has("class_names", !class_names.empty())) {
    ClassNamesField field(class_names);
    visitor.field(
        {"class_names",
         "the names of classes 0, 1, ...: files of data may have them as labels, and results and reports show "
         "them",
         Scope::kModel},
        field);
  }
  if (!visitor.has("classes", true) && !class_names.empty()) classes = std::ssize(class_names);
  visitor.whole(
      {"classes", "classes of the labels, by default as many as class_names; 0: the labels are targets", Scope::kModel},
      classes, 0, kMostClasses);
}

void DataPlan::describe_preparation(SettingVisitor& visitor) {
  visitor.word({"features",
                "how features are scaled: each column to mean 0 and deviation 1, each row to a sum of 1, or "
                "not at all; whole: not at all, and all are whole numbers, which take fewer bits on shares",
                Scope::kModel},
               features, kScalings);
  visitor.word({"missing",
                "the treatment of a missing feature, which is NaN in a file, or an empty field of nodes.csv: refuse "
                "it, or take the mean of the column's known features, over all owners",
                Scope::kModel},
               missing, kMissing);
  visitor.real(
      {"cut", "a standardised feature further from 0 than so many deviations is moved to this distance", Scope::kModel},
      cut, {.least = 0.5, .most = 1000});
  if (!visitor.has("targets", true) && classes > 0) standardise_targets = false;
  visitor.word(
      {"targets",
       "whether each column of targets is scaled to mean 0 and deviation 1; a job of classes has no such setting",
       Scope::kModel},
      standardise_targets, kTargets);
}

}  // namespace tacit::gnn
