// SwitchingNetwork — Beneš' network for any number of wires: layers of switches between pairs of wires. The layers depend on the number
// of wires alone; the settings of the switches bring the wires into any order.
//
// A network of n wires is a layer of switches of the wires (0,1), (2,3), …; a network of floor(n/2) wires for the first wire of each
// switch, and one of ceil(n/2) for the others; and the same layer of switches once more. The last wire of an odd number passes by.
// There are at most 2·ceil(log2 n) - 1 layers of at most n/2 switches.
//
// The time to find the settings, and its accesses to memory, depend on the order.
//
// Papers      Beneš, Mathematical Theory of Connecting Networks, 1965; for any number of wires: Chang and Melhem, Arbitrary size
//             Benes networks, Parallel Processing Letters 1997
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mpc/random/permutation.h"

namespace tacit::mpc {

class SwitchingNetwork {
 public:
  explicit SwitchingNetwork(std::int64_t wires);

  using Switch = std::pair<std::int32_t, std::int32_t>;  // two wires
  const std::vector<std::vector<Switch>>& layers() const { return layers_; }

  // For each layer and switch, true if the switch exchanges its wires: the value that enters at wire i leaves at wire order[i].
  using Settings = std::vector<std::vector<bool>>;
  static Settings settings(const Permutation& order);

 private:
  void build(const std::vector<std::int32_t>& wires, std::size_t depth);

  std::vector<std::vector<Switch>> layers_;
};

}  // namespace tacit::mpc
