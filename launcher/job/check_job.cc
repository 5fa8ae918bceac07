#include "launcher/job/check_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "net/error.h"
#include "net/rendezvous/endpoint.h"

namespace tacit::launcher {

namespace {

using Kind = gnn::PartOwnership::Kind;

class Check {
 public:
  Check(const Job& job, const JobSources& sources) : job_(job), sources_(sources) {}

  void all() const {
    parties();
    ownership();
    files("data.files", job_.data.files, job_.parties);
    files("keys.identity", job_.keys.identity, job_.processes());
    files("keys.storage", job_.keys.storage, job_.processes());
    labels();
    preparation();
    model();
    ring();
    optimiser();
    schedule();
    reveals();
    stopping();
  }

 private:
  template <typename... Arguments>
  [[noreturn]] void wrong(std::string_view path, fmt::format_string<Arguments...> what,
                          Arguments&&... arguments) const {
    sources_.wrong(path, fmt::format(what, std::forward<Arguments>(arguments)...));
  }

  void parties() const {
    if (job_.parties == 0) wrong("parties", "it is missing; expected the number of parties, or roster = \"FILE\"");
    if (job_.master.empty()) return;
    try {
      net::Endpoint::parse(job_.master);
    } catch (const ConfigError& error) {
      wrong("master", "{}", error.what());
    }
  }

  void ownership() const {
    const gnn::Ownership& ownership = job_.data.ownership;
    try {
      gnn::check(ownership, static_cast<int>(job_.parties));
    } catch (const ConfigError& error) {
      const std::string_view what = error.what();  // "labels: 'rank 7': ..."
      const std::size_t end = what.find(": ");
      wrong(fmt::format("data.{}", what.substr(0, end)), "{}", what.substr(end + 2));
    }
    if (ownership.labels.kind == Kind::kNone) wrong("data.labels", "without labels there is nothing to train on");
    if (ownership.masks.kind == Kind::kNone) wrong("data.masks", "without masks no node is trained on");
    if (job_.data.join == JobData::Join::kIntersection && gnn::splits_nodes(ownership)) {
      wrong("data.join",
            "the job splits nodes by rows, so that each node has one owner, and none is in two files; take "
            "join out");
    }
    if (ownership.edges.kind != Kind::kNone) return;
    const auto& layers = job_.model.layers;
    const auto gathers = std::find_if(layers.begin(), layers.end(), [](const auto& layer) { return layer.gathers(); });
    if (gathers == layers.end()) return;
    wrong("data.edges", "nobody holds edges, but layer {} of the model gathers along them; say who holds them",
          gathers - layers.begin());
  }

  void files(std::string_view path, const RankFiles& files, std::int64_t ranks) const {
    if (files.each.empty() || std::ssize(files.each) == ranks) return;
    wrong(path, "{} files for {} ranks; name one for each, or one path with {{rank}} in it", files.each.size(), ranks);
  }

  void labels() const {
    const std::int64_t classes = job_.data.classes;
    if (classes == 1) wrong("data.classes", "one class is nothing to tell apart; expected 2 or more, or 0 for targets");
    if (job_.training.loss == gnn::Objective::kCrossEntropy && classes == 0) {
      wrong("training.loss", "cross-entropy is for classes; say how many in data.classes, or take loss = \"mse\"");
    }
    if (classes > 0 && job_.data.ownership.labels.kind == Kind::kByColumns) {
      wrong("data.labels", "classes are one column, which cannot be split by columns; expected rank R, rows or public");
    }
  }

  void preparation() const {
    const std::optional<double>& cut = job_.preparation.cut;
    if (cut && job_.preparation.features != gnn::FeatureScaling::kStandardise) {
      wrong("preprocessing.cut", "it counts deviations of standardised features; take it out, or standardise them");
    }
    if (cut && *cut > job_.ranges.features) {
      wrong("preprocessing.cut", "{:g} is beyond ranges.features, which is {:g}; cut at less, or declare a wider range",
            *cut, job_.ranges.features);
    }
    if (job_.preparation.targets == JobPreparation::Targets::kNone || job_.data.classes == 0) return;
    wrong("preprocessing.targets", "classes are not standardised; take it out, or say \"none\"");
  }

  static std::string layer_path(std::size_t layer, std::string_view key) {
    return fmt::format("model.layers[{}].{}", layer, key);
  }

  void model() const {
    const std::vector<gnn::LayerSpec>& layers = job_.model.layers;
    if (layers.empty()) wrong("model", "it has no layers; expected [[model.layers]], or gcn = {{ hidden = 16 }}");
    std::int64_t width = 0;  // of a layer's input; that of the first is the data's
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const gnn::LayerSpec& layer = layers[i];
      if (layer.residual && width > 0 && layer.outputs != width) {
        wrong(layer_path(i, "residual"), "it adds the layer's {} inputs to its {} outputs; make them as many", width,
              layer.outputs);
      }
      if (layer.has_weights()) width = layer.outputs;
    }
    const std::size_t last = layers.size() - 1;
    if (!layers[last].has_weights()) wrong(layer_path(last, "kind"), "the last layer must have weights");
    if (job_.data.classes > 0 && width != job_.data.classes) {
      wrong(layer_path(last, "outputs"), "the last layer has {} outputs for {} classes; it needs one for each", width,
            job_.data.classes);
    }
    const gnn::PartOwnership& labels = job_.data.ownership.labels;
    if (job_.data.classes > 0 || labels.kind != Kind::kByColumns || labels.sizes.empty()) return;
    const std::int64_t targets = std::accumulate(labels.sizes.begin(), labels.sizes.end(), std::int64_t{0});
    if (width == targets) return;
    wrong(layer_path(last, "outputs"),
          "the last layer has {} outputs for {} targets (data.labels = \"{}\"); it needs "
          "one for each",
          width, targets, gnn::to_text(labels));
  }

  // A product has twice as many fraction bits, and room above them.
  void ring() const {
    const std::int64_t bits = job_.ring.bits, most = bits / 3;
    if (job_.ring.fraction_bits <= most) return;
    wrong("ring.fraction_bits", "{} do not fit a ring of {} bits, which has room for {}; take fewer, or a wider ring",
          job_.ring.fraction_bits, bits, most);
  }

  void optimiser() const {
    if (job_.training.optimiser.kind != JobOptimiser::Kind::kAdam) return;
    if (job_.ring.bits == 64 && job_.ring.fraction_bits <= 14) return;
    wrong("training.optimiser.kind",
          "adam needs a ring of 64 bits with at most 14 fraction bits, not {} with {}; change [ring], or take \"sgd\"",
          job_.ring.bits, job_.ring.fraction_bits);
  }

  void schedule() const {
    const gnn::RateSchedule& rate = job_.training.rate;
    if (rate.warm_up >= job_.training.epochs) {
      wrong("training.schedule.warm_up", "{} epochs of warming up leave none of {} to train", rate.warm_up,
            job_.training.epochs);
    }
    if (rate.kind == gnn::RateSchedule::Kind::kCosine && rate.least > rate.initial) {
      wrong("training.schedule.least", "it is above the rate that it falls from, {}", rate.initial);
    }
  }

  static bool reaches_rank_0(const mpc::To& to) { return to == mpc::To::everyone() || to == mpc::To::rank(0); }

  // Rank 0 judges, by what is revealed to it anyway.
  void stopping() const {
    if (!job_.training.stopping) return;
    const gnn::EarlyStopping& stopping = *job_.training.stopping;
    constexpr std::string_view kPath = "training.stopping.metric";
    if (!stopping.metric) {
      if (job_.reveal.loss && reaches_rank_0(*job_.reveal.loss)) return;
      wrong(kPath, "rank 0 judges the loss, which is not revealed to it; say so in reveal.loss, or name a metric");
    }
    metric(std::string(kPath), *stopping.metric);
    const std::vector<gnn::Revealed>& metrics = job_.reveal.metrics;
    const bool seen = std::any_of(metrics.begin(), metrics.end(), [&](const gnn::Revealed& what) {
      return what.metric == *stopping.metric && what.part == stopping.part && reaches_rank_0(what.to);
    });
    if (!seen) {
      wrong(kPath, "rank 0 judges the {} {}, which is not revealed to it; add a [[reveal.metric]]",
            gnn::name_of(stopping.part), gnn::name_of(*stopping.metric));
    }
    if (job_.training.evaluate_every > 0) return;
    wrong(kPath, "metrics are evaluated after the last epoch alone; say training.evaluate_every = 1, or more");
  }

  void audience(const std::string& path, const Audience& to) const {
    if (!to || to->party < job_.parties) return;
    if (job_.parties == 1) wrong(path, "there is no party of rank {}; of one party, rank 0 is the only one", to->party);
    wrong(path, "there is no party of rank {}; parties are ranks 0 ... {}", to->party, job_.parties - 1);
  }

  void metric(const std::string& path, gnn::Metric metric) const {
    const bool of_classes = metric == gnn::Metric::kAccuracy;
    if (of_classes == (job_.data.classes > 0)) return;
    wrong(path, "{} is for {}, and labels are {} (data.classes = {})", gnn::name_of(metric),
          of_classes ? "classes" : "targets", of_classes ? "targets" : "classes", job_.data.classes);
  }

  void reveals() const {
    audience("reveal.loss", job_.reveal.loss);
    audience("reveal.model", job_.reveal.model);
    audience("reveal.predictions", job_.reveal.predictions);
    const std::vector<gnn::Revealed>& metrics = job_.reveal.metrics;
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const std::string path = fmt::format("reveal.metric[{}]", i);
      audience(path + ".to", metrics[i].to);
      metric(path + ".what", metrics[i].metric);
      for (std::size_t j = 0; j < i; ++j) {
        if (metrics[j].metric != metrics[i].metric || metrics[j].part != metrics[i].part) continue;
        if (metrics[j].to == metrics[i].to) wrong(path + ".what", "reveal.metric[{}] is the same; take one out", j);
      }
    }
  }

  const Job& job_;
  const JobSources& sources_;
};

}  // namespace

void check(const Job& job, const JobSources& sources) { Check(job, sources).all(); }

void expect_named(const Job& job, const JobSources& sources) {
  std::vector<std::string_view> unnamed;
  std::vector<std::string_view> needed = {"correlations", "preprocessing.features"};
  if (job.data.classes == 0) needed.push_back("preprocessing.targets");
  std::copy_if(needed.begin(), needed.end(), std::back_inserter(unnamed),
               [&](std::string_view path) { return sources.is_default(path); });
  if (unnamed.empty()) return;
  throw ConfigError(
      fmt::format("{}: the job does not say {}, and where ranks run on different machines it must: all owners "
                  "should know what is done to their data and whom they trust",
                  job.name, fmt::join(unnamed, ", ")));
}

}  // namespace tacit::launcher
