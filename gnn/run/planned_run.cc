#include "gnn/run/planned_run.h"

#include <algorithm>
#include <map>

#include "gnn/train/batches.h"
#include "gnn/train/share_graph.h"
#include "gnn/train/trainer.h"

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

constexpr std::int64_t kLeastEpochs = 4;  // the first, two like those to come, and the last
constexpr std::int64_t kLeastBatches = 16;

// Which epochs are planned: the first ones, one by one, then the last.
class Epochs {
 public:
  Epochs(const TrainingPlan& training, std::int64_t batches, std::int64_t most_steps) : all_(training.epochs) {
    const std::int64_t period = std::max<std::int64_t>(training.evaluate_every, 1);
    planned_ = std::min(all_, std::max(kLeastEpochs, most_steps / std::max<std::int64_t>(batches, 1)));
    if (planned_ == all_) return;
    samples_ = planned_ - 3;
    if (2 * period <= samples_ + 1) {  // what is left out is whole periods, like those before it
      planned_ -= (planned_ - all_ % period) % period;
      samples_ = (planned_ - 3) / period * period;
    } else if (last_sample() / period == before_samples() / period) {
      evaluations_ = (all_ - 1) / period - last_sample() / period;
    }
  }

  std::int64_t left_out() const { return all_ - planned_; }
  std::int64_t evaluations() const { return evaluations_; }  // of those left out, where no sample has one
  // So many epochs tell what those left out will cost: after this one, up to that.
  std::int64_t samples() const { return samples_; }
  std::int64_t before_samples() const { return planned_ - 1 - samples_; }
  std::int64_t last_sample() const { return planned_ - 1; }

 private:
  std::int64_t all_, planned_ = 0, samples_ = 0, evaluations_ = 0;
};

// With no more than so many batches of each epoch.
PlannedRun planned_with(std::int64_t batches, const Epochs& epochs, const DataPlan& data, const TrainingPlan& training,
                        const DataAgreement& agreement, const PlannedRank& rank) {
  const int owners = static_cast<int>(agreement.shapes.edges.size());
  mpc::PlanSession session(owners, rank.parties, rank.rank, rank.openings);
  PlannedRun run;
  SecretGraph graph = share_graph(session, data, training, agreement, [](int) { return nullptr; });
  graph.batches.resize(std::min(graph.batches.size(), static_cast<std::size_t>(batches)));
  Trainer trainer(session, training, std::move(graph));
  run.sharing = so_far(session).step;
  PlannedStep before = run.sharing;
  Account begin, end;  // of the samples
  trainer.run([&](const EpochEvent& event) {
    const PlannedStep now{session.stated(), session.work()};
    run.epochs.push_back(now - before);
    before = now;
    if (epochs.left_out() == 0 || event.last) return;
    if (event.epoch == epochs.before_samples()) begin = so_far(session);
    if (event.epoch != epochs.last_sample()) return;
    end = so_far(session);
    TrainingState state = trainer.state();  // and on with the last
    state.epochs += epochs.left_out();
    trainer.restore(std::move(state));
  });
  const Account trained = so_far(session);
  trainer.reveal_model();
  trainer.reveal_predictions();
  session.end_part();
  run.profile = trainer.profile();
  Account all = so_far(session);
  run.results = all.step - before;
  if (epochs.left_out() > 0) {
    const Account samples = end - begin;
    Account more = times(samples, epochs.samples(), epochs.left_out());
    more += times((trained - end) - times(samples, epochs.samples(), 1), 1, epochs.evaluations());
    run.left_out = {epochs.left_out(), 0, more.step};
    all += more;
  }
  run.total = all.step;
  run.reveals = std::move(all.reveals);
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
  for (const Step* epoch : usual) ++alike[epoch->cost.rounds];
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
