// TrainingPrivacy — the steps of a private training, as all ranks know them: the number of records in a step, the noise, and
// the account for each adversary.
#pragma once

#include <vector>

#include "gnn/plan/training_plan.h"
#include "gnn/privacy/privacy_plan.h"

namespace tacit::gnn {

struct TrainingPrivacy {
  PrivacyUnit unit = PrivacyUnit::kRecord;
  double noise = 0;          // standard deviation against the parties that pool, in units of the largest influence
  double rate = 1;           // a step draws each record with this probability
  std::int64_t records = 0;  // records of all parties that are trained on
  std::int64_t steps = 1;    // in an epoch
  // By the owner of the records, or one number if the parties sample together. A draw of more is cut, with a probability below
  // kCut in a step.
  std::vector<std::int64_t> most_drawn;
  std::int64_t parties = 1, colluding = 0;
  NoiseFrom noise_from = NoiseFrom::kParties;
  Sampling sampling = Sampling::kOwners;
  bool dealer = false;  // true if there is a dealer, who may see revealed values
  // If edges are private: the edges in all files by the number of nodes. Several files may have the same edge.
  double mean_degree = 0;

  static constexpr double kCut = 0x1p-40;

  double expected() const { return rate * static_cast<double>(records); }  // records in a step
  std::int64_t most() const;                                               // records in a step, of all parties

  // The same steps with the records of other parties, for the costs of another number of parties.
  TrainingPrivacy divided(const std::vector<std::int64_t>& by_party, const TrainingPlan& plan) const;

  // The account of `epochs` epochs, and of `done` steps of several sessions.
  PrivacyPlan account(std::int64_t epochs) const;
  PrivacyPlan account_of_steps(std::int64_t done) const;
};

// The grid of noisy sums over edges, for Mechanism::grid.
double grid_of_sums(std::int64_t classes, int fraction_bits);

// Of a model that reads noisy sums over edges (model.perturbed): one step for the whole training, with all edges. Throws
// SettingError as record_privacy() does.
TrainingPrivacy edge_privacy(const TrainingPlan& plan, std::int64_t parties);

// `records`: the numbers of records that the owners train on; one number if the parties sample together. Throws SettingError if
// the table [privacy] contradicts itself or the data, or no noise is enough.
TrainingPrivacy record_privacy(const TrainingPlan& plan, const std::vector<std::int64_t>& records,
                               std::int64_t parties);

}  // namespace tacit::gnn
