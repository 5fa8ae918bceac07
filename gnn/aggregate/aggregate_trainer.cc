#include "gnn/aggregate/aggregate_trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/plain/plain_metric.h"
#include "gnn/plan/wrong_setting.h"
#include "gnn/train/epoch_meter.h"
#include "gnn/train/gradient_scale.h"
#include "mpc/protocols/compare_transcripts.h"
#include "mpc/protocols/contribution.h"
#include "mpc/protocols/noisy_sum.h"
#include "mpc/protocols/reveal.h"

namespace tacit::gnn {

namespace {

constexpr double kCut = 12;     // noise is at most 12 standard deviations (mpc/random/discrete_gaussian.h)
constexpr double kFinest = 8;   // opened units in a party's noise, at least: they add less than 0.2 % to its variance
constexpr int kMostOfSum = 52;  // bits of a party's own sum of a metric (mpc/protocols/contribution.h)

// Bits of signed numbers up to `most`.
int signed_bits(double most) { return static_cast<int>(std::ceil(std::log2(most + 1))) + 1; }

bool is_squared(Metric metric) { return metric == Metric::kRootMeanSquaredError; }

// Of a metric's sum over all rows. Many rows of large targets leave fewer fraction bits, and their mean as many digits.
mpc::Format format_of_sum(const Revealed& what, const TrainingPlan& plan, std::int64_t rows) {
  constexpr int kMetricBits = 20;
  constexpr double kLogits = 64;
  const bool of_targets = what.metric == Metric::kRootMeanSquaredError || what.metric == Metric::kMeanAbsoluteError;
  const double error = of_targets ? 2 * plan.ranges.features : kLogits;
  const double most =
      static_cast<double>(std::max<std::int64_t>(rows, 1)) * (is_squared(what.metric) ? error * error : error);
  return {mpc::kWordBits, std::clamp(kMostOfSum - static_cast<int>(std::ceil(std::log2(most))), 0, kMetricBits)};
}

// In units of the format. Outputs have no bound where training diverged.
Matrix units_of_sum(double sum, mpc::Format format, const Revealed& what) {
  const double units = std::round(std::ldexp(sum, format.fraction_bits));
  if (std::abs(units) <= std::ldexp(1.0, kMostOfSum)) return Matrix::Constant(1, 1, units);
  throw ConfigError(fmt::format(
      "training diverged: the {} of this party's rows adds up to more than a sum has room for; lower the learning "
      "rate, or scale the data",
      name_of(what)));
}

}  // namespace

AggregateTrainer::AggregateTrainer(mpc::Session& session, const TrainingPlan& plan, const TrainingPrivacy& privacy,
                                   Shape shape, const Counts& counts, const OwnRecords* own)
    : session_(session),
      plan_(plan),
      privacy_(privacy),
      counts_(counts),
      own_(own),
      parameters_(initial_parameters(plan.model, shape.rows, plan.seed)),
      gradients_(plan.model, shape.rows, plan.objective, plan.privacy->clip, privacy.most()),
      optimiser_(make_plain_optimiser(plan.optimiser)),
      judging_(session, plan_) {
  check_outputs(plan.model, shape.rows, shape.cols);
  scale_ = gradient_scale(plan, static_cast<std::int64_t>(privacy.expected()), shape.cols).scale;
  for (const NamedMatrix& parameter : parameters_) elements_ += parameter.values.size();
  if (grid_of(static_cast<double>(elements_), gradients_.clip_units()) > kMostGridOfRecords) {
    wrong("privacy.clip",
          "the sums of {} clipped gradients have too few bits for {} weights; take a smaller clip, a smaller batch, or "
          "a smaller model",
          privacy.most(), elements_);
  }
  const int parties = session.parties();
  noise_ = {static_cast<std::int64_t>(std::ceil(privacy.noise * gradients_.clip_units())), mpc::NoiseFrom::kParties,
            static_cast<int>(privacy.colluding)};
  // A party's noise alone protects its records if all others pool: only then may it round its value by itself.
  const double each = privacy.noise / std::sqrt(static_cast<double>(parties - privacy.colluding)) * plan.privacy->clip;
  const bool rounds = privacy.colluding == parties - 1;
  const int bits = rounds ? std::min(gradients_.fraction_bits(), static_cast<int>(std::ceil(std::log2(kFinest / each))))
                          : gradients_.fraction_bits();
  const double most = static_cast<double>(privacy.most()) * plan.privacy->clip + parties * (kCut * each + 1);
  exact_ = {mpc::kWordBits, gradients_.fraction_bits()};
  opened_ = {signed_bits(std::ldexp(most, std::max(bits, 0))), std::max(bits, 0)};
  if (own_ != nullptr) sample_.emplace(mpc::PairSeed::own(mpc::Nonce{}), privacy.rate);
  note_begin();
}

void AggregateTrainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  note_begin();
  if (ended_) return tell_again(on_epoch);
  session_.begin_part(kBetweenEpochs);
  while (!ended_) {
    if (note_) note_((epochs_ + 1) * privacy_.steps);
    const EpochEvent event = run_epoch(epochs_ + 1);
    if (++epochs_here_ == 1) after_first_ = session_.profile();
    epochs_ = event.epoch;
    if (on_epoch) on_epoch(event);
    if (keep_ && is_kept(event)) keep_(state());
  }
  session_.set_turn("");
  session_.end_part();
  at_end_ = session_.profile();
}

// Reports the results of a training that ended in an earlier session.
void AggregateTrainer::tell_again(const std::function<void(const EpochEvent&)>& on_epoch) {
  EpochEvent event;
  event.epoch = epochs_;
  event.last = true;
  const EpochMeter meter(session_, traffic_);
  session_.begin_part("evaluation");
  uses_best() ? tell_best(event) : evaluate(event, metrics_where([](const Revealed&) { return true; }));
  session_.end_part();
  meter.tell(event);
  if (on_epoch) on_epoch(event);
}

EpochEvent AggregateTrainer::run_epoch(std::int64_t epoch) {
  session_.set_turn(fmt::format("epoch {}", epoch));
  const EpochMeter meter(session_, traffic_);
  EpochEvent event;
  event.epoch = epoch;
  event.rate = rate_of(plan_, epoch, judging_.reductions());
  session_.begin_part("step");
  for (std::int64_t i = 0; i < privacy_.steps; ++i) step(event.rate);
  session_.begin_part("evaluation");
  const Metrics now = metrics_where([&](const Revealed& what) { return is_evaluated(plan_, what, epoch); });
  evaluate(event, now);
  if (judging_.judge(event) && plan_.keeps_best()) best_ = Best{epoch, parameters_, now, event.readings};
  event.last = ended_ = judging_.stopped() || epoch == plan_.epochs;
  session_.begin_part("evaluation");
  if (event.last && uses_best()) {
    tell_best(event);
  } else if (event.last) {
    evaluate(event, metrics_where([&](const Revealed& what) { return !is_evaluated(plan_, what, epoch); }));
  }
  if (is_kept(event)) {
    session_.begin_part(kCheckpointPart);
    mpc::compare_transcripts(session_);
  }
  session_.begin_part(kBetweenEpochs);
  meter.tell(event);
  return event;
}

void AggregateTrainer::step(double rate) {
  std::optional<DenseGradients::ClippedRecords> records;
  if (own_ != nullptr) {
    std::vector<std::int64_t> drawn = sample_->draw(std::ssize(own_->train));
    drawn.resize(std::min(drawn.size(), static_cast<std::size_t>(own_->most_drawn)));
    for (std::int64_t& row : drawn) row = own_->train[static_cast<std::size_t>(row)];
    records.emplace(gradients_.clipped(own_->x, own_->y, drawn, parameters_, session_.workers()));
  }
  const auto own = [&](std::int64_t begin, std::span<double> units) { records->sum(begin, units, session_.workers()); };
  const mpc::Public sum = mpc::reveal_noisy_sum(session_, {{1, elements_}, exact_, opened_, noise_}, own, kSum);
  session_.output([&](const mpc::PublicReader& read) {
    const Matrix mean = read(sum) / privacy_.expected();
    std::vector<Matrix> gradients;
    std::int64_t at = 0;
    for (const NamedMatrix& parameter : parameters_) {
      const Shape of = mpc::shape_of(parameter.values);
      gradients.push_back(Eigen::Map<const Matrix>(mean.data() + at, of.rows, of.cols));
      at += of.size();
    }
    optimiser_->step(parameters_, gradients, rate, scale_);
  });
}

// The part of the metric's sum that this process adds.
double AggregateTrainer::numerator(const Revealed& what) const {
  const Rows& rows = own_->rows(what.part);
  if (rows.empty()) return 0;
  const Matrix z = gradients_.outputs(own_->x(rows, Eigen::all), parameters()), y = own_->y(rows, Eigen::all);
  const double value = plain_metric(what, z, y, all_rows(z.rows()), {{}, plan_.objective, {}}).value;
  return static_cast<double>(std::ssize(rows)) * (is_squared(what.metric) ? value * value : value);
}

template <typename Condition>
AggregateTrainer::Metrics AggregateTrainer::metrics_where(const Condition& condition) const {
  Metrics chosen;
  for (const Revealed& what : plan_.metrics) {
    if (condition(what)) chosen.push_back(&what);
  }
  return chosen;
}

void AggregateTrainer::evaluate(EpochEvent& event, const Metrics& metrics) {
  for (const Revealed* one : metrics) {
    const Revealed& what = *one;
    const mpc::Format format = format_of_sum(what, plan_, counts_.of(what.part));
    Matrix mine;
    if (own_ != nullptr) mine = units_of_sum(numerator(what), format, what);
    const mpc::Share sum = mpc::contribution(session_, {1, 1}, format, own_ != nullptr ? &mine : nullptr);
    const mpc::Public revealed = mpc::reveal(session_, sum, what.to, name_of(what));
    session_.output([&](const mpc::PublicReader& read) {
      if (!read.seen(revealed)) return;
      const double mean = read(revealed)(0, 0) / static_cast<double>(counts_.of(what.part));
      event.readings.push_back({what, is_squared(what.metric) ? std::sqrt(std::max(mean, 0.0)) : mean, {}});
    });
  }
}

// Values of the best model that this session has revealed already are not revealed again.
void AggregateTrainer::tell_best(EpochEvent& event) {
  event.of_epoch = best_->epoch;
  std::vector<EpochEvent::Reading> own = std::move(event.readings);
  event.readings = best_->readings;
  evaluate(event, metrics_where([&](const Revealed& what) {
             return std::find(best_->told.begin(), best_->told.end(), &what) == best_->told.end();
           }));
  event.of_best = std::move(event.readings);
  event.readings = std::move(own);
}

bool AggregateTrainer::uses_best() const { return ended_ && best_ && !judging_.last_is_best(); }

bool AggregateTrainer::is_kept(const EpochEvent& event) const {
  return plan_.checkpoint_every > 0 && (event.last || event.epoch % plan_.checkpoint_every == 0);
}

TrainingState AggregateTrainer::state() const {
  TrainingState state;
  state.epochs = epochs_;
  state.planned_epochs = plan_.epochs;
  judging_.save_to(state);
  state.known = parameters_;
  PlainOptimiserState optimiser = optimiser_->state();
  state.optimiser.steps = optimiser.steps;
  for (Matrix& matrix : optimiser.matrices) state.known.push_back({"optimiser", std::move(matrix)});
  if (!best_) return state;
  state.best = TrainingState::Best{best_->epoch, {}};
  for (const NamedMatrix& one : best_->parameters) state.known.push_back({one.name + " of the best model", one.values});
  return state;
}

void AggregateTrainer::restore(TrainingState state) {
  const auto count = std::ssize(parameters_);
  const auto fits = [&](auto first) {
    return std::equal(parameters_.begin(), parameters_.end(), first, [](const NamedMatrix& a, const NamedMatrix& b) {
      return mpc::shape_of(a.values) == mpc::shape_of(b.values);
    });
  };
  const std::int64_t models = state.best ? 2 : 1;
  const bool whole = std::ssize(state.known) >= models * count;
  if (!whole || !fits(state.known.begin()) || (state.best && !fits(state.known.end() - count))) {
    throw ConfigError("the state belongs to another model; resume with the job that saved it");
  }
  const auto take = [&](auto from, std::vector<NamedMatrix>& to) {
    for (NamedMatrix& one : to) one.values = std::move((from++)->values);
  };
  if (state.best) {
    best_ = Best{state.best->epoch, parameters_};
    take(state.known.end() - count, best_->parameters);
  }
  take(state.known.begin(), parameters_);
  PlainOptimiserState optimiser{{}, state.optimiser.steps};
  for (auto i = count; i < std::ssize(state.known) - (models - 1) * count; ++i)
    optimiser.matrices.push_back(std::move(state.known[static_cast<std::size_t>(i)].values));
  optimiser_->restore(std::move(optimiser), parameters_);
  judging_.restore(state);
  epochs_ = state.epochs;
  ended_ = judging_.stopped() || epochs_ >= plan_.epochs;
}

void AggregateTrainer::skip(std::int64_t epochs) {
  TACIT_CHECK(!session_.computes() && epochs >= 0 && (epochs == 0 || epochs_ + epochs < plan_.epochs));
  epochs_ += epochs;
}

// All of the session's profile so far was before the epochs.
void AggregateTrainer::note_begin() {
  session_.end_part();
  at_begin_ = after_first_ = at_end_ = session_.profile();
  epochs_here_ = 0;
}

TrainingProfile AggregateTrainer::profile() const {
  return {at_begin_, after_first_ - at_begin_, std::max<std::int64_t>(epochs_here_ - 1, 0), at_end_ - after_first_,
          session_.profile() - at_end_};
}

}  // namespace tacit::gnn
