#include "gnn/run/planned_run.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "gnn/run/planned_aggregate.h"
#include "gnn/train/agreed_privacy.h"
#include "gnn/train/batches.h"
#include "gnn/train/perturbed_graph.h"
#include "gnn/train/share_records.h"
#include "gnn/train/trainer.h"
#include "mpc/functions/known_answer.h"
#include "mpc/protocols/compare_transcripts.h"

namespace tacit::gnn {

namespace {

using PlannedStep = PlannedRun::Step;

// The stated costs, reveals and decisions of a part of a session. A session only ever adds lines to
// its account, so lines with equal indices in two accounts have the same reason.
struct Account {
  PlannedStep step;
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;
};

Account so_far(const mpc::PlanSession& session) {
  return {{session.stated(), session.work()}, session.reveals(), session.decisions()};
}

// Calls `change` for every number of an account and the number at the same place of `other`, or 0.
template <typename Change>
void for_each_number(Account& account, const Account& other, const Change& change) {
  account.reveals.resize(std::max(account.reveals.size(), other.reveals.size()));
  account.decisions.resize(std::max(account.decisions.size(), other.decisions.size()));
  mpc::Cost& cost = account.step.cost;
  const mpc::Cost& others = other.step.cost;
  change(cost.rounds, others.rounds);
  change(cost.bytes, others.bytes);
  change(cost.messages, others.messages);
  change(cost.dealt_bytes, others.dealt_bytes);
  change(cost.dealt_messages, others.dealt_messages);
  change(account.step.work.multiplications, other.step.work.multiplications);
  change(account.step.work.words, other.step.work.words);
  for (std::size_t i = 0; i < account.reveals.size(); ++i) {
    const mpc::Reveal line = i < other.reveals.size() ? other.reveals[i] : mpc::Reveal{};
    change(account.reveals[i].count, line.count);
    change(account.reveals[i].elements, line.elements);
  }
  for (std::size_t i = 0; i < account.decisions.size(); ++i) {
    change(account.decisions[i].count, i < other.decisions.size() ? other.decisions[i].count : 0);
  }
}

Account operator-(Account a, const Account& b) {
  for_each_number(a, b, [](std::int64_t& x, std::int64_t y) { x -= y; });
  return a;
}

Account& operator+=(Account& a, const Account& b) {
  for_each_number(a, b, [](std::int64_t& x, std::int64_t y) { x += y; });
  return a;
}

// Scales an account of `parts` epochs or batches to `count` of them. Exact if all of them cost the
// same.
Account times(Account whole, std::int64_t parts, std::int64_t count) {
  for_each_number(whole, {}, [&](std::int64_t& x, std::int64_t) { x = x / parts * count + x % parts * count / parts; });
  return whole;
}

constexpr std::int64_t kLeastEpochs = 6;  // planned one by one: enough for every kind of epoch, and the last
constexpr std::int64_t kLeastBatches = 16;

// Epochs of one kind cost the same. The kind depends on two facts: which metrics the epoch evaluates, and whether the
// epoch before it evaluated any, since an evaluation leaves the weights masked.
struct EpochKind {
  std::uint32_t metrics = 0;  // a bit for each of the plan's
  bool after_evaluation = false;

  auto operator<=>(const EpochKind&) const = default;
};
using ByEpochKind = std::map<EpochKind, std::int64_t>;

// Chooses the epochs to plan: the first ones, one by one; after them, later ones until each kind is
// present; and the last.
class Epochs {
 public:
  Epochs(const TrainingPlan& training, std::int64_t batches, std::int64_t most_steps)
      : training_(training), all_(training.epochs), one_by_one_(all_) {
    for (const Revealed& what : training.metrics) periods_.push_back(period_of(training, what));
    for (const std::int64_t period : periods_) cycle_ = period == 0 ? cycle_ : common(cycle_, period);
    std::int64_t begin = std::max(kLeastEpochs, most_steps / std::max<std::int64_t>(batches, 1)) - 1;
    while (begin < all_ && evaluates(begin) && !every_epoch()) ++begin;  // ends without an evaluation
    if (begin >= all_ - 1) return;
    one_by_one_ = begin;
    add_examples();
    add(all_);
  }

  std::int64_t left_out() const {
    return later_.empty() ? 0 : all_ - one_by_one_ - static_cast<std::int64_t>(later_.size());
  }
  // The number of epochs that are left out directly after this one.
  std::int64_t left_out_after(std::int64_t epoch) const {
    const auto next = std::upper_bound(later_.begin(), later_.end(), epoch);
    return epoch < one_by_one_ || next == later_.end() ? 0 : *next - 1 - epoch;
  }
  ByEpochKind left_out_by_kind() const {
    if (later_.empty()) return {};
    ByEpochKind left = kinds(one_by_one_ + 1, all_);
    for (const std::int64_t epoch : later_) {
      if (epoch < all_) --left[kind(epoch)];
    }
    return left;
  }

  EpochKind kind(std::int64_t epoch) const { return {metrics_of(epoch), epoch > 1 && evaluates(epoch - 1)}; }
  // False for a planned epoch that costs more or less than others of its kind. The first two epochs and the first
  // evaluation of a metric mask values that stay masked: `evaluated` has the metrics before this epoch. An evaluation at
  // the end that is not due decides nothing.
  bool is_like_others(std::int64_t epoch, std::uint32_t evaluated) const {
    if (epoch == all_ && (due(epoch) == 0 || due(epoch) != metrics_of(epoch))) return false;
    return epoch > 2 && (metrics_of(epoch) & ~evaluated) == 0;
  }
  std::uint32_t metrics_of(std::int64_t epoch) const { return epoch == all_ ? every_metric() : due(epoch); }

 private:
  std::uint32_t every_metric() const { return (1U << periods_.size()) - 1; }
  std::uint32_t due(std::int64_t epoch) const {
    std::uint32_t metrics = 0;
    for (std::size_t i = 0; i < periods_.size(); ++i) {
      if (is_due(training_, training_.metrics[i], epoch)) metrics |= 1U << i;
    }
    return metrics;
  }
  bool evaluates(std::int64_t epoch) const { return metrics_of(epoch) != 0; }

  // The least common multiple, or more epochs than there are.
  std::int64_t common(std::int64_t a, std::int64_t b) const {
    const std::int64_t factor = b / std::gcd(a, b);
    return a > all_ / factor ? all_ + 1 : a * factor;
  }

  // The first epoch after this one that may be of another kind: the next one if this one or the one before it has an
  // evaluation, else the next epoch with an evaluation.
  std::int64_t next_kind_after(std::int64_t epoch) const {
    if (evaluates(epoch) || evaluates(epoch - 1)) return epoch + 1;
    std::int64_t next = all_;
    for (const std::int64_t period : periods_) {
      if (period > 0) next = std::min(next, (epoch / period + 1) * period);
    }
    return next;
  }

  // Counts the kinds of the epochs begin ... end-1; end is at most the last epoch. Kinds repeat after a cycle.
  ByEpochKind kinds(std::int64_t begin, std::int64_t end) const {
    ByEpochKind counts;
    const std::int64_t count = std::max<std::int64_t>(end - begin, 0), cycles = count / cycle_, rest = count % cycle_;
    const std::int64_t examined = std::min(cycle_, count);
    for (std::int64_t i = 0, next = 0; i < examined; i = next) {
      next = std::min(next_kind_after(begin + i) - begin, examined);
      counts[kind(begin + i)] += cycles * (next - i) + std::clamp<std::int64_t>(rest - i, 0, next - i);
    }
    return counts;
  }

  // Adds an example of each kind that is among the epochs after the first ones. The first evaluation of a metric is no
  // example: a kind may need two epochs, and they lie in the first two cycles.
  void add_examples() {
    std::uint32_t evaluated = 0;
    std::set<EpochKind> known;
    const auto note = [&](std::int64_t epoch) {
      if (is_like_others(epoch, evaluated)) known.insert(kind(epoch));
      evaluated |= metrics_of(epoch);
    };
    for (std::int64_t epoch = 1; epoch <= one_by_one_; ++epoch) note(epoch);
    const std::int64_t left = all_ - one_by_one_ - 1, end = one_by_one_ + 1 + (cycle_ > left / 2 ? left : 2 * cycle_);
    for (std::int64_t epoch = one_by_one_ + 1; epoch < end; epoch = next_kind_after(epoch)) {
      if (known.contains(kind(epoch))) continue;
      const std::size_t before = later_.size();
      add(epoch);
      for (std::size_t i = before; i < later_.size(); ++i) note(later_[i]);
    }
  }

  // Adds an epoch, unless it is there. The weights must be masked at its beginning exactly if they are in the training.
  // Therefore an evaluation also adds the epochs after it, up to the first epoch without an evaluation.
  void add(std::int64_t epoch) {
    if (last_planned() >= epoch) return;
    if (last_planned() < epoch - 1 && evaluates(epoch - 1) && !evaluates(last_planned())) add(epoch - 1);
    if (last_planned() >= epoch) return;
    later_.push_back(epoch);
    if (evaluates(epoch) && !every_epoch() && epoch + 1 < all_) add(epoch + 1);
  }
  std::int64_t last_planned() const { return later_.empty() ? one_by_one_ : later_.back(); }
  bool every_epoch() const { return std::find(periods_.begin(), periods_.end(), 1) != periods_.end(); }

  const TrainingPlan& training_;
  const std::int64_t all_;
  std::vector<std::int64_t> periods_;  // one for each metric
  std::int64_t cycle_ = 1;             // epochs after which the same metrics are due
  std::int64_t one_by_one_;
  std::vector<std::int64_t> later_;  // empty: every epoch is planned one by one
};

// Indices of the batches that are planned in each epoch. The losses of the other batches are added
// up as well.
using Chosen = std::vector<std::size_t>;

void keep(const Chosen& chosen, SecretGraph& graph) {
  std::vector<SecretGraph::Batch> kept;
  for (const std::size_t i : chosen) kept.push_back(graph.batches[i]);
  kept.front().stands_for += std::ssize(graph.batches) - std::ssize(kept);
  graph.batches = std::move(kept);
}

// A job as it is planned.
struct Planning {
  const DataPlan& data;
  const TrainingPlan& training;
  const DataAgreement& agreement;
  const PlannedRank& rank;
  std::optional<TrainingPrivacy> privacy;

  bool is_perturbed() const { return training.model.perturbed.has_value(); }

  // `passing`: words of epochs before the training's own, which are not held at the same time.
  SecretGraph graph(mpc::PlanSession& session, std::int64_t& passing) const {
    std::optional<RecordSource> source;
    const auto nobody = [](int) { return nullptr; };
    if (is_perturbed()) {
      std::int64_t first = -1, last = 0;
      const auto note = [&] {
        last = session.work().words;
        if (first < 0) first = last;
      };
      SecretGraph graph = perturbed_graph(session, data, training, agreement, nobody, *privacy, note).graph;
      passing = last - first;
      return graph;
    }
    if (privacy) source = RecordSource{*privacy, 0, 0, nobody, nullptr, {}, {}};
    return share_for_training(session, data, training, agreement, nobody, std::move(source));
  }
};

PlannedRun planned_with(const Chosen& batches, const Epochs& epochs, const Planning& planning) {
  const auto& [data, training, agreement, rank, privacy] = planning;
  const int owners = static_cast<int>(agreement.holding.edges.size());
  mpc::PlanSession session(owners, rank.parties, rank.rank, rank.openings);
  PlannedRun run;
  session.begin_part(kTestPart);
  mpc::expect_known_answer(session);
  std::int64_t passing = 0;
  SecretGraph graph = planning.graph(session, passing);
  run.batches = std::ssize(graph.batches);
  if (graph.blocks) {
    run.predicted_blocks = std::max<std::int64_t>(std::ssize(graph.blocks->all), 1);
    std::int64_t measured = 0;
    for (const auto& [part, blocks] : graph.blocks->measured) measured += std::ssize(blocks);
    run.measured_blocks = measured > 0 ? measured : run.predicted_blocks;
  }
  keep(batches, graph);
  Trainer trainer(session, training, std::move(graph));
  Account before = so_far(session);
  std::map<EpochKind, Account> sums;
  std::map<EpochKind, std::vector<std::size_t>> examples;  // indices of the planned epochs of each kind
  std::uint32_t evaluated = 0;                             // metrics
  run.sharing = before.step;
  run.sharing.work.words -= passing;
  trainer.run([&](const EpochEvent& event) {
    const Account now = so_far(session);
    const Account its = now - before;
    before = now;
    run.epochs.push_back(its.step);
    run.numbers.push_back(event.epoch);
    if (epochs.is_like_others(event.epoch, evaluated)) {
      sums[epochs.kind(event.epoch)] += its;
      examples[epochs.kind(event.epoch)].push_back(run.epochs.size() - 1);
    }
    evaluated |= epochs.metrics_of(event.epoch);
    trainer.skip(epochs.left_out_after(event.epoch));
  });
  trainer.reveal_model();
  trainer.reveal_predictions();
  session.begin_part(kComparePart);
  mpc::compare_transcripts(session);
  session.end_part();
  run.profile = trainer.profile();
  Account all = so_far(session);
  run.results = all.step - before.step;
  Account more;
  run.stands_for.assign(run.epochs.size(), 1);
  for (const auto& [kind, left] : epochs.left_out_by_kind()) {
    if (left == 0) continue;
    const std::vector<std::size_t>& planned = examples[kind];
    const std::int64_t count = std::ssize(planned);
    TACIT_CHECK(left > 0 && count > 0);
    more += times(sums[kind], count, left);
    for (std::int64_t i = 0; i < count; ++i) {
      run.stands_for[planned[static_cast<std::size_t>(i)]] += left / count + (i < left % count ? 1 : 0);
    }
  }
  run.left_out = {epochs.left_out(), 0, more.step};
  all += more;
  run.total = all.step;
  run.reveals = mpc::with_test_value_last(std::move(all.reveals));
  run.decisions = std::move(all.decisions);
  return run;
}

// Two plans of one job, where `more` has `by` more batches than `less`. Their difference is
// extrapolated to `count` batches.
struct Growth {
  const PlannedRun& less;
  const PlannedRun& more;
  std::int64_t by = 1;  // batches
  std::int64_t count = 0;

  std::int64_t of(std::int64_t from, std::int64_t until) const {
    return (until - from) / by * count + (until - from) % by * count / by;
  }
  PlannedStep of(const PlannedStep& from, const PlannedStep& until) const {
    return times(Account{until - from, {}, {}}, by, count).step;
  }
};

// Both plans run the same program, so their parts and protocols have the same indices.
void extend(mpc::Profile& whole, const mpc::Profile& less, const mpc::Profile& more, const Growth& growth) {
  for (std::size_t part = 0; part < whole.parts.size(); ++part) {
    mpc::Profile::Part& to = whole.parts[part];
    const mpc::Profile::Part &from = less.parts.at(part), &until = more.parts.at(part);
    TACIT_CHECK(to.name == until.name && to.name == from.name);
    to.times += growth.of(from.times, until.times);
    for (std::size_t i = 0; i < to.protocols.size(); ++i) {
      mpc::ProtocolCost& stated = to.protocols[i].stated;
      const mpc::ProtocolCost &a = from.protocols.at(i).stated, &b = until.protocols.at(i).stated;
      TACIT_CHECK(stated.protocol == a.protocol && stated.protocol == b.protocol);
      stated.calls += growth.of(a.calls, b.calls);
      stated.cost += growth.of({a.cost, {}}, {b.cost, {}}).cost;
    }
  }
}

// Extrapolates costs alone: reveals and decisions do not depend on the number of batches.
PlannedRun extended(PlannedRun run, const Growth& growth) {
  const PlannedRun &less = growth.less, &more = growth.more;
  const auto extend_step = [&](PlannedStep& to, const PlannedStep& from, const PlannedStep& until) {
    to = to + growth.of(from, until);
  };
  extend_step(run.sharing, less.sharing, more.sharing);
  for (std::size_t i = 0; i < run.epochs.size(); ++i) extend_step(run.epochs[i], less.epochs[i], more.epochs[i]);
  extend_step(run.left_out.cost, less.left_out.cost, more.left_out.cost);
  extend_step(run.results, less.results, more.results);
  extend_step(run.total, less.total, more.total);
  extend(run.profile.before, less.profile.before, more.profile.before, growth);
  extend(run.profile.first_epoch, less.profile.first_epoch, more.profile.first_epoch, growth);
  extend(run.profile.later_epochs, less.profile.later_epochs, more.profile.later_epochs, growth);
  extend(run.profile.after, less.profile.after, more.profile.after, growth);
  return run;
}

// Groups batches by everything on which the cost of a step depends: the number of nodes that each
// layer reads, and the number of labelled nodes.
std::vector<Chosen> batches_by_shape(const Planning& planning) {
  const auto& [data, training, agreement, rank, privacy] = planning;
  mpc::PlanSession session(static_cast<int>(agreement.holding.edges.size()), rank.parties, rank.rank, rank.openings);
  std::int64_t passing = 0;
  const SecretGraph graph = planning.graph(session, passing);
  std::map<std::vector<std::int64_t>, Chosen> by_shape;
  for (std::size_t i = 0; i < graph.batches.size(); ++i) {
    const SecretGraph::Batch& batch = graph.batches[i];
    std::vector<std::int64_t> shape{batch.labelled.count()};
    for (std::size_t layer = 0; layer <= training.model.layers.size(); ++layer) {
      shape.push_back(std::ssize(batch.view.inputs(layer)));
    }
    by_shape[shape].push_back(i);
  }
  std::vector<Chosen> all;
  for (auto& [shape, batches] : by_shape) all.push_back(std::move(batches));
  return all;
}

// The number of batches of one shape to plan. The first batch of an epoch may find masked weights,
// so the plan needs a second one.
std::int64_t kept_of(const Chosen& alike) {
  constexpr std::int64_t kLeast = 2;
  return std::min(std::ssize(alike), kLeast);
}

Chosen first(std::int64_t count) {
  Chosen all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

const PlannedRun::Step& PlannedRun::usual_epoch() const {
  constexpr std::size_t kBothEnds = 3;
  std::vector<const Step*> usual;
  const std::size_t cut = epochs.size() >= kBothEnds ? 1 : 0;  // the first epoch shares and masks, the last evaluates
  for (std::size_t i = cut; i + cut < epochs.size(); ++i) usual.push_back(&epochs[i]);
  std::map<std::int64_t, std::int64_t> alike;  // number of epochs by number of rounds
  for (const Step* epoch : usual) {
    alike[epoch->cost.rounds] += stands_for[static_cast<std::size_t>(epoch - epochs.data())];
  }
  const auto most =
      std::max_element(alike.begin(), alike.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::erase_if(usual, [&](const Step* epoch) { return epoch->cost.rounds != most->first; });
  const auto middle = usual.begin() + (std::ssize(usual) - 1) / 2;
  std::nth_element(usual.begin(), middle, usual.end(),
                   [](const Step* a, const Step* b) { return a->cost.bytes < b->cost.bytes; });
  return **middle;
}

PlannedRun planned_run(const DataPlan& data, const TrainingPlan& training, const DataAgreement& agreement,
                       const PlannedRank& rank) {
  if (training.aggregates()) return planned_aggregate(data, training, agreement, rank);
  Planning planning{data, training, agreement, rank, std::nullopt};
  if (training.privacy) planning.privacy = privacy_of(training, agreement);
  const std::vector<Chosen> shapes = batches_by_shape(planning);
  Chosen chosen;
  std::int64_t batches = 0, runs = 1;
  for (const Chosen& alike : shapes) {
    chosen.insert(chosen.end(), alike.begin(), alike.begin() + kept_of(alike));
    batches += std::ssize(alike);
    if (std::ssize(alike) > kept_of(alike)) ++runs;
  }
  const std::int64_t most = std::max(kLeastBatches, rank.most_steps / kLeastEpochs);
  if (batches <= most) chosen = first(batches), runs = 1;
  const bool one_by_one = runs * std::ssize(chosen) <= 2 * most;
  const Epochs epochs(training, one_by_one ? std::ssize(chosen) : most, rank.most_steps);
  const auto planned = [&](const Chosen& some) { return planned_with(some, epochs, planning); };
  if (!one_by_one) {  // too many shapes to plan each: extrapolate from two numbers of batches
    const PlannedRun few = planned(first(most / 2)), more = planned(first(most));
    PlannedRun all = extended(more, {few, more, most - most / 2, batches - most});
    all.left_out.batches = batches - most;
    return all;
  }
  const PlannedRun few = planned(chosen);
  PlannedRun all = few;
  for (const Chosen& alike : shapes) {
    const std::int64_t left = std::ssize(alike) - kept_of(alike);
    if (runs == 1 || left == 0) continue;
    Chosen one_more = chosen;
    one_more.push_back(alike[static_cast<std::size_t>(kept_of(alike))]);
    all = extended(std::move(all), {few, planned(one_more), 1, left});
  }
  return all;
}

}  // namespace tacit::gnn
