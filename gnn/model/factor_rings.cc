#include "gnn/model/factor_rings.h"

#include <algorithm>

#include "gnn/graph/graph_view.h"
#include "gnn/model/dropout.h"
#include "gnn/model/model.h"

namespace tacit::gnn {

namespace {

class Need {
  using Kind = LayerSpec::Kind;

 public:
  Need(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t inputs, int fraction_bits, EdgesAre edges)
      : ranges_(arithmetic.ranges()),
        layers_(model.layers),
        widths_(widths_of(model, inputs)),
        data_(Model::data_layer(model)),
        top_(arithmetic.top().ring_bits),
        weights_(arithmetic.format_of(Precision::kParameter).ring_bits),
        weights_of_edges_(arithmetic.format_of(Precision::kWeight).fraction_bits),
        f_(arithmetic.top().fraction_bits),
        data_fraction_(fraction_bits),
        secret_(edges == EdgesAre::kSecret || edges == EdgesAre::kSecretWithWeights),
        edge_weights_(edges == EdgesAre::kPublicWithWeights || edges == EdgesAre::kSecretWithWeights),
        jumps_(std::any_of(layers_.begin(), layers_.end(), [](const LayerSpec& layer) { return layer.jump; })) {}

  FactorRings all() const {
    FactorRings rings{top_, {}};
    bool learned = false;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (!layers_[i].has_weights()) continue;
      add(i, learned, rings);
      learned = true;
    }
    return rings;
  }

 private:
  static int spare(int fraction_bits, double bound) { return Arithmetic::spare_ring(fraction_bits, bound); }

  void add(std::size_t i, bool learned, FactorRings& rings) const {
    const LayerSpec& layer = layers_[i];
    const bool two_weights = layer.kind == Kind::kMeanAggregation;
    const std::size_t first = rings.parameters.size();
    rings.parameters.resize(first + (two_weights ? 2 : 1) + (layer.bias ? 1 : 0), weights_);
    const bool before_relu = i + 1 < layers_.size() && layers_[i + 1].kind == Kind::kRelu;
    if (!before_relu || jumps_ || layer.residual) return;
    const bool dropped = data_ && data_->dropped && i == data_->layer + 1;
    const bool data = dropped || (data_ && i == data_->layer && !data_->dropped);
    if (!data && !learned) return;
    const bool secret = secret_ && layer.gathers();
    const auto narrow = [&](std::size_t which, int ring) {
      int& own = rings.parameters[first + which];
      own = std::min(own, std::max(ring, spare(f_, ranges_.weights)));
    };
    if (!learned) {
      const Factor own = of_data(i, dropped);
      if (secret && !own.gathers_first) return;  // products by a secret adjacency may be of scaled factors
      narrow(0, two_weights ? forward(given(), 0) : own.forward);
      if (two_weights) narrow(1, own.forward);
      if (data_->layer == 0) rings.data = std::min(top_, own.input);
      return;
    }
    const bool gathers_first = layer.gathers() && widths_[i] <= layer.outputs;
    if (two_weights || secret) return;
    const std::optional<int> backward = input_gradient(i, gathers_first ? fraction_of_edges(layer) : 0);
    if (!backward) return;
    narrow(0, std::max(forward(f_, bits_of_gather(layer, gathers_first)), *backward));
  }

  // The fraction bits of the data that the layer reads. A propagation before the layer gives values.
  int given() const { return data_->layer == 0 ? data_fraction_ : f_; }

  struct Factor {
    int forward = 0;  // the ring of the layer's product by its weights
    int input = 0;    // the ring of the data
    bool gathers_first = false;
  };

  // For the layer that reads the data.
  Factor of_data(std::size_t i, bool dropped) const {
    const LayerSpec& layer = layers_[i];
    Factor own;
    own.gathers_first = layer.gathers() && !dropped;
    const int entries = own.gathers_first ? given() + fraction_of_edges(layer) : given();
    int fraction = own.gathers_first ? std::min(entries, f_) : entries;
    if (dropped) fraction += Dropout::factor_bits(layers_[i - 1].rate);
    own.forward = forward(fraction, bits_of_gather(layer, own.gathers_first));
    const int gradient = spare(f_, ranges_.weight_gradients) + fraction;
    own.input = std::max({own.forward, gradient, spare(fraction, ranges_.features)});
    if (dropped) {
      own.input = std::max(own.input, spare(fraction, ranges_.features / (1 - layers_[i - 1].rate)));
    } else if (own.gathers_first) {
      const double sum = layer.kind == Kind::kSumAggregation ? ranges_.activations : ranges_.features;
      own.input = std::max(own.input + entries - fraction, spare(entries, sum));
      // A multiple of the node's own row is added, with bits for its factor.
      if (secret_ && layer.kind == Kind::kSumAggregation && layer.epsilon != 0) own.input = top_;
    }
    return own;
  }

  int fraction_of_edges(const LayerSpec& layer) const {
    if (layer.kind != Kind::kSumAggregation) return f_;
    if (!secret_) return gathers_whole_numbers(layer, edge_weights_) ? 0 : f_;
    return edge_weights_ ? weights_of_edges_ : 0;
  }

  // The fraction bits that a gather takes from the layer's product by its weights; 0 without such a gather.
  int bits_of_gather(const LayerSpec& layer, bool gathers_first) const {
    return layer.gathers() && !gathers_first ? fraction_of_edges(layer) : 0;
  }

  // The ring of a factor with `fraction_bits` fraction bits and of the weights, in front of a ReLU, or of a gather and then a
  // ReLU.
  int forward(int fraction_bits, int bits_of_gather) const {
    const int product =
        std::max(spare(f_, ranges_.activations) + bits_of_gather, spare(f_ + bits_of_gather, ranges_.activations));
    return std::max(product + fraction_bits, spare(fraction_bits + f_, ranges_.activations));
  }

  // The ring of the weights for a gradient by the layer's input, if a ReLU reads it, perhaps through a dropout. A gather
  // behind the product takes some bits.
  std::optional<int> input_gradient(std::size_t i, int bits_of_gather) const {
    int ring = spare(f_, ranges_.gradients);
    std::size_t before = i;
    if (before > 0 && layers_[before - 1].kind == Kind::kDropout) {
      ring += Dropout::factor_bits(layers_[--before].rate);
    }
    if (before == 0 || layers_[before - 1].kind != Kind::kRelu) return std::nullopt;
    return ring + bits_of_gather + f_;
  }

  const Ranges& ranges_;
  const std::vector<LayerSpec>& layers_;
  std::vector<std::int64_t> widths_;
  std::optional<Model::DataLayer> data_;
  int top_, weights_, weights_of_edges_, f_, data_fraction_;
  bool secret_, edge_weights_;
  bool jumps_;
};

}  // namespace

FactorRings factor_rings(const Arithmetic& arithmetic, const ModelSpec& model, std::int64_t inputs, int fraction_bits,
                         EdgesAre edges) {
  return Need(arithmetic, model, inputs, fraction_bits, edges).all();
}

}  // namespace tacit::gnn
