#include "gnn/metric/revealed.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gnn/settings/class_fields.h"

namespace tacit::gnn {

namespace {

constexpr std::int64_t kMostEpochs = 1'000'000'000;

std::string_view word_of(Average average) { return kAverages[average == Average::kMicro ? 0 : 1].second; }

}  // namespace

std::string_view name_of(Part part) {
  return part == Part::kTrain ? "train" : part == Part::kValidation ? "validation" : "test";
}

void Revealed::describe(SettingVisitor& visitor, std::span<const std::string> class_names) {
  visitor.word({"what", "the metric", Scope::kRun, true}, metric, kMetrics);
  visitor.word({"part", "the nodes of the metric"}, part, kPartWords);
  std::optional<mpc::To> audience = to;
  AudienceField field(audience, true);
  visitor.field({"to", "who learns the metric"}, field);
  if (audience) {
    to = *audience;
  } else {
    visitor.exclude("to", "a metric that nobody learns is not computed; take it out");
  }
  visitor.whole(
      {"every", "epochs between two evaluations of this metric; 0: as training.evaluate_every. The last epoch has all"},
      every, 0, kMostEpochs);
  describe_variant(visitor, metric, of_class, average, bins, class_names);
}

void describe_variant(SettingVisitor& visitor, Metric metric, std::optional<std::int64_t>& of_class,
                      std::optional<Average>& average, std::int64_t& bins, std::span<const std::string> class_names) {
  if (!is_class_rate(metric) && !is_ranking(metric)) {
    visitor.exclude("class", "precision, recall, f1, roc_auc and average_precision have a class; take it out");
  } else if (visitor.has("class", of_class.has_value())) {
    if (!of_class) of_class = 1;
    ClassField field(*of_class, class_names);
    visitor.field({"class", "the class that counts as positive; otherwise class 1 of two, or the average of more"},
                  field);
  }
  if (!is_class_rate(metric)) {
    visitor.exclude("average", "precision, recall and f1 have an average; take it out");
  } else if (visitor.has("average", average.has_value())) {
    if (!average) average = Average::kMacro;
    visitor.word({"average", "over classes: micro adds up their counts, macro is the mean of their numbers"}, *average,
                 kAverages);
  }
  if (!is_ranking(metric)) {
    visitor.exclude("bins", "roc_auc and average_precision alone compare nodes in bins; take it out");
  } else if (visitor.has("bins", bins > 0)) {
    if (bins == 0) bins = 64;
    visitor.whole(
        {"bins",
         "nodes are ranked by bins of equal width in the class's log-odds, from -8 to 8; needed for more than "
         "4096 nodes, which are too many to compare every two"},
        bins, 2, kMostBins);
  }
}

std::string variant_text(const Revealed& what) {
  std::vector<std::string> settings;
  if (what.of_class) settings.push_back(fmt::format("class = {}", *what.of_class));
  if (what.average) settings.push_back(fmt::format("average = \"{}\"", word_of(*what.average)));
  if (what.bins > 0) settings.push_back(fmt::format("bins = {}", what.bins));
  return fmt::format("{}", fmt::join(settings, ", "));
}

std::string name_of(const Revealed& what) {
  std::string name = fmt::format("{} {}", name_of(what.part), name_of(what.metric));
  if (what.of_class) name += fmt::format("_class_{}", *what.of_class);
  if (what.average) name += fmt::format("_{}", word_of(*what.average));
  if (what.bins > 0) name += fmt::format("_in_{}_bins", what.bins);
  return name;
}

std::optional<std::int64_t> class_of(const Revealed& what, std::int64_t classes) {
  if (what.of_class || what.average) return what.of_class;
  return classes == 2 ? std::optional<std::int64_t>(1) : std::nullopt;
}

std::vector<Revealed> default_metrics(std::int64_t classes) {
  if (classes != 2) return {};
  return {{Metric::kAccuracy}, {Metric::kRecall}, {Metric::kF1}};
}

}  // namespace tacit::gnn
