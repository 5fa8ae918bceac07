// Attribute inference (model inversion): the attacker knows a record's other features and its label, and guesses the value of
// one feature that fits the label best. A model that predicts well allows good guesses in columns that predict the label,
// also for records that it never saw. Only the difference between members and other records measures a loss of privacy.
#pragma once

#include "gnn/attack/rehearsal.h"

namespace tacit::gnn {

struct InvertedColumn {
  std::int64_t column = 0, values = 0;  // the column's number, and its number of different values
  double members = 0, others = 0;       // the part of records with a right guess
  double untrained = 0;                 // the same of a model that saw no record, over all records
  double commonest = 0;                 // the same by always naming the commonest value

  double gained() const { return members - others; }
  // The standard deviation of gained() if records count alike.
  double error = 0;
};

inline constexpr std::int64_t kMostGuessedValues = 16;

// Every column of 2 to 16 values. The model must not gather: another row's features would count. Throws ConfigError otherwise.
std::vector<InvertedColumn> attack_inversion(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model,
                                             std::uint64_t seed);

}  // namespace tacit::gnn
