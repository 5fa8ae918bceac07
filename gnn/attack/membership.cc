#include "gnn/attack/membership.h"

#include <algorithm>
#include <random>

namespace tacit::gnn {

namespace {

std::vector<double> at(const std::vector<double>& values, const Rows& rows) {
  std::vector<double> chosen;
  for (const std::int64_t row : rows) chosen.push_back(values[static_cast<std::size_t>(row)]);
  return chosen;
}

Rows others_of(const PlainData& data) {
  Rows others = data.validation;
  others.insert(others.end(), data.test.begin(), data.test.end());
  return others;
}

// The fits of shadow models to one record, with and without it.
struct Fits {
  double with = 0, without = 0;
  int count_with = 0, count_without = 0;
};

// The log-likelihood ratio of the fit under normal distributions with equal variances.
std::vector<double> likelihoods(const std::vector<double>& fit, const std::vector<Fits>& fits, double variance) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < fit.size(); ++i) {
    const Fits& one = fits[i];
    const double with = one.with / std::max(one.count_with, 1), without = one.without / std::max(one.count_without, 1);
    const bool known = one.count_with > 0 && one.count_without > 0;
    const double a = fit[i] - without, b = fit[i] - with;
    scores.push_back(known ? (a * a - b * b) / (2 * variance) : 0);
  }
  return scores;
}

}  // namespace

MembershipAttack attack_membership(const Rehearsal& rehearsal, const std::vector<NamedMatrix>& model, int shadows,
                                   std::uint64_t seed) {
  const PlainData& data = rehearsal.data();
  const Rows& members = data.train;
  const Rows others = others_of(data);
  const Matrix z = rehearsal.outputs(model);
  const std::vector<double> fit = rehearsal.fit(z);
  MembershipAttack attack;
  attack.members = std::ssize(members);
  attack.others = std::ssize(others);
  attack.by_fit = ranking_of(at(fit, members), at(fit, others));
  const std::vector<double> blank = rehearsal.fit(rehearsal.outputs(rehearsal.untrained(seed)));
  attack.untrained = ranking_of(at(blank, members), at(blank, others));
  attack.of_members = rehearsal.score(z, members);
  attack.of_others = rehearsal.score(z, others);
  attack.constant_of_members = rehearsal.constant_answer(members);
  attack.constant_of_others = rehearsal.constant_answer(others);
  if (shadows == 0) return attack;
  Rows pool = members;
  pool.insert(pool.end(), others.begin(), others.end());
  std::vector<Fits> fits(fit.size());
  std::mt19937_64 random(seed);
  double squares = 0, count = 0;
  std::vector<std::vector<double>> all;
  std::vector<std::vector<bool>> taken;
  for (int shadow = 0; shadow < shadows; ++shadow) {
    Rows drawn = pool;
    std::shuffle(drawn.begin(), drawn.end(), random);
    drawn.resize(members.size());
    std::sort(drawn.begin(), drawn.end());
    all.push_back(
        rehearsal.fit(rehearsal.outputs(rehearsal.trained(drawn, seed + 1 + static_cast<std::uint64_t>(shadow)))));
    taken.emplace_back(fit.size(), false);
    for (const std::int64_t row : drawn) taken.back()[static_cast<std::size_t>(row)] = true;
    for (const std::int64_t row : pool) {
      const auto i = static_cast<std::size_t>(row);
      (taken.back()[i] ? fits[i].with : fits[i].without) += all.back()[i];
      ++(taken.back()[i] ? fits[i].count_with : fits[i].count_without);
    }
  }
  for (std::size_t shadow = 0; shadow < all.size(); ++shadow) {
    for (const std::int64_t row : pool) {
      const auto i = static_cast<std::size_t>(row);
      const double mean =
          taken[shadow][i] ? fits[i].with / fits[i].count_with : fits[i].without / fits[i].count_without;
      squares += (all[shadow][i] - mean) * (all[shadow][i] - mean);
      ++count;
    }
  }
  const std::vector<double> scores = likelihoods(fit, fits, std::max(squares / count, 1e-12));
  attack.by_shadows = ranking_of(at(scores, members), at(scores, others));
  return attack;
}

}  // namespace tacit::gnn
