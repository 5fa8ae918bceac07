#include "gnn/plan/plans.h"

#include <algorithm>
#include <numeric>

#include "gnn/plan/privacy_check.h"
#include "gnn/plan/wrong_setting.h"
#include "gnn/settings/setting_field.h"

namespace tacit::gnn {

namespace {

using Kind = PartOwnership::Kind;

class LimitCheck final : public SettingVisitor {
 private:
  void visit(const About& about, SettingField& field) override {
    try {
      field.read(field.value());
    } catch (const ConfigError& error) {
      throw SettingError(path_of(about.key), error.what());
    }
  }
};

class Check {
 public:
  Check(const Plans& plans, int parties) : data_(plans.data), training_(plans.training), parties_(parties) {}

  void all() const {
    if (data_.ownership.graphs != training_.model.pools()) {
      throw ConfigError("data: ownership.graphs must say whether the model pools, as Plans::describe() sets it");
    }
    if (data_.ownership.pairs != data_.links.has_value()) {
      throw ConfigError("data: ownership.pairs must say whether the job learns links, as Plans::describe() sets it");
    }
    if (data_.ownership.snapshots != data_.snapshots) {
      throw ConfigError("data: ownership.snapshots must be data.snapshots, as Plans::describe() sets it");
    }
    links();
    snapshots();
    ownership();
    labels();
    preparation();
    model();
    audiences();
  }

 private:
  void snapshots() const {
    if (data_.snapshots == 1) return;
    const auto refuse = [](const char* why) { wrong("data.snapshots", "{}", why); };
    if (data_.links) refuse("links are learned from one state of the graph; take snapshots out, or data.links");
    if (training_.model.pools()) {
      refuse("the model pools over several graphs, and snapshots are of one graph; take snapshots out, or the pool");
    }
    if (training_.privacy) {
      refuse(
          "a node has a row in each snapshot, and no noise for one row covers them all; take snapshots out, or the "
          "table [privacy]");
    }
  }

  void links() const {
    const bool pairs = training_.model.pairs();
    if (!data_.links) {
      if (!pairs) return;
      wrong(layer_path(training_.model.layers.size() - 1, "kind"),
            "a dot product is of pairs of nodes; add a table [data.links], by which the job learns links, or take it "
            "out");
    }
    if (!pairs) {
      wrong("data.links", "the job learns links, and its model does not end with a layer of kind \"dot\"; add it");
    }
    if (data_.links->validation + data_.links->test >= 1) {
      wrong("data.links.test", "validation and test keep all links, and none is left to train on; take smaller parts");
    }
    const Ownership& ownership = data_.ownership;
    if (ownership.edges.kind == Kind::kNone)
      wrong("data.edges", "the job learns links, which are edges; say who holds them");
    if (ownership.edges.kind == Kind::kAnywhere) {
      wrong("data.edges",
            "of edges that several ranks may hold, nobody knows how many there are, and so how many links; "
            "take \"edges\", by which each edge is its source's owner's");
    }
    if (ownership.labels.kind != Kind::kNone || ownership.masks.kind != Kind::kNone || data_.classes != 2) {
      wrong("data.links",
            "the job learns links, and the edges are its labels, of 2 classes; it has no other labels and masks");
    }
  }

  void ownership() const {
    const Ownership& ownership = data_.ownership;
    try {
      check(ownership, parties_);
    } catch (const SettingError&) {
      throw;
    } catch (const ConfigError& error) {
      const std::string_view what = error.what();  // for example "labels: 'rank 7': ..."
      const std::size_t end = what.find(": ");
      wrong(fmt::format("data.{}", what.substr(0, end)), "{}", what.substr(end + 2));
    }
    if (data_.sparse_graph() && ownership.edges.kind == Kind::kAnywhere && !data_.edge_weights) {
      wrong(
          "data.adjacency",
          "an edge that several ranks hold counts once, and in sparse matrices, which only their owners know, it would "
          "count several times; take \"dense\", or edges = \"edges\", by which each edge is its source's owner's, or "
          "weights of edges, which add up");
    }
    if (ownership.features.kind == Kind::kNone)
      wrong("data.features", "without features there is nothing to learn from");
    if (!data_.links && ownership.labels.kind == Kind::kNone) {
      wrong("data.labels", "without labels there is nothing to train on");
    }
    if (!data_.links && ownership.masks.kind == Kind::kNone) wrong("data.masks", "without masks no node is trained on");
    if (data_.has_graph()) return;
    const auto& layers = training_.model.layers;
    const auto gathers = std::find_if(layers.begin(), layers.end(), [](const auto& layer) { return layer.gathers(); });
    if (gathers == layers.end()) return;
    wrong("data.edges", "no rank holds edges, but layer {} of the model {}; name the holder of the edges",
          gathers - layers.begin(),
          gathers->kind == LayerSpec::Kind::kPooling
              ? "pools over graphs (data.edges may be public, with an empty list)"
              : "gathers along them");
  }

  void labels() const {
    const std::int64_t classes = data_.classes;
    if (const auto names = std::ssize(data_.class_names); names > 0 && names != classes) {
      wrong("data.class_names", "{} names for {} classes; name each class, or take out classes, which then follows",
            names, classes);
    }
    if (classes == 1) wrong("data.classes", "one class is nothing to tell apart; expected 2 or more, or 0 for targets");
    if (const bool of_classes = kind_of(training_.objective).of_classes; of_classes != (classes > 0)) {
      const std::string_view word = word_of(training_.objective), other = word_of(default_loss(!of_classes));
      if (of_classes) {
        wrong("training.loss", "{} is for classes; say how many in data.classes, or take loss = \"{}\"", word, other);
      }
      wrong("training.loss", "{} is for targets, and the labels are of {} classes; take loss = \"{}\"", word, classes,
            other);
    }
    if (classes > 0 && data_.ownership.labels.kind == Kind::kByColumns) {
      wrong("data.labels", "classes are one column, which cannot be split by columns; expected rank R, rows or public");
    }
    for (std::size_t i = 0; i < training_.metrics.size(); ++i) {
      const Revealed& what = training_.metrics[i];
      const std::string path = fmt::format("reveal.metric[{}]", i);
      metric(path + ".what", what.metric);
      variance(path + ".what", what.metric);
      has_class(path + ".class", what.of_class);
      if (is_ranking(what.metric) && !class_of(what, classes)) {
        wrong(path + ".what", "the {} ranks one of {} classes against the others; say which in class",
              name_of(what.metric), classes);
      }
    }
    const std::size_t weights = training_.class_weights.of.size();
    if (weights > 0 && static_cast<std::int64_t>(weights) != classes) {
      wrong("training.class_weights", "{} weights for {} classes; list one for each", weights, classes);
    }
    if (training_.stopping) judged("training.stopping", training_.stopping->judged);
    if (training_.plateau) judged("training.plateau", training_.plateau->judged);
  }

  void judged(const std::string& table, const Judged& number) const {
    if (!number.metric) return;
    metric(table + ".metric", *number.metric);
    has_class(table + ".class", number.of_class);
  }

  void has_class(const std::string& path, std::optional<std::int64_t> of_class) const {
    if (!of_class || *of_class < data_.classes) return;
    wrong(path, "there is no class {}; classes are 0 ... {}", *of_class, data_.classes - 1);
  }

  void metric(const std::string& path, Metric metric) const {
    const bool of_classes = data_.classes > 0;
    if (of_classes ? is_for_classes(metric) : is_for_targets(metric)) return;
    wrong(path, "{} is for {}, and labels are {} (data.classes = {})", name_of(metric),
          of_classes ? "targets" : "classes", of_classes ? "classes" : "targets", data_.classes);
  }

  // The rings of r2 and explained variance have room for deviations near 1.
  void variance(const std::string& path, Metric metric) const {
    const bool explained = metric == Metric::kR2 || metric == Metric::kExplainedVariance;
    if (!explained || data_.standardise_targets) return;
    wrong(path, "{} needs standardised targets; say preprocessing.targets = \"standardise\"", name_of(metric));
  }

  void preparation() const {
    const std::optional<double>& cut = data_.cut;
    const double range = training_.ranges.features;
    if (data_.fills_features() && data_.features != FeatureScaling::kStandardise) {
      wrong("preprocessing.missing",
            "means fill standardised features only; say preprocessing.features = \"standardise\", or fill the files");
    }
    if (cut && data_.features != FeatureScaling::kStandardise) {
      wrong("preprocessing.cut", "it counts deviations of standardised features; take it out, or standardise them");
    }
    if (cut && *cut > range) {
      wrong("preprocessing.cut", "{:g} is beyond ranges.features, which is {:g}; cut at less, or declare a wider range",
            *cut, range);
    }
  }

  static std::string layer_path(std::size_t layer, std::string_view key) {
    return fmt::format("model.layers[{}].{}", layer, key);
  }

  void model() const {
    const std::vector<LayerSpec>& layers = training_.model.layers;
    if (layers.empty()) wrong("model", "it has no layers; expected [[model.layers]], or gcn = {{ hidden = 16 }}");
    const std::vector<std::int64_t> widths = widths_of(training_.model, 0);  // 0: the data determine it
    std::int64_t width = 0;                                                  // outputs of the last layer with weights
    std::size_t last = layers.size();                                        // the last layer with weights
    bool pooled = false;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const LayerSpec& layer = layers[i];
      if (pooled && layer.gathers()) {
        wrong(layer_path(i, "kind"), "{}", layer.kind == LayerSpec::Kind::kPooling ? kOnePool : kAfterPool);
      }
      pooled = pooled || layer.kind == LayerSpec::Kind::kPooling;
      if (layer.kind == LayerSpec::Kind::kDotProduct) {
        if (i + 1 < layers.size()) wrong(layer_path(i, "kind"), "{}", kDotIsLast);
        if (pooled) wrong(layer_path(i, "kind"), "{}", kDotAfterPool);
      }
      if (layer.kind == LayerSpec::Kind::kLogit && i + 1 < layers.size()) wrong(layer_path(i, "kind"), "{}", kLogit);
      if (layer.jump && jumps_over_pool(training_.model, i)) wrong(layer_path(i, "jump"), "{}", kJumpOverPool);
      if (layer.kind == LayerSpec::Kind::kLayerNorm && width < 2) wrong(layer_path(i, "kind"), "{}", kLayerNorm);
      if (layer.jump && width == 0) wrong(layer_path(i, "jump"), "{}", kJump);
      if (layer.residual && widths[i] > 0 && layer.outputs != widths[i]) {
        wrong(layer_path(i, "residual"), "it adds the layer's {} inputs to its {} outputs; make them as many",
              widths[i], layer.outputs);
      }
      if (!is_sum_in_fixed_point(layer)) wrong(layer_path(i, "epsilon"), "{}", text_of_epsilon());
      if (!is_restart_in_fixed_point(layer)) wrong(layer_path(i, "restart"), "{}", text_of_restart());
      if (!layer.has_weights()) continue;
      width = layer.outputs;
      last = i;
    }
    if (!may_be_last(layers.back())) wrong(layer_path(layers.size() - 1, "kind"), "{}", kLastLayer);
    if (last == layers.size()) wrong("model", "no layer has weights; at least one must, such as a dense layer");
    if (training_.model.has_logit()) return logit(last);
    if (data_.classes > 0 && width != data_.classes && !data_.links) {
      wrong(layer_path(last, "outputs"),
            "the last layer with weights has {} outputs for {} classes; it needs one for each", width, data_.classes);
    }
    const PartOwnership& labels = data_.ownership.labels;
    if (data_.classes > 0 || labels.kind != Kind::kByColumns || labels.sizes.empty()) return;
    const std::int64_t targets = std::accumulate(labels.sizes.begin(), labels.sizes.end(), std::int64_t{0});
    if (width == targets) return;
    wrong(layer_path(last, "outputs"),
          "the last layer with weights has {} outputs for {} targets (data.labels = \"{}\"); it needs one for each",
          width, targets, to_text(labels));
  }

  // The model ends with a logit: of this layer's output.
  void logit(std::size_t with_weights) const {
    const std::vector<LayerSpec>& layers = training_.model.layers;
    if (training_.model.perturbed) {
      wrong("training.loss", "a perturbed model has an output for each class; take loss = \"{}\"",
            word_of(Objective::kCrossEntropy));
    }
    if (data_.classes != 2) {
      wrong("data.classes", "{}, and the model ends with a logit (training.loss = \"{}\"), which has two; {}",
            data_.classes == 0 ? "labels are targets" : fmt::format("there are {} classes", data_.classes),
            word_of(training_.objective),
            data_.classes == 0 ? "say classes = 2" : "take loss = \"cross-entropy\", and an output for each class");
    }
    if (!is_logit_in_place(training_.model, layers.size() - 1)) {
      wrong(
          layer_path(with_weights, "outputs"),
          "the last layer with weights has {} outputs, and a logit (training.loss = \"{}\") reads one; say 1, or take "
          "loss = \"cross-entropy\" without a logit",
          layers[with_weights].outputs, word_of(training_.objective));
    }
  }

  void audiences() const {
    audience("reveal.loss", training_.loss_to);
    audience("reveal.model", training_.model_to);
    audience("reveal.predictions", training_.predictions_to);
    audience("reveal.probabilities", training_.probabilities_to);
    if (data_.classes == 0 && training_.probabilities_to) {
      wrong("reveal.probabilities", "targets have none; take it out, or say how many classes in data.classes");
    }
    if (data_.classes == 0 && training_.named_classes > 1) {
      wrong("reveal.top", "a prediction of targets names no class; take it out");
    }
    for (std::size_t i = 0; i < training_.metrics.size(); ++i) {
      audience(fmt::format("reveal.metric[{}].to", i), training_.metrics[i].to);
    }
  }

  void audience(const std::string& path, const std::optional<mpc::To>& to) const {
    if (!to || to->party < parties_) return;
    if (parties_ == 1) wrong(path, "there is no party of rank {}; the only party is rank 0", to->party);
    wrong(path, "there is no party of rank {}; parties are ranks 0 ... {}", to->party, parties_ - 1);
  }

  const DataPlan& data_;
  const TrainingPlan& training_;
  int parties_;
};

}  // namespace

SettingError::SettingError(std::string_view path, const std::string& problem)
    : ConfigError(fmt::format("{}: {}", path, problem)), path_(path), problem_(problem) {}

void Plans::describe(SettingVisitor& visitor, const More& more_of_data, const More& more_of_privacy) {
  visitor.word({"openings", "how a masked value is opened to all parties", Scope::kSession}, training.openings,
               kOpenings);
  visitor.enter("data");
  data.describe(visitor);
  if (more_of_data) more_of_data(visitor);
  visitor.leave();
  visitor.enter("preprocessing");
  data.describe_preparation(visitor);
  visitor.leave();
  training.describe(visitor, data.classes, data.class_names, data.links.has_value(), more_of_privacy);
  data.ownership.graphs = training.model.pools();
  data.ownership.pairs = data.links.has_value();
  data.ownership.snapshots = data.snapshots;
}

void check_limits(const std::function<void(SettingVisitor&)>& described) {
  LimitCheck visitor;
  described(visitor);
}

void check(const Plans& plans, int parties) {
  check_limits([&plans](SettingVisitor& visitor) { Plans(plans).describe(visitor); });
  Check(plans, parties).all();
  check_privacy(plans);
  check(plans.training);
}

}  // namespace tacit::gnn
