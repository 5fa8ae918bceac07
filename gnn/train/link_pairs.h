// LinkPairs — the labelled pairs of nodes of a job that learns links, by number. The pairs of training come first, then
// validation, then test. In each part the links come first, rank after rank, and then the drawn pairs (gnn/data/links.h).
//
// The numbers are public, and so are the labels that follow from them. Which nodes a link joins is as public as the edges.
#pragma once

#include "gnn/data/links.h"
#include "gnn/graph/rows.h"
#include "gnn/train/counts.h"

namespace tacit::gnn {

class LinkPairs {
 public:
  // `links`: the numbers of all ranks' links.
  LinkPairs(const LinkPlan& plan, const Counts& links) : plan_(plan), links_(links) {}

  std::int64_t links(Part part) const { return links_.of(part); }
  std::int64_t drawn(Part part) const { return links(part) * plan_.drawn; }
  std::int64_t count(Part part) const { return links(part) + drawn(part); }
  Counts counts() const { return {count(Part::kTrain), count(Part::kValidation), count(Part::kTest)}; }
  std::int64_t all() const { return counts().sum(); }
  Rows of(Part part) const;
  // A row for each pair: 1 in column 1 for a link, and in column 0 for a pair that was drawn.
  Matrix labels() const;

  // The pairs that are drawn, if the graph is private; and if it is public, with these links.
  LinkParts drawn_pairs(std::int64_t nodes, const LinkParts& known = {}) const;

 private:
  std::int64_t first(Part part) const;

  LinkPlan plan_;
  Counts links_;
};

// How many links there are in each part.
Counts counts_of(const LinkParts& links);
const Edges& in_part(const LinkParts& links, Part part);
// All pairs by number, of links and drawn pairs.
Edges all_pairs(const LinkParts& links, const LinkParts& drawn);

}  // namespace tacit::gnn
