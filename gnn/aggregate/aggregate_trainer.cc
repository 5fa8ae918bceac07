#include "gnn/aggregate/aggregate_trainer.h"

#include <fmt/format.h>

#include <cmath>

#include "gnn/plain/plain_metric.h"
#include "gnn/train/epoch_meter.h"
#include "gnn/train/gradient_scale.h"
#include "mpc/protocols/contribution.h"
#include "mpc/protocols/reveal.h"

namespace tacit::gnn {

namespace {

constexpr const char* kSum = "sum of clipped gradients and noise";
constexpr double kCut = 12;      // noise is at most 12 standard deviations (mpc/random/discrete_gaussian.h)
constexpr double kFinest = 8;    // opened units in a party's noise, at least: they add less than 0.2 % to its variance
constexpr int kMetricBits = 20;  // fraction bits of a metric's sum
constexpr mpc::Format kMetric{mpc::kWordBits, kMetricBits};

// Bits of signed numbers up to `most`.
int signed_bits(double most) { return static_cast<int>(std::ceil(std::log2(most + 1))) + 1; }

bool is_squared(Metric metric) { return metric == Metric::kRootMeanSquaredError; }

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
      optimiser_(make_plain_optimiser(plan.optimiser)) {
  check_outputs(plan.model, shape.rows, shape.cols);
  scale_ = gradient_scale(plan, static_cast<std::int64_t>(privacy.expected()), shape.cols).scale;
  for (const NamedMatrix& parameter : parameters_) elements_ += parameter.values.size();
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
  session_.end_part();
  at_begin_ = after_first_ = at_end_ = session_.profile();
}

void AggregateTrainer::run(const std::function<void(const EpochEvent&)>& on_epoch) {
  session_.end_part();
  at_begin_ = session_.profile();
  session_.begin_part(kBetweenEpochs);
  for (std::int64_t epoch = 1; epoch <= plan_.epochs; ++epoch) {
    if (note_) note_(epoch * privacy_.steps);
    const EpochEvent event = run_epoch(epoch);
    if (++epochs_here_ == 1) after_first_ = session_.profile();
    if (on_epoch) on_epoch(event);
  }
  session_.set_turn("");
  session_.end_part();
  at_end_ = session_.profile();
}

EpochEvent AggregateTrainer::run_epoch(std::int64_t epoch) {
  session_.set_turn(fmt::format("epoch {}", epoch));
  const EpochMeter meter(session_, traffic_);
  EpochEvent event;
  event.epoch = epoch;
  event.rate = rate_of(plan_, epoch, 0);
  event.last = epoch == plan_.epochs;
  session_.begin_part("step");
  for (std::int64_t i = 0; i < privacy_.steps; ++i) step(event.rate);
  session_.begin_part("evaluation");
  evaluate(event, true);
  if (event.last) evaluate(event, false);
  session_.begin_part(kBetweenEpochs);
  meter.tell(event);
  return event;
}

void AggregateTrainer::step(double rate) {
  Matrix mine;
  if (own_ != nullptr) {
    std::vector<std::int64_t> drawn = sample_->draw(std::ssize(own_->train));
    drawn.resize(std::min(drawn.size(), static_cast<std::size_t>(own_->most_drawn)));
    for (std::int64_t& row : drawn) row = own_->train[static_cast<std::size_t>(row)];
    mine = gradients_.sum(own_->x, own_->y, drawn, parameters_, session_.workers());
  }
  const Shape shape{1, elements_};
  const mpc::Share own = mpc::contribution(session_, shape, exact_, own_ != nullptr ? &mine : nullptr);
  const mpc::Share noisy = mpc::add_noise(session_, own, noise_);
  const mpc::Public sum =
      mpc::reveal(session_, mpc::round_contribution(session_, noisy, opened_), mpc::To::everyone(), kSum);
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
  const Matrix z = gradients_.outputs(own_->x(rows, Eigen::all), parameters_), y = own_->y(rows, Eigen::all);
  const double value = plain_metric(what, z, y, all_rows(z.rows()), {{}, plan_.objective, {}}).value;
  return static_cast<double>(std::ssize(rows)) * (is_squared(what.metric) ? value * value : value);
}

void AggregateTrainer::evaluate(EpochEvent& event, bool due) {
  for (const Revealed& what : plan_.metrics) {
    if (is_evaluated(plan_, what, event.epoch) != due) continue;
    Matrix mine(1, 1);
    if (own_ != nullptr) mine(0, 0) = std::round(std::ldexp(numerator(what), kMetricBits));
    const mpc::Share sum = mpc::contribution(session_, {1, 1}, kMetric, own_ != nullptr ? &mine : nullptr);
    const mpc::Public revealed = mpc::reveal(session_, sum, what.to, name_of(what));
    session_.output([&](const mpc::PublicReader& read) {
      if (!read.seen(revealed)) return;
      const double mean = read(revealed)(0, 0) / static_cast<double>(counts_.of(what.part));
      event.readings.push_back({what, is_squared(what.metric) ? std::sqrt(std::max(mean, 0.0)) : mean, {}});
    });
  }
}

TrainingProfile AggregateTrainer::profile() const {
  return {at_begin_, after_first_ - at_begin_, std::max<std::int64_t>(epochs_here_ - 1, 0), at_end_ - after_first_,
          session_.profile() - at_end_};
}

}  // namespace tacit::gnn
