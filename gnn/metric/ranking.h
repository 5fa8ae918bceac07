// roc_auc and average_precision of one class against the others, exactly: every two nodes are compared by the class's
// log-odds (class_score.h).
//
// Of two nodes i, j one bit tells s_i >= s_j - t and one s_i > s_j + t, with t = kRankingTie. Sums of these bits count for every node the nodes that
// are ranked at least as high, and at most as high; products with the labels count the positive ones among them. With P
// positive and N negative nodes, as scikit-learn counts ties:
//   roc_auc = (PN + V) / 2PN,  V = the sum over positive i of (nodes ranked at most as high - nodes ranked at least as
//             high). Pairs of positives cancel out, and a tie counts half
//   average_precision = 1/P · the sum over positive i of (positives ranked at least as high as i) / (all of them):
//             the precision at each threshold times its share of the positives
// Both are 0 if the part has no node of the class, and roc_auc is 0 if it has no other node.
//
// Scores are compared as shares have them, with the job's fraction bits. Products are rounded at random, so nodes with equal
// predictions have scores that differ by some units: up to t units are a tie. Without the tie, a model with one output for
// all nodes had a roc_auc of 0.08 instead of 0.5.
//
// Reveals     the value
// Rounds      m nodes at a time are compared with the n - m and fewer after them, m·n <= 2^20: 2 for each block, 3 for
//             average_precision. Besides, 12 for roc_auc and 13 for average_precision, those of the score, and 1 to reveal
// Error       2^-14; exact for 0, and for 1 with up to 90 nodes
#pragma once

#include "gnn/metric/measure.h"

namespace tacit::gnn {

inline constexpr std::int64_t kRankingTie = 12;  // units of the last fraction bit

class Ranking final : public Measure {
 public:
  Ranking(Arithmetic& arithmetic, Metric metric, const Tensor& y, std::int64_t of_class);
  Tensor of(Arithmetic& arithmetic, Outputs& outputs) const override;
  Measured read(const Matrix& revealed) const override;

 private:
  // For each node, as a row in a narrow ring.
  struct Counts {
    mpc::Share at_least, at_most;   // the nodes that are ranked at least, at most as high
    mpc::Share positives_at_least;  // for average_precision
  };
  Counts counted(mpc::Session& session, const mpc::Share& score) const;

  Metric metric_;
  std::int64_t class_, nodes_;
  mpc::Share y_;        // a column: 1 for each positive node
  mpc::Share pairs_;    // the number of positive nodes times the number of negative ones
  mpc::Share weights_;  // a row: 1/P for each positive node
};

// Whole numbers y in a column, divided by their sum: a row with 24 fraction bits in the ring of 64 bits. Their sum is at most
// `most`. Rounds: 10.
mpc::Share shares_of_sum(mpc::Session& session, const mpc::Share& y, double most);
// The metric, from the revealed number.
double told_ranking(double revealed, std::int64_t nodes);
// The sum of weights · numbers, two rows with kQuotientBits. Rounds: 2.
mpc::Share weighted_sum(mpc::Session& session, const mpc::Share& weights, const mpc::Share& numbers);

}  // namespace tacit::gnn
