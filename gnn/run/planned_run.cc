#include "gnn/run/planned_run.h"

#include <algorithm>
#include <array>
#include <map>

#include "gnn/train/batches.h"
#include "gnn/train/share_graph.h"
#include "gnn/train/trainer.h"
#include "mpc/functions/known_answer.h"

namespace tacit::gnn {

namespace {

using PlannedStep = PlannedRun::Step;

// What a session told of some of its calls. Lines are only ever added to an account, so equal places are of one reason.
struct Account {
  PlannedStep step;
  std::vector<mpc::Reveal> reveals;
  std::vector<mpc::Decision> decisions;
};

Account so_far(const mpc::PlanSession& session) {
  return {{session.stated(), session.work()}, session.reveals(), session.decisions()};
}

// Every number of an account, and that of another in the same place or 0.
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

// `count` times one of so many parts: exact where they are all the same.
Account times(Account whole, std::int64_t parts, std::int64_t count) {
  for_each_number(whole, {}, [&](std::int64_t& x, std::int64_t) { x = x / parts * count + x % parts * count / parts; });
  return whole;
}

constexpr std::int64_t kLeastEpochs = 6;  // with every kind of them, one by one, and the last
constexpr std::int64_t kLeastBatches = 16;

// What epochs of one kind cost alike: whether they evaluate, and whether the one before has, which leaves the weights
// masked.
enum Kind { kUsual, kAfterEvaluation, kEvaluation, kEvaluationAfterAnother, kKinds };
using ByKind = std::array<std::int64_t, kKinds>;

// Which epochs are planned: the first ones, one by one, then so many as there must be for one of each kind, and the
// last.
class Epochs {
 public:
  Epochs(const TrainingPlan& training, std::int64_t batches, std::int64_t most_steps)
      : all_(training.epochs), period_(training.evaluate_every), one_by_one_(all_) {
    const std::int64_t most = std::max(kLeastEpochs, most_steps / std::max<std::int64_t>(batches, 1));
    const std::int64_t begin = most - (period_ > 1 && (most - 1) % period_ == 0 ? 0 : 1);  // that evaluates nothing
    if (begin >= all_ - 1) return;
    one_by_one_ = begin;
    add_later_evaluation(period_);  // the first
    const bool last_is_one = is_due(all_) || is_due(all_ - 1);
    if (!last_is_one) add_later_evaluation(2 * period_);
    if (period_ > 1 && is_due(all_ - 1)) add_later(all_ - 1);
    later_.push_back(all_);
  }

  std::int64_t left_out() const {
    return later_.empty() ? 0 : all_ - one_by_one_ - static_cast<std::int64_t>(later_.size());
  }
  // So many come after this one and are left out.
  std::int64_t left_out_after(std::int64_t epoch) const {
    const auto next = std::upper_bound(later_.begin(), later_.end(), epoch);
    return epoch < one_by_one_ || next == later_.end() ? 0 : *next - 1 - epoch;
  }
  ByKind left_out_by_kind() const {
    ByKind left{};
    if (later_.empty()) return left;
    const std::int64_t range = all_ - 1 - one_by_one_;
    const std::int64_t evaluations = multiples(all_ - 1) - multiples(one_by_one_);
    const std::int64_t after = multiples(all_ - 2) - multiples(one_by_one_ - 1);
    if (period_ == 1) {
      left[kEvaluationAfterAnother] = range;
    } else {
      left = {range - evaluations - after, after, evaluations, 0};
    }
    for (const std::int64_t epoch : later_) {
      if (epoch < all_) --left[kind(epoch)];
    }
    return left;
  }

  Kind kind(std::int64_t epoch) const {
    const bool after = epoch > 1 && evaluates(epoch - 1);
    if (evaluates(epoch)) return after ? kEvaluationAfterAnother : kEvaluation;
    return after ? kAfterEvaluation : kUsual;
  }
  // Whether others of its kind cost as much: the first two mask what stays, and so does the first evaluation. An
  // evaluation that is not due, at the end, decides nothing.
  bool is_like_others(std::int64_t epoch) const {
    return epoch > 2 && (period_ <= 1 || epoch != period_) && (epoch != all_ || period_ == 0 || is_due(all_));
  }

 private:
  // With the epoch that comes after it, and begins with masked weights.
  void add_later_evaluation(std::int64_t epoch) {
    if (epoch <= one_by_one_) return;
    add_later(epoch);
    add_later(epoch + 1);
  }
  void add_later(std::int64_t epoch) {
    if (epoch < all_ && (later_.empty() || later_.back() < epoch)) later_.push_back(epoch);
  }

  bool is_due(std::int64_t epoch) const { return period_ > 0 && epoch % period_ == 0; }
  bool evaluates(std::int64_t epoch) const { return epoch == all_ || is_due(epoch); }
  std::int64_t multiples(std::int64_t epoch) const { return period_ > 0 ? epoch / period_ : 0; }

  const std::int64_t all_, period_;
  std::int64_t one_by_one_;
  std::vector<std::int64_t> later_;  // none: all were
};

// With no more than so many batches of each epoch.
PlannedRun planned_with(std::int64_t batches, const Epochs& epochs, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PlannedRank& rank) {
  const int owners = static_cast<int>(agreement.shapes.edges.size());
  mpc::PlanSession session(owners, rank.parties, rank.rank, rank.openings);
  PlannedRun run;
  session.begin_part(kTestPart);
  mpc::expect_known_answer(session);
  SecretGraph graph = share_graph(session, data, training, agreement, [](int) { return nullptr; });
  graph.batches.resize(std::min(graph.batches.size(), static_cast<std::size_t>(batches)));
  Trainer trainer(session, training, std::move(graph));
  Account before = so_far(session);
  std::array<Account, kKinds> sums;
  std::array<std::vector<std::size_t>, kKinds> examples;  // of each kind, by place among the planned
  run.sharing = before.step;
  trainer.run([&](const EpochEvent& event) {
    const Account now = so_far(session);
    const Account its = now - before;
    before = now;
    run.epochs.push_back(its.step);
    run.numbers.push_back(event.epoch);
    if (epochs.is_like_others(event.epoch)) {
      sums[epochs.kind(event.epoch)] += its;
      examples[epochs.kind(event.epoch)].push_back(run.epochs.size() - 1);
    }
    trainer.skip(epochs.left_out_after(event.epoch));
  });
  trainer.reveal_model();
  trainer.reveal_predictions();
  session.end_part();
  run.profile = trainer.profile();
  Account all = so_far(session);
  run.results = all.step - before.step;
  const ByKind left_out = epochs.left_out_by_kind();
  Account more;
  run.stands_for.assign(run.epochs.size(), 1);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    if (left_out[kind] == 0) continue;
    const std::int64_t count = std::ssize(examples[kind]);
    TACIT_CHECK(left_out[kind] > 0 && count > 0);
    more += times(sums[kind], count, left_out[kind]);
    for (std::int64_t i = 0; i < count; ++i) {
      run.stands_for[examples[kind][static_cast<std::size_t>(i)]] +=
          left_out[kind] / count + (i < left_out[kind] % count ? 1 : 0);
    }
  }
  run.left_out = {epochs.left_out(), 0, more.step};
  all += more;
  run.total = all.step;
  run.reveals = mpc::with_test_value_last(std::move(all.reveals));
  run.decisions = std::move(all.decisions);
  return run;
}

// Of so many more batches: what they add is taken to be as much as others added. Nothing else depends on their number.
PlannedRun with_more(const PlannedRun& few, PlannedRun run, std::int64_t added, std::int64_t more) {
  const auto extend = [&](PlannedStep& step, const PlannedStep& before) {
    Account account{step, {}, {}};
    account += times(account - Account{before, {}, {}}, added, more);
    step = account.step;
  };
  extend(run.sharing, few.sharing);
  for (std::size_t i = 0; i < run.epochs.size(); ++i) extend(run.epochs[i], few.epochs[i]);
  extend(run.left_out.cost, few.left_out.cost);
  extend(run.results, few.results);
  extend(run.total, few.total);
  run.left_out.batches = more;
  return run;
}

}  // namespace

const PlannedRun::Step& PlannedRun::usual_epoch() const {
  constexpr std::size_t kBothEnds = 3;
  std::vector<const Step*> usual;
  const std::size_t cut = epochs.size() >= kBothEnds ? 1 : 0;  // the first shares and masks, the last evaluates
  for (std::size_t i = cut; i + cut < epochs.size(); ++i) usual.push_back(&epochs[i]);
  std::map<std::int64_t, std::int64_t> alike;  // how many there are with so many rounds
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
  const std::int64_t all = std::ssize(batches_of(agreement.counts.train, training.batch, training.seed));
  const std::int64_t most = std::max(kLeastBatches, rank.most_steps / kLeastEpochs), few = most / 2;
  const Epochs epochs(training, std::min(all, most), rank.most_steps);
  const auto planned = [&](std::int64_t batches) {
    return planned_with(batches, epochs, data, training, agreement, rank);
  };
  return all <= most ? planned(all) : with_more(planned(few), planned(most), most - few, all - most);
}

}  // namespace tacit::gnn
