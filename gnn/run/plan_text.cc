#include "gnn/run/plan_text.h"

#include <fmt/format.h>

#include <sstream>

namespace tacit::gnn {

namespace {

class Text {
 public:
  template <typename Value>
  void add(std::string_view name, const Value& value) {
    if constexpr (std::is_floating_point_v<Value>) {
      text_ += fmt::format("{} = {:.17g}\n", name, value);
    } else if constexpr (std::is_enum_v<Value>) {
      text_ += fmt::format("{} = {}\n", name, static_cast<int>(value));
    } else {
      text_ += fmt::format("{} = {}\n", name, value);
    }
  }
  void add(std::string_view name, const std::optional<mpc::To>& to) {
    add(name, !to ? "nobody" : *to == mpc::To::everyone() ? "everyone" : fmt::format("rank {}", to->party));
  }
  void add(std::string_view name, const std::optional<double>& value) {
    add(name, value ? fmt::format("{:.17g}", *value) : "none");
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add(Text& text, const ModelSpec& model) {
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const LayerSpec& layer = model.layers[i];
    text.add(fmt::format("layer {}", i),
             fmt::format("kind {}, {} outputs, bias {}, residual {}, rate {:.17g}", static_cast<int>(layer.kind),
                         layer.outputs, layer.bias, layer.residual, layer.rate));
  }
}

void add(Text& text, const Ranges& ranges) {
  text.add("range of features", ranges.features);
  text.add("range of weights", ranges.weights);
  text.add("range of activations", ranges.activations);
  text.add("range of gradients", ranges.gradients);
  text.add("range of weight gradients", ranges.weight_gradients);
}

void add(Text& text, const RateSchedule& rate) {
  text.add("rate", rate.initial);
  text.add("schedule", rate.kind);
  text.add("factor", rate.factor);
  text.add("every", rate.every);
  text.add("least rate", rate.least);
  text.add("warm-up", rate.warm_up);
}

void add(Text& text, const AdamOptions& adam) {
  text.add("optimiser", "adam");
  text.add("beta1", adam.beta1);
  text.add("beta2", adam.beta2);
  text.add("epsilon", adam.epsilon);
  text.add("weight decay", adam.weight_decay);
}

void add(Text& text, const SgdOptions& sgd) {
  text.add("optimiser", "sgd");
  text.add("momentum", sgd.momentum);
  text.add("weight decay", sgd.weight_decay);
}

void add(Text& text, const EarlyStopping& stopping) {
  text.add("stops by", stopping.metric ? name_of(*stopping.metric) : "training loss");
  text.add("stops by nodes", name_of(stopping.part));
  text.add("patience", stopping.patience);
  text.add("least improvement", stopping.least_improvement);
}

}  // namespace

std::string to_text(const DataPlan& plan) {
  Text text;
  text.add("features", to_text(plan.ownership.features));
  text.add("edges", to_text(plan.ownership.edges));
  text.add("labels", to_text(plan.ownership.labels));
  text.add("masks", to_text(plan.ownership.masks));
  text.add("classes", plan.classes);
  text.add("scaling of features", plan.features);
  if (plan.cut) text.add("cut of features", plan.cut);
  text.add("targets are standardised", plan.standardise_targets);
  return text.take();
}

std::string to_text(const TrainingPlan& plan) {
  Text text;
  add(text, plan.model);
  text.add("ring bits", plan.top.ring_bits);
  text.add("fraction bits", plan.top.fraction_bits);
  add(text, plan.ranges);
  text.add("loss", plan.objective);
  plan.adam ? add(text, *plan.adam) : add(text, plan.sgd);
  add(text, plan.rate);
  text.add("clip", plan.clip);
  text.add("epochs", plan.epochs);
  text.add("batch", plan.batch);
  text.add("seed", plan.seed);
  text.add("openings", plan.openings);
  if (plan.stopping) add(text, *plan.stopping);
  text.add("ranges are audited every", plan.audit_every);
  text.add("checkpoint every", plan.checkpoint_every);
  text.add("evaluate every", plan.evaluate_every);
  text.add("loss is revealed to", plan.loss_to);
  for (const Revealed& what : plan.metrics) {
    text.add(fmt::format("{} {} is revealed to", name_of(what.part), name_of(what.metric)), std::optional(what.to));
  }
  text.add("model is revealed to", plan.model_to);
  text.add("predictions are revealed to", plan.predictions_to);
  return text.take();
}

std::string first_difference(const std::string& own, const std::string& other) {
  std::istringstream ours(own), theirs(other);
  std::string a, b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(ours, a)), more_b = static_cast<bool>(std::getline(theirs, b));
    if (!more_a && !more_b) return "";
    if (more_a && more_b && a == b) continue;
    return fmt::format("'{}' and '{}'", more_a ? a : "nothing", more_b ? b : "nothing");
  }
}

}  // namespace tacit::gnn
