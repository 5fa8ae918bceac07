// roc_auc and average_precision by a histogram, for up to 2^19 nodes: nodes with log-odds (class_score.h) in the same
// bin count as ties. The bins have equal widths between -8 and 8; the outer ones are open.
//
// With the positive and negative nodes of each bin, p_b and n_b, in all P and N:
//   roc_auc = the sum over bins of p_b/P · (the negatives below + n_b/2)/N
//   average_precision = the sum over bins of p_b/P · (the positives above + (p_b + 1)/2)/(the nodes above + (p_b + n_b + 1)/2)
// The precision is that at a positive node in the middle of a bin, the mean place if the nodes come in a random order. At the end of
// a bin it would be too low for every bin: of 6,000 nodes with 2 % positives, and a mean of 0.249 over 40 draws, 64 bins give 0.246,
// and 0.230 by the ends.
// Both are 0 if the part has no node of the class, and roc_auc is 0 if it has no other node.
//
// Reveals     the value, not the histogram
// Rounds      3 for each 2^20 comparisons of a node with the edge of a bin; 24 besides, the rounds of the score, and 1
//             to reveal
// Error       2^-14 from the value of the same histogram
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

inline constexpr double kLargestBinnedScore = 8;
// The lower edges of all bins but the first.
std::vector<double> edges_of_bins(std::int64_t bins);

class BinnedRanking final : public Measure {
 public:
  BinnedRanking(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::int64_t of_class, std::int64_t bins);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  // For each bin, as a row: the nodes of this bin and all above it; the positive ones among them.
  struct FromBinOn {
    mpc::Share all, positive;
  };
  FromBinOn counted(mpc::Session& session, const mpc::Share& score) const;

  Metric metric_;
  std::int64_t class_, bins_, nodes_;
  mpc::Share y_;  // a column: 1 for each positive node
};

}  // namespace tacit::gnn
