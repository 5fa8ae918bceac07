#include "gnn/run/planned_epochs.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "mpc/functions/known_answer.h"
#include "mpc/ot/leakage_units.h"

namespace tacit::gnn {

namespace {

// Calls `change` for every number of an account and the number at the same place of `other`, or 0.
template <typename Change>
void for_each_number(SessionAccount& account, const SessionAccount& other, const Change& change) {
  account.reveals.resize(std::max(account.reveals.size(), other.reveals.size()));
  account.decisions.resize(std::max(account.decisions.size(), other.decisions.size()));
  mpc::Cost& cost = account.step.cost;
  const mpc::Cost& others = other.step.cost;
  change(cost.rounds, others.rounds);
  change(cost.bytes, others.bytes);
  change(cost.messages, others.messages);
  change(cost.dealt_bytes, others.dealt_bytes);
  change(cost.dealt_messages, others.dealt_messages);
  change(cost.made_rounds, others.made_rounds);
  change(cost.made_bytes, others.made_bytes);
  change(cost.made_leakage, others.made_leakage);
  change(account.step.work.multiplications, other.step.work.multiplications);
  change(account.step.work.words, other.step.work.words);
  change(account.step.work.passing, other.step.work.passing);
  for (std::size_t i = 0; i < account.reveals.size(); ++i) {
    const mpc::Reveal line = i < other.reveals.size() ? other.reveals[i] : mpc::Reveal{};
    change(account.reveals[i].count, line.count);
    change(account.reveals[i].elements, line.elements);
  }
  for (std::size_t i = 0; i < account.decisions.size(); ++i) {
    change(account.decisions[i].count, i < other.decisions.size() ? other.decisions[i].count : 0);
  }
}

SessionAccount operator-(SessionAccount a, const SessionAccount& b) {
  for_each_number(a, b, [](std::int64_t& x, std::int64_t y) { x -= y; });
  return a;
}

SessionAccount& operator+=(SessionAccount& a, const SessionAccount& b) {
  for_each_number(a, b, [](std::int64_t& x, std::int64_t y) { x = mpc::capped_sum(x, y); });
  a.step.work.most_passing = std::max(a.step.work.most_passing, b.step.work.most_passing);
  return a;
}

// A plan of a huge training ends at the largest number.
std::int64_t scaled(std::int64_t x, std::int64_t parts, std::int64_t count) {
  return mpc::capped_sum(mpc::capped_product(x / parts, count), mpc::capped_product(x % parts, count) / parts);
}

std::int64_t epochs_with(std::int64_t steps, std::int64_t batches) {
  const std::int64_t each = std::max<std::int64_t>(batches, 1);
  return (steps + each - 1) / each;
}

}  // namespace

SessionAccount so_far(const mpc::PlanSession& session) {
  return {{session.stated(), session.work()}, session.reveals(), session.decisions()};
}

SessionAccount times(SessionAccount whole, std::int64_t parts, std::int64_t count) {
  for_each_number(whole, {}, [&](std::int64_t& x, std::int64_t) { x = scaled(x, parts, count); });
  return whole;
}

PlannedEpochs::PlannedEpochs(const TrainingPlan& training, std::int64_t batches, std::int64_t most_steps,
                             const More& more)
    : all_(training.epochs),
      starting_(epochs_with(starting_steps(training.optimiser), batches)),
      keeps_ciphertexts_(training.is_pairwise()),
      always_(more.always),
      one_by_one_(all_) {
  for (const Revealed& what : training.metrics) periods_.push_back(period_of(training, what));
  masking_ = telling_ = every_metric();
  for (const auto& [period, effect] : more.periods) {
    const std::uint32_t bit = 1U << periods_.size();
    periods_.push_back(period);
    if (effect.masks) masking_ |= bit;
    if (effect.tells_at_once) telling_ |= bit;
  }
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    if (periods_[i] == 1) in_every_epoch_ |= 1U << i;
  }
  for (const std::int64_t period : periods_) cycle_ = period == 0 ? cycle_ : common(cycle_, period);
  std::int64_t begin = std::max(starting_ + kLeast, most_steps / std::max<std::int64_t>(batches, 1)) - 1;
  while (begin < all_ && !leaves_the_usual(begin)) ++begin;
  if (begin >= all_ - 1) return;
  one_by_one_ = begin;
  add_examples();
  add(all_);
}

std::int64_t PlannedEpochs::left_out() const {
  return later_.empty() ? 0 : all_ - one_by_one_ - static_cast<std::int64_t>(later_.size());
}

std::int64_t PlannedEpochs::left_out_after(std::int64_t epoch) const {
  const auto next = std::upper_bound(later_.begin(), later_.end(), epoch);
  return epoch < one_by_one_ || next == later_.end() ? 0 : *next - 1 - epoch;
}

ByEpochKind PlannedEpochs::left_out_by_kind() const {
  if (later_.empty()) return {};
  ByEpochKind left = kinds(one_by_one_ + 1, all_);
  for (const std::int64_t epoch : later_) {
    if (epoch < all_) --left[kind(epoch)];
  }
  return left;
}

bool PlannedEpochs::is_like_others(std::int64_t epoch, const EvaluatedMetrics& evaluated) const {
  const std::uint32_t settled = keeps_ciphertexts_ ? evaluated.twice : evaluated.once;
  return epoch > std::max<std::int64_t>(starting_, 2) && epoch < all_ && (metrics_of(epoch) & ~settled) == 0;
}

std::uint32_t PlannedEpochs::due(std::int64_t epoch) const {
  std::uint32_t due = 0;
  for (std::size_t i = 0; i < periods_.size(); ++i) {
    if (periods_[i] > 0 && epoch % periods_[i] == 0) due |= 1U << i;
  }
  return due;
}

// The least common multiple, or more epochs than there are.
std::int64_t PlannedEpochs::common(std::int64_t a, std::int64_t b) const {
  const std::int64_t factor = b / std::gcd(a, b);
  return a > all_ / factor ? all_ + 1 : a * factor;
}

// The first epoch after this one that may be of another kind.
std::int64_t PlannedEpochs::next_kind_after(std::int64_t epoch) const {
  if (evaluates(epoch) || evaluates(epoch - 1)) return epoch + 1;
  std::int64_t next = all_;
  for (const std::int64_t period : periods_) {
    if (period > 0) next = std::min(next, (epoch / period + 1) * period);
  }
  return next;
}

// Counts the kinds of the epochs begin ... end-1; end is at most the last epoch. Kinds repeat after a cycle.
ByEpochKind PlannedEpochs::kinds(std::int64_t begin, std::int64_t end) const {
  ByEpochKind counts;
  const std::int64_t count = std::max<std::int64_t>(end - begin, 0), cycles = count / cycle_, rest = count % cycle_;
  const std::int64_t examined = std::min(cycle_, count);
  for (std::int64_t i = 0, next = 0; i < examined; i = next) {
    next = std::min(next_kind_after(begin + i) - begin, examined);
    counts[kind(begin + i)] += cycles * (next - i) + std::clamp<std::int64_t>(rest - i, 0, next - i);
  }
  return counts;
}

// Adds an example of each kind that is among the epochs after the first ones. The first evaluation of a metric, or the first two, is
// no example: a kind may need two epochs, or three, and they lie in the first two cycles, or three.
void PlannedEpochs::add_examples() {
  EvaluatedMetrics evaluated;
  std::set<EpochKind> known;
  const auto note = [&](std::int64_t epoch) {
    if (is_like_others(epoch, evaluated)) known.insert(kind(epoch));
    evaluated.add(metrics_of(epoch));
  };
  for (std::int64_t epoch = 1; epoch <= one_by_one_; ++epoch) note(epoch);
  const std::int64_t left = all_ - one_by_one_ - 1, cycles = keeps_ciphertexts_ ? 3 : 2;
  const std::int64_t end = one_by_one_ + 1 + (cycle_ > left / cycles ? left : cycles * cycle_);
  for (std::int64_t epoch = one_by_one_ + 1; epoch < end; epoch = next_kind_after(epoch)) {
    if (known.contains(kind(epoch))) continue;
    const std::size_t before = later_.size();
    add(epoch);
    for (std::size_t i = before; i < later_.size(); ++i) note(later_[i]);
  }
}

// Adds an epoch, unless it is there. Before it, a planned epoch must leave the same state as in the training. Therefore an epoch that leaves
// something unusual also adds the epochs after it, up to the first that leaves the usual.
void PlannedEpochs::add(std::int64_t epoch) {
  if (last_planned() >= epoch) return;
  if (last_planned() < epoch - 1 && !leaves_the_usual(epoch - 1)) add(epoch - 1);
  if (last_planned() >= epoch) return;
  later_.push_back(epoch);
  if (!leaves_the_usual(epoch) && epoch + 1 < all_) add(epoch + 1);
}

void EpochTally::take(std::int64_t epoch, const SessionAccount& now, PlannedRun& run) {
  const SessionAccount its = now - before_;
  before_ = now;
  run.epochs.push_back(its.step);
  run.numbers.push_back(epoch);
  if (epochs_.is_like_others(epoch, evaluated_)) {
    sums_[epochs_.kind(epoch)] += its;
    examples_[epochs_.kind(epoch)].push_back(run.epochs.size() - 1);
  }
  evaluated_.add(epochs_.metrics_of(epoch));
}

void EpochTally::finish(SessionAccount all, PlannedRun& run) const {
  run.results = all.step - before_.step;
  SessionAccount more;
  run.stands_for.assign(run.epochs.size(), 1);
  for (const auto& [kind, left] : epochs_.left_out_by_kind()) {
    if (left == 0) continue;
    const auto example = examples_.find(kind);
    TACIT_CHECK(left > 0 && example != examples_.end());
    const std::vector<std::size_t>& planned = example->second;
    const std::int64_t count = std::ssize(planned);
    more += times(sums_.at(kind), count, left);
    for (std::int64_t i = 0; i < count; ++i) {
      run.stands_for[planned[static_cast<std::size_t>(i)]] += left / count + (i < left % count ? 1 : 0);
    }
  }
  run.left_out = {epochs_.left_out(), 0, more.step};
  all += more;
  run.total = all.step;
  run.reveals = mpc::with_test_value_last(std::move(all.reveals));
  run.decisions = std::move(all.decisions);
}

}  // namespace tacit::gnn
