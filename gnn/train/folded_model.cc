#include "gnn/train/folded_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gnn/arithmetic/scaled_rows.h"
#include "gnn/arithmetic/sharing.h"

namespace tacit::gnn {

namespace {

std::vector<int> opposite(std::vector<int> exponents) {
  for (int& exponent : exponents) exponent = -exponent;
  return exponents;
}

std::string name_in(std::size_t layer, std::string_view what) { return fmt::format("layer {} {}", layer, what); }

// The first and the last layer that have weights.
std::pair<std::size_t, std::size_t> ends_of(const ModelSpec& model) {
  std::size_t first = 0, last = model.layers.size() - 1;
  while (first < last && !model.layers[first].has_weights()) ++first;
  while (first < last && !model.layers[last].has_weights()) --last;
  return {first, last};
}

// A tensor that is revealed, and the powers of two of its rows or columns.
struct Told {
  std::string name;
  Tensor value;
  bool by_features = false;  // each row is a feature's
  bool by_targets = false;   // each column is a target's
};

class Folding {
 public:
  Folding(Arithmetic& arithmetic, const TrainingPlan& plan, std::span<const Parameter> parameters, const Fold& fold,
          const OncePerName& once)
      : arithmetic_(arithmetic), plan_(plan), parameters_(parameters), fold_(fold), once_(once) {}

  std::vector<Told> all() {
    const auto [first, last] = ends_of(plan_.model);
    const Tensors parameters = this->parameters();
    std::size_t next = 0;
    for (std::size_t i = 0; i < plan_.model.layers.size(); ++i) {
      const LayerSpec& layer = plan_.model.layers[i];
      if (!layer.has_weights()) continue;
      const Ends ends{fold_.features && i == first, fold_.targets && i == last};
      add_weight(i, parameters[next++], "weight", "shift", ends);
      if (layer.kind == LayerSpec::Kind::kMeanAggregation) {
        add_weight(i, parameters[next++], "neighbour weight", "neighbour shift", ends);
      }
      if (layer.bias) add_bias(i, parameters[next++], ends);
      if (!layer.bias && ends.gives_targets) add_zero_of_targets(i);
    }
    return std::move(told_);
  }

 private:
  // Units of data are in the top ring, and so wide. The masks of the parameters themselves stay.
  Tensors parameters() {
    Tensors values;
    for (const Parameter& parameter : parameters_) values.push_back(parameter.value.within(parameter.value.bound()));
    return fold_.features || fold_.targets ? arithmetic_.lifted(values) : values;
  }

  struct Ends {
    bool reads_features = false, gives_targets = false;
  };

  // The shift is the product of the features' means with the revealed weight, which is in the unit of the targets if the layer gives
  // targets. If weight and shift were multiplied by that unit separately, the weight's rounding times a large mean would remain.
  void add_weight(std::size_t layer, const Tensor& weight, const char* what, const char* shift, Ends ends) {
    Tensor told = weight;
    if (ends.reads_features) {
      // A share that was kept has no bound.
      const double largest = 2 * weight.bound();
      const auto scaled = [&] {
        return scaled_rows(arithmetic_, weight, fold_.features->inverse, largest, weight.name());
      };
      told = once_(folded_name(name_in(layer, what)), scaled).within(largest);
    }
    if (ends.gives_targets) told = in_unit_of_targets(told, name_in(layer, what));
    told_.push_back({name_in(layer, what), told, ends.reads_features, ends.gives_targets});
    if (!ends.reads_features) return;
    // Declares as wide a range as the ring has room for.
    const mpc::Format top = arithmetic_.top();
    const int factor_bits = std::max(top.fraction_bits, arithmetic_.format_of(Precision::kUnit).fraction_bits);
    const double room = std::ldexp(1.0, top.ring_bits - top.fraction_bits - factor_bits - 3) - 1;
    const std::string name = name_in(layer, shift);
    const auto product = [&] { return arithmetic_.matmul({fold_.features->zero, told, room, name}); };
    const Tensor moved = once_(folded_name(ends.gives_targets ? name + " of targets" : name), product).within(room);
    told_.push_back({name, moved, false, ends.gives_targets});
  }

  void add_bias(std::size_t layer, const Tensor& bias, Ends ends) {
    const std::string name = name_in(layer, "bias");
    if (!ends.gives_targets) {
      told_.push_back({name, bias});
      return;
    }
    const TargetUnit& unit = *fold_.targets;
    const double largest = bias.bound() + unit.zero.bound();
    const auto scaled = [&] {
      const Tensor made = scaled_columns(arithmetic_, bias, unit.unit, bias.bound(), name);
      return arithmetic_.sum(made, unit.zero, largest, name);
    };
    told_.push_back({name, once_(folded_name(name + " of targets"), scaled).within(largest), false, true});
  }

  // The bias of a layer without one: the means of the targets.
  void add_zero_of_targets(std::size_t layer) {
    const Tensor& mean = fold_.targets->zero;
    const std::string name = name_in(layer, "bias");
    const Tensor zero = once_(folded_name(name + " of targets"), [&] { return mean; }).within(mean.bound());
    told_.push_back({name, zero, false, true});
  }

  Tensor in_unit_of_targets(const Tensor& weight, const std::string& name) {
    const auto scaled = [&] { return scaled_columns(arithmetic_, weight, fold_.targets->unit, weight.bound(), name); };
    return once_(folded_name(name + " of targets"), scaled).within(weight.bound());
  }

  static std::string folded_name(const std::string& name) { return "folded " + name; }

  Arithmetic& arithmetic_;
  const TrainingPlan& plan_;
  std::span<const Parameter> parameters_;
  const Fold& fold_;
  const OncePerName& once_;
  std::vector<Told> told_;
};

}  // namespace

bool folds(const DataPlan& data, const TrainingPlan& training) {
  constexpr int kWide = 64;
  if (!training.model_to || !training.fold_scaling || training.top.ring_bits < kWide) return false;
  const bool standardises_targets = data.classes == 0 && data.standardise_targets;
  if ((data.features != FeatureScaling::kStandardise && !standardises_targets) || data.cut) return false;
  const std::vector<LayerSpec>& layers = training.model.layers;
  if (standardises_targets && !layers.back().has_weights()) return false;
  const auto first = std::find_if(layers.begin(), layers.end(),
                                  [](const LayerSpec& layer) { return layer.kind != LayerSpec::Kind::kDropout; });
  return first != layers.end() && first->has_weights() && !first->residual && !layers.back().residual;
}

std::vector<std::string> names_of_folded(const TrainingPlan& training) {
  std::vector<std::string> names;
  if (!training.model_to || !training.fold_scaling) return names;
  const auto [first, last] = ends_of(training.model);
  for (const char* what : {"weight", "neighbour weight", "shift", "neighbour shift"}) {
    names.push_back("folded " + name_in(first, what));
    names.push_back("folded " + name_in(last, what) + " of targets");
  }
  names.push_back("folded " + name_in(last, "bias") + " of targets");
  return names;
}

std::vector<NamedMatrix> revealed_model(Arithmetic& arithmetic, const TrainingPlan& plan,
                                        std::span<const Parameter> parameters, const Fold& fold,
                                        const OncePerName& once) {
  std::vector<NamedMatrix> model;
  if (!plan.model_to) return model;
  mpc::Session& session = arithmetic.session();
  session.begin_part("revealing the model");
  for (const Told& told : Folding(arithmetic, plan, parameters, fold, once).all()) {
    const mpc::Public seen = reveal(arithmetic, told.value, *plan.model_to, "model: " + told.name);
    session.output([&](const mpc::PublicReader& read) {
      if (!read.seen(seen)) return;
      Matrix values = read(seen);
      if (told.by_features) {
        values = times_powers(values.transpose(), opposite(fold.features->exponents)).transpose();
        // A column of zeros has no magnitude.
        constexpr int kLeastMagnitude = -500;
        for (std::size_t i = 0; i < fold.features->exponents.size(); ++i) {
          if (fold.features->exponents[i] < kLeastMagnitude) values.row(static_cast<Eigen::Index>(i)).setZero();
        }
      }
      if (told.by_targets) values = times_powers(values, fold.targets->exponents);
      model.push_back({told.name, std::move(values)});
    });
  }
  return model;
}

}  // namespace tacit::gnn
