// statistics_noise — discrete Gaussian noise that hides each row in the sums over all parties' tables (summed_statistics.h).
//
// Neighbours differ in one row, which an empty one replaces, as in a private training (privacy/README.md). A kept row changes
// these numbers, and no others; a dropped row changes none:
//
//   the number of kept rows                                    by 1
//   of a column whose statistic needs counts by code or bin    one count by 1: the count of its code or bin, or the count
//                                                              of imputed values
//   of a column of numbers with a median                       one count by 1 on each level (count_tree.h): of a bin and of
//                                                              the groups around it; or the count of imputed values
//   of a column whose statistic is the mean of numbers         half the count of imputed values by 1/2, or the sum of
//                                                              (value - middle of the range) / length of the range, by
//                                                              1/2 at most
//
// So the vector of all numbers moves by sqrt(1 + H + L + M/4) at most, for H columns of the second kind, L levels of all columns
// of the third kind together, and M columns of the fourth kind.
// The noise is that often `multiplier` in every number. Sums are whole numbers of 2^-bits of a row: each party drops the rest
// of its sum of values toward minus infinity, which moves a sum by the same 1/2 at most because 2^bits is even.
//
// Noise is from the parties alone (mpc/protocols/noise.h, kParties): the dealer has no part in these sums, and no rules.
// The grid is so fine that the discrete Gaussian is as good as the continuous one of the account, but for a probability that
// PrivacyPlan::failure states: (1 + e^epsilon) * 0.0202 / sigma^2 (mechanism.h) for each number that a row can move.
#pragma once

#include "gnn/clean/rules.h"
#include "gnn/privacy/ledger_content.h"
#include "mpc/protocols/noise.h"

namespace tacit::gnn {

// How far one row can move the vector of all numbers.
double influence_of_row(const CleaningRules& rules);

struct StatisticsNoise {
  int bits = 0;          // fraction bits of the sums
  mpc::Noise noise;      // in units of 2^-bits
  double deviation = 0;  // of the noise of all parties together, in rows
  PrivacyPlan plan;      // one step
};

// The least noise with which the sums spend `budget` against `colluding` parties that pool what they know. Throws ConfigError
// if the accountant knows none.
StatisticsNoise statistics_noise(const CleaningRules& rules, const Budget& budget, int parties, int colluding);

}  // namespace tacit::gnn
