#include "gnn/privacy/training_privacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gnn/plan/wrong_setting.h"

namespace tacit::gnn {

namespace {

// Bernstein's inequality: more records than this are drawn with a probability below TrainingPrivacy::kCut.
std::int64_t most_of(std::int64_t records, double rate) {
  const double expected = static_cast<double>(records) * rate, bits = -std::log(TrainingPrivacy::kCut);
  const double more = bits / 3 + std::sqrt(bits * bits / 9 + 2 * bits * expected);
  return std::min(records, static_cast<std::int64_t>(std::ceil(expected + more)));
}

// Rounded up to three digits, so that all machines find the same number.
double rounded_up(double noise) {
  const double digit = std::pow(10.0, std::floor(std::log10(noise)) - 2);
  return std::ceil(noise / digit * (1 - 1e-9)) * digit;
}

// Of the adversaries that see equal samples, the one with the least noise, in multiples of the job's noise.
std::vector<Adversary> least_protected(const PrivacyPlan& plan) {
  std::vector<Adversary> weakest;
  for (const Adversary& one : plan.adversaries) {
    if (one.noise == 0) continue;  // listed in the account; no noise protects against this adversary
    const auto alike = std::find_if(weakest.begin(), weakest.end(), [&](const Adversary& other) {
      return other.rate == one.rate && other.sample_seen == one.sample_seen;
    });
    if (alike == weakest.end()) {
      weakest.push_back(one);
    } else if (one.noise < alike->noise) {
      *alike = one;
    }
  }
  return weakest;
}

Mechanism steps_against(const Adversary& one, const TrainingPrivacy& privacy, std::int64_t epochs) {
  PrivacyPlan plan = privacy.account(epochs);
  Mechanism steps = mechanism_of(plan, one, plan.steps);
  steps.noise = one.noise * privacy.noise;
  return steps;
}

double epsilon_against(const std::vector<Adversary>& all, const TrainingPrivacy& privacy, std::int64_t epochs,
                       double delta) {
  double most = 0;
  for (const Adversary& one : all) {
    const Mechanism steps = steps_against(one, privacy, epochs);
    most = std::max(most, epsilon_of(std::span(&steps, 1), delta).told());
  }
  return most;
}

// The least noise of a job that is enough against all adversaries; infinite if no noise is.
double noise_against(const std::vector<Adversary>& all, const TrainingPrivacy& privacy, const TrainingPlan& plan) {
  double most = 0;
  for (const Adversary& one : all) {
    const double fits =
        noise_that_fits(steps_against(one, privacy, plan.epochs), {*plan.privacy->epsilon, plan.privacy->delta});
    if (!std::isfinite(fits)) return fits;
    most = std::max(most, rounded_up(fits / one.noise));
  }
  return most;
}

// Checks the parties of a private training.
TrainingPrivacy of_parties(const TrainingPlan& plan, std::int64_t parties) {
  const PrivacySettings& privacy = *plan.privacy;
  TrainingPrivacy found;
  found.parties = parties;
  found.noise_from = plan.aggregates() ? NoiseFrom::kParties : privacy.noise_from;
  found.sampling = plan.aggregates() ? Sampling::kOwners : privacy.sampling;
  found.dealer = plan.has_dealer();
  found.colluding = privacy.colluding_of(parties);
  if (found.colluding >= parties) {
    wrong("privacy.colluding", "{} of {} parties pool their knowledge, and one at least must not", found.colluding,
          parties);
  }
  return found;
}

// The noise that the job states, or the least that is enough for its epsilon.
void find_noise(const TrainingPlan& plan, TrainingPrivacy& found) {
  const PrivacySettings& privacy = *plan.privacy;
  found.noise = 1;
  const std::vector<Adversary> weakest = least_protected(found.account(plan.epochs));
  if (privacy.noise) {
    found.noise = *privacy.noise;
    if (!privacy.epsilon) return;
    const double epsilon = epsilon_against(weakest, found, plan.epochs, privacy.delta);
    if (epsilon <= *privacy.epsilon) return;
    wrong(
        "privacy.noise",
        "with {:g}, epsilon is {:.3g} after {} epochs, and privacy.epsilon is {:g}; take noise = {:.3g}, or leave out "
        "one of the two",
        *privacy.noise, epsilon, plan.epochs, *privacy.epsilon, noise_against(weakest, found, plan));
  }
  found.noise = noise_against(weakest, found, plan);
  if (!std::isfinite(found.noise)) {
    wrong("privacy.epsilon", "no noise is enough for {:g} in {} steps with delta {:g}; take fewer epochs, or more",
          *privacy.epsilon, found.steps * plan.epochs, privacy.delta);
  }
}

}  // namespace

std::int64_t TrainingPrivacy::most() const {
  return std::accumulate(most_drawn.begin(), most_drawn.end(), std::int64_t{0});
}

// Edges are added up once, for any number of epochs.
PrivacyPlan TrainingPrivacy::account(std::int64_t epochs) const {
  return account_of_steps(unit == PrivacyUnit::kEdge ? 1 : steps * epochs);
}

PrivacyPlan TrainingPrivacy::account_of_steps(std::int64_t done) const {
  PrivacyPlan plan;
  const bool edges = unit == PrivacyUnit::kEdge;
  if (edges) plan.unit = kUnitOfEdges;
  plan.noise = noise;
  plan.steps = done;
  plan.steps_per_epoch = steps;
  plan.failure = edges ? 0 : kCut;
  plan.adversaries =
      adversaries_of(noise_from, static_cast<int>(parties), static_cast<int>(colluding), noise, rate, dealer);
  if (sampling == Sampling::kOwners) return plan;
  // Every party draws the samples itself, from the common seed. The dealer lacks the seed, and a step has the same messages
  // and shapes for every sample. No sample is revealed.
  for (Adversary& one : plan.adversaries) one.sample_seen = one.observer == Observer::kParties;
  return plan;
}

TrainingPrivacy TrainingPrivacy::divided(const std::vector<std::int64_t>& by_party, const TrainingPlan& plan) const {
  TrainingPrivacy other = *this;
  other.most_drawn.clear();
  for (const std::int64_t own : by_party) other.most_drawn.push_back(most_of(own, rate));
  other.parties = std::ssize(by_party);
  other.colluding = std::min(plan.privacy->colluding_of(other.parties), other.parties - 1);
  return other;
}

// A pair of nodes moves two rows of sums, by a length of at least sqrt 2.
double grid_of_sums(std::int64_t classes, int fraction_bits) {
  return grid_of(2 * static_cast<double>(classes), std::ldexp(std::sqrt(2.0), fraction_bits));
}

TrainingPrivacy edge_privacy(const TrainingPlan& plan, std::int64_t parties) {
  TrainingPrivacy found = of_parties(plan, parties);
  found.unit = PrivacyUnit::kEdge;
  const std::int64_t classes = plan.model.layers.back().outputs;
  if (grid_of_sums(classes, plan.top.fraction_bits) > kMostGridOfEdges) {
    wrong("ring.fraction_bits", "sums over edges of {} classes need more than {} fraction bits", classes,
          plan.top.fraction_bits);
  }
  find_noise(plan, found);
  return found;
}

TrainingPrivacy record_privacy(const TrainingPlan& plan, const std::vector<std::int64_t>& records,
                               std::int64_t parties) {
  const PrivacySettings& privacy = *plan.privacy;
  TrainingPrivacy found = of_parties(plan, parties);
  found.records = std::accumulate(records.begin(), records.end(), std::int64_t{0});
  if (found.records < 1) wrong("privacy", "no record is trained on");
  if (const double most = 1 / static_cast<double>(found.records); privacy.delta >= most) {
    wrong("privacy.delta",
          "{:g} is too large for {} records: a training that publishes one of them, drawn at random, would meet the "
          "bound; "
          "expected less than 1 / records, which is {:.2g}",
          privacy.delta, found.records, most);
  }
  if (plan.batch > found.records) {
    wrong("training.batch", "a step cannot draw {} of {} records; take at most as many, or 0 for all", plan.batch,
          found.records);
  }
  const std::int64_t batch = plan.batch == 0 ? found.records : plan.batch;
  found.rate = static_cast<double>(batch) / static_cast<double>(found.records);
  found.steps = found.records / batch;
  for (const std::int64_t own : records) found.most_drawn.push_back(most_of(own, found.rate));
  find_noise(plan, found);
  return found;
}

}  // namespace tacit::gnn
