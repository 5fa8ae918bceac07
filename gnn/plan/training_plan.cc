#include "gnn/plan/training_plan.h"
#include "gnn/arithmetic/default_ranges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "gnn/plan/plans.h"
#include "gnn/plan/wrong_setting.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::int64_t, 3> kRingBits = {64, 56, 48};

constexpr WordTable<bool, 2> kModelScalings = {{{true, "folded"}, {false, "as-trained"}}};

bool reaches_rank_0(const mpc::To& to) { return to == mpc::To::everyone() || to == mpc::To::rank(0); }

void check_schedule(const TrainingPlan& plan) {
  const RateSchedule& rate = plan.rate;
  if (rate.warm_up >= plan.epochs) {
    wrong("training.schedule.warm_up", "{} epochs of warming up leave none of {} to train", rate.warm_up, plan.epochs);
  }
  if (rate.kind == RateSchedule::Kind::kCosine && rate.least > rate.initial) {
    wrong("training.schedule.least", "it is above the rate that it falls from, {}", rate.initial);
  }
}

// A product has twice as many fraction bits, and needs whole bits above them.
void check_ring(const TrainingPlan& plan) {
  const auto [bits, fraction_bits] = plan.top;
  if (fraction_bits > bits / 3) {
    wrong("ring.fraction_bits", "{} do not fit a ring of {} bits, which has room for {}; take fewer, or a wider ring",
          fraction_bits, bits, bits / 3);
  }
  const std::string misfit = gnn::misfit(plan.optimiser, plan.top);
  if (!misfit.empty()) wrong("training.optimiser.kind", "{}", misfit);
}

void check_metrics(const TrainingPlan& plan) {
  const bool classes = kind_of(plan.objective).of_classes;
  for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
    const Revealed& one = plan.metrics[i];
    const std::string path = fmt::format("reveal.metric[{}].what", i);
    if (!is_for_targets(one.metric) && !classes) {
      wrong(path, "{} is for classes, and labels are targets", name_of(one.metric));
    }
    if (one.of_class && one.average) {
      wrong(fmt::format("reveal.metric[{}].average", i), "the metric of one class has no average; take either out");
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Revealed& other = plan.metrics[j];
      if (name_of(other) == name_of(one) && other.to == one.to) {
        wrong(path, "reveal.metric[{}] is the same; take one out", j);
      }
    }
  }
}

// A plan of costs runs an example of each kind of epoch, and the metrics that are due together make a kind. A metric is due in
// an epoch if its period divides the epoch's number. Therefore there is a kind for each least common multiple of some periods
// that is at most the number of epochs, and one for 1: no metric, or the metrics of every epoch.
void check_periods(const TrainingPlan& plan) {
  constexpr std::size_t kMostKinds = 64;
  std::set<std::int64_t> multiples = {1};
  for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
    const std::int64_t period = period_of(plan, plan.metrics[i]);
    if (period == 0) continue;
    for (const std::int64_t other : std::set(multiples)) {
      const std::int64_t factor = period / std::gcd(period, other);
      if (factor <= plan.epochs / other) multiples.insert(other * factor);
    }
    if (multiples.size() <= kMostKinds) continue;
    wrong(fmt::format("reveal.metric[{}].every", i),
          "metrics with the periods up to this one, {}, fall due in more than {} combinations, and a plan of the costs "
          "runs each combination; take periods that divide one another, such as 5, 10 and 50",
          period, kMostKinds);
  }
}

void check_loss(const TrainingPlan& plan) {
  if (kind_of(plan.objective).of_classes) return;
  if (plan.class_weights.any()) {
    wrong("training.class_weights", "targets have no classes to weigh; take it out, or say how many in data.classes");
  }
  if (plan.label_smoothing > 0) {
    wrong("training.label_smoothing",
          "targets have no classes to smooth; take it out, or say how many in data.classes");
  }
}

bool has_judged_name(const Judged& judged, const Revealed& what) {
  return what.metric == judged.metric && what.part == judged.part && reaches_rank_0(what.to);
}

// False if `judged` states another class, average or number of bins than the metric has.
bool may_be_judged(const Judged& judged, const Revealed& what) {
  return has_judged_name(judged, what) && (!judged.of_class || what.of_class == judged.of_class) &&
         (!judged.average || what.average == judged.average) && (judged.bins == 0 || what.bins == judged.bins);
}

// The metric with exactly these settings.
Revealed as_revealed(const Judged& judged) {
  Revealed what{*judged.metric, judged.part};
  what.of_class = judged.of_class;
  what.average = judged.average;
  what.bins = judged.bins;
  return what;
}

// For example "class = 2, or average = \"macro\"": the settings of the metrics that `judged` may be.
std::string choices(const TrainingPlan& plan, const Judged& judged) {
  std::vector<std::string> texts;
  for (const Revealed& what : plan.metrics) {
    if (!may_be_judged(judged, what)) continue;
    const std::string text = variant_text(what);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return fmt::format("{}", fmt::join(texts, ", or "));
}

// "test f1_class_0 and test f1_macro are": the metrics of this name and part that rank 0 sees. Empty if there are none.
std::string others_of_name(const TrainingPlan& plan, const Judged& judged) {
  std::vector<std::string> names;
  for (const Revealed& what : plan.metrics) {
    if (has_judged_name(judged, what)) names.push_back(name_of(what));
  }
  return names.empty() ? "" : fmt::format("{} {}", fmt::join(names, " and "), names.size() == 1 ? "is" : "are");
}

// Rank 0 decides, from revealed values alone, whether training stops or the rate is lowered.
void check_judged(const TrainingPlan& plan, const Judged& number, const std::string& table) {
  const std::string path = table + ".metric";
  if (number.of_class && number.average) {
    wrong(table + ".average", "the metric of one class has no average; take either out");
  }
  if (!number.metric) {
    if (plan.loss_to && reaches_rank_0(*plan.loss_to)) return;
    wrong(path, "rank 0 judges the loss, which is not revealed to it; say so in reveal.loss, or name a metric");
  }
  const std::optional<std::size_t> judged = judged_metric(plan, number);
  if (!judged) {
    const std::string name = name_of(as_revealed(number)), others = others_of_name(plan, number);
    if (others.empty()) wrong(path, "rank 0 judges the {}, which is not revealed to it; add a [[reveal.metric]]", name);
    wrong(path,
          "rank 0 judges the {}, which is not revealed to it, and {}; change class, average or bins in {}, or add a "
          "[[reveal.metric]]",
          name, others, table);
  }
  const Revealed& first = plan.metrics[*judged];
  const std::string wanted = name_of(as_revealed(number));
  for (const Revealed& other : plan.metrics) {
    if (name_of(first) == wanted || !may_be_judged(number, other) || name_of(other) == name_of(first)) continue;
    wrong(path, "rank 0 judges the {}, and the job reveals several to it; say which in {}: {}", wanted, table,
          choices(plan, number));
  }
  if (period_of(plan, first) > 0) return;
  wrong(path, "metrics are evaluated after the last epoch alone; say training.evaluate_every = 1, or more");
}

}  // namespace

std::string_view word_of(Correlations correlations) {
  for (const auto& [kind, word] : kCorrelations) {
    if (kind == correlations) return word;
  }
  return "";
}

std::string_view word_of(Openings openings) {
  for (const auto& [kind, word] : kOpenings) {
    if (kind == openings) return word;
  }
  return "";
}

std::int64_t period_of(const TrainingPlan& plan, const Revealed& what) {
  return what.every > 0 ? what.every : plan.evaluate_every;
}

bool is_due(const TrainingPlan& plan, const Revealed& what, std::int64_t epoch) {
  const std::int64_t period = period_of(plan, what);
  return period > 0 && epoch % period == 0;
}

bool is_evaluated(const TrainingPlan& plan, const Revealed& what, std::int64_t epoch) {
  const auto due = [&](const Revealed& one) { return is_due(plan, one, epoch); };
  if (due(what)) return true;
  if (epoch != plan.epochs) return false;
  if (!plan.keeps_best()) return std::any_of(plan.metrics.begin(), plan.metrics.end(), due);
  const std::optional<std::size_t> judged = judged_metric(plan, plan.stopping->judged);
  return judged && what == plan.metrics[*judged];
}

bool is_checkpoint_due(const TrainingPlan& plan, std::int64_t epoch) {
  return plan.checkpoint_every > 0 && epoch % plan.checkpoint_every == 0;
}

bool tells_with_next(const TrainingPlan& plan, std::int64_t epoch) {
  if (epoch >= plan.epochs || judges_loss(plan) || is_checkpoint_due(plan, epoch)) return false;
  return std::none_of(plan.metrics.begin(), plan.metrics.end(),
                      [&](const Revealed& what) { return is_due(plan, what, epoch); });
}

bool judges_loss(const TrainingPlan& plan) {
  return (plan.stopping && !plan.stopping->judged.metric) || (plan.plateau && !plan.plateau->judged.metric);
}

std::optional<std::size_t> judged_metric(const TrainingPlan& plan, const Judged& judged) {
  if (!judged.metric) return std::nullopt;
  const std::string wanted = name_of(as_revealed(judged));
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < plan.metrics.size(); ++i) {
    if (!may_be_judged(judged, plan.metrics[i])) continue;
    if (name_of(plan.metrics[i]) == wanted) return i;
    if (!first) first = i;
  }
  return first;
}

double rate_of(const TrainingPlan& plan, std::int64_t epoch, std::int64_t reductions) {
  // A step of a rate below this is below the last bit of every weight, and no fixed point has room for the factor.
  constexpr double kLeastMove = 0x1p-40;
  const double scheduled = plan.rate.at(epoch, plan.epochs);
  const double rate = plan.plateau ? plan.plateau->lowered(scheduled, reductions) : scheduled;
  return rate < kLeastMove && plan.rate.initial >= kLeastMove ? 0 : rate;
}

void TrainingPlan::describe(SettingVisitor& visitor, std::int64_t classes, std::span<const std::string> class_names,
                            bool links, const std::function<void(SettingVisitor&)>& more_of_privacy) {
  visitor.enter("model");
  model.describe(visitor, classes, links);
  visitor.leave();
  visitor.enter("training");
  describe_training(visitor, classes, class_names);
  visitor.leave();
  // If the job learns links, a dot product is the logit.
  if (objective == Objective::kLogistic && !model.layers.empty() && !model.pairs() && !model.has_logit()) {
    model.layers.push_back({.kind = LayerSpec::Kind::kLogit});
  }
  if (visitor.has("privacy", privacy.has_value())) {
    if (!privacy) privacy.emplace();
    visitor.enter("privacy");
    privacy->describe(visitor, aggregates());
    if (more_of_privacy) more_of_privacy(visitor);
    visitor.leave();
  }
  visitor.enter("ring");
  visitor.one_of({"bits", "bits of the ring in which a value enters the computation", Scope::kModel}, top.ring_bits,
                 kRingBits);
  visitor.whole({"fraction_bits", "bits behind the binary point; at most 20, 18 and 16 in rings of 64, 56 and 48 bits",
                 Scope::kModel},
                top.fraction_bits, 8, 20);
  visitor.leave();
  visitor.enter("ranges");
  ranges.describe(visitor);
  if (privacy && !aggregates() && privacy->unit == PrivacyUnit::kRecord) {
    if (visitor.leaves_out("features")) ranges.features = kPrivateRanges.features;
    if (visitor.leaves_out("weights")) ranges.weights = kPrivateRanges.weights;
  }
  visitor.leave();
  visitor.enter("reveal");
  describe_reveals(visitor, classes, class_names);
  visitor.leave();
  visitor.enter("checkpoints");
  visitor.whole({"every", "epochs between two checkpoints; 0: none is kept"}, checkpoint_every, 0, kMostEpochs);
  visitor.whole({"keep", "checkpoints that stay on the disk"}, checkpoints_kept, 2, 1000);
  visitor.leave();
  visitor.enter("audit");
  if (privacy && privacy->unit == PrivacyUnit::kRecord && visitor.leaves_out("every"))
    audit_every = 0;  // an audit would reveal something about records
  visitor.period({"every", "epochs between two audits of the range watch", Scope::kSession}, audit_every, kMostEpochs);
  visitor.leave();
}

void TrainingPlan::describe_reveals(SettingVisitor& visitor, std::int64_t classes,
                                    std::span<const std::string> class_names) {
  // With [privacy] of records, no rank learns the loss by default. A job that reveals the loss is refused with the reason.
  const bool of_records = privacy && privacy->unit == PrivacyUnit::kRecord;
  if (of_records && visitor.leaves_out("loss")) loss_to = std::nullopt;
  if (aggregates() && visitor.leaves_out("model")) model_to = mpc::To::everyone();
  visitor.audience({"loss", "who learns the training loss of every epoch"}, loss_to);
  visitor.audience({"model", "who learns the trained parameters", Scope::kSession}, model_to);
  if (!visitor.has("scaling", true)) fold_scaling = true;
  visitor.word(
      {"scaling",
       "how the revealed model has the means and deviations of standardised columns: folded into its first "
       "and last layer, or not at all; as trained also with preprocessing.cut, a residual in such a layer, or a ring "
       "of fewer than 64 bits",
       Scope::kSession},
      fold_scaling, kModelScalings);
  visitor.audience(
      {"predictions", "who learns the predictions: targets, or the likeliest class of each node", Scope::kSession},
      predictions_to);
  visitor.audience({"probabilities", "who learns the probability of each class at each node", Scope::kSession},
                   probabilities_to);
  visitor.whole({"top", "how many classes a prediction names, the likeliest first", Scope::kSession}, named_classes, 1,
                classes > 0 ? std::min(classes, kMostNamedClasses) : kMostNamedClasses);
  if (visitor.leaves_out("metric")) {
    metrics = default_metrics(classes);
    if (aggregates()) std::erase_if(metrics, [](const Revealed& what) { return !is_sum_over_rows(what.metric); });
  } else {
    visitor.list("metric", metrics, kMostMetrics, class_names);
  }
}

void check(const TrainingPlan& plan) {
  check_limits([&plan](SettingVisitor& visitor) { TrainingPlan(plan).describe(visitor, 0); });
  check_ring(plan);
  check_schedule(plan);
  check_loss(plan);
  check_metrics(plan);
  check_periods(plan);
  if (plan.stopping) check_judged(plan, plan.stopping->judged, "training.stopping");
  if (plan.plateau) check_judged(plan, plan.plateau->judged, "training.plateau");
  if (plan.plateau && plan.plateau->least > plan.rate.initial) {
    wrong("training.plateau.least", "it is above the learning rate, {:g}, which would never be lowered",
          plan.rate.initial);
  }
}

void check(const TrainingPlan& plan, std::int64_t inputs) {
  check(plan);
  check(plan.model, inputs);
}

}  // namespace tacit::gnn
