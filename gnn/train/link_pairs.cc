#include "gnn/train/link_pairs.h"

#include <numeric>

namespace tacit::gnn {

namespace {

constexpr Part kParts[] = {Part::kTrain, Part::kValidation, Part::kTest};

}  // namespace

std::int64_t LinkPairs::first(Part part) const {
  std::int64_t before = 0;
  for (const Part one : kParts) {
    if (one == part) break;
    before += count(one);
  }
  return before;
}

Rows LinkPairs::of(Part part) const {
  Rows numbers(static_cast<std::size_t>(count(part)));
  std::iota(numbers.begin(), numbers.end(), first(part));
  return numbers;
}

Matrix LinkPairs::labels() const {
  Matrix labels = Matrix::Zero(all(), 2);
  for (const Part part : kParts) {
    labels.col(1).segment(first(part), links(part)).setOnes();
    labels.col(0).segment(first(part) + links(part), drawn(part)).setOnes();
  }
  return labels;
}

LinkParts LinkPairs::drawn_pairs(std::int64_t nodes, const LinkParts& known) const {
  return gnn::drawn_pairs(plan_, nodes, known, drawn(Part::kTrain), drawn(Part::kValidation), drawn(Part::kTest));
}

Counts counts_of(const LinkParts& links) { return {links.train.size(), links.validation.size(), links.test.size()}; }

const Edges& in_part(const LinkParts& links, Part part) {
  return part == Part::kTrain ? links.train : part == Part::kValidation ? links.validation : links.test;
}

Edges all_pairs(const LinkParts& links, const LinkParts& drawn) {
  Edges all;
  for (const Part part : kParts) {
    for (const LinkParts* some : {&links, &drawn}) {
      const Edges& pairs = in_part(*some, part);
      all.from.insert(all.from.end(), pairs.from.begin(), pairs.from.end());
      all.to.insert(all.to.end(), pairs.to.begin(), pairs.to.end());
    }
  }
  return all;
}

}  // namespace tacit::gnn
