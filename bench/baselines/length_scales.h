// LengthScales — the distance over which values of a Gaussian process become unrelated, in deviations of a feature.
#pragma once

namespace tacit::gnn {

// Per feature: a useless feature gets a scale so long that it does not count. On the built-in sensors this choice errs
// less in each of five cities, by 0.6 to 2.7 µg/m³. In common: for data with more features than nodes to tell them
// apart.
enum class LengthScales { kPerFeature, kInCommon };

}  // namespace tacit::gnn
