#include "mpc/made/switching_network.h"

#include <array>
#include <bit>
#include <numeric>

namespace tacit::mpc {

namespace {

using Places = std::vector<std::int32_t>;

constexpr std::int32_t kUnknown = -1;

std::size_t at(std::int32_t place) { return static_cast<std::size_t>(place); }

std::size_t layers_for(std::size_t wires) {
  return wires < 2 ? 0 : 2 * static_cast<std::size_t>(std::bit_width(wires - 1)) - 1;
}

// Through which of the two inner networks each input goes: the inputs of a first switch through different ones, and so the inputs that
// leave at the same last switch.
class Sides {
 public:
  explicit Sides(const Permutation& order) : order_(order), back_(inverse(order)), of_(order.size(), kUnknown) {
    const auto count = static_cast<std::int32_t>(order.size());
    if (count % 2 == 1) follow(count - 1, 1);
    for (std::int32_t input = 0; input < count; input += 2) follow(input, 0);
  }

  std::int32_t of_input(std::size_t input) const { return of_[input]; }
  std::int32_t of_output(std::size_t output) const { return of_[at(back_[output])]; }

 private:
  // The input goes through `side`. Then its neighbour at the last switch goes through the other one, and so on.
  void follow(std::int32_t input, std::int32_t side) {
    const auto count = static_cast<std::int32_t>(order_.size());
    while (input < count && of_[at(input)] == kUnknown) {
      of_[at(input)] = side;
      const std::int32_t neighbour = order_[at(input)] ^ 1;
      if (neighbour >= count) return;
      const std::int32_t other = back_[at(neighbour)];
      of_[at(other)] = 1 - side;
      input = other ^ 1;
    }
  }

  const Permutation& order_;
  const Permutation back_;
  Places of_;
};

// The settings of a network and its inner ones, in the order of SwitchingNetwork::build().
void set(const Permutation& order, std::size_t depth, SwitchingNetwork::Settings& settings) {
  const std::size_t count = order.size(), pairs = count / 2;
  if (count < 2) return;
  if (count == 2) {
    settings[depth].push_back(order.front() == 1);
    return;
  }
  const Sides sides(order);
  std::vector<bool>& first = settings[depth];
  std::vector<bool>& last = settings[settings.size() - 1 - depth];
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    first.push_back(sides.of_input(2 * pair) == 1);
    last.push_back(sides.of_output(2 * pair) == 1);
  }
  std::array<Permutation, 2> inner{Permutation(pairs), Permutation(count - pairs)};
  for (std::size_t input = 0; input < count; ++input) inner[at(sides.of_input(input))][input / 2] = order[input] / 2;
  for (const Permutation& one : inner) set(one, depth + 1, settings);
}

}  // namespace

SwitchingNetwork::SwitchingNetwork(std::int64_t wires) : layers_(layers_for(static_cast<std::size_t>(wires))) {
  Places all(static_cast<std::size_t>(wires));
  std::iota(all.begin(), all.end(), 0);
  build(all, 0);
}

void SwitchingNetwork::build(const Places& wires, std::size_t depth) {
  const std::size_t count = wires.size(), pairs = count / 2;
  if (count < 2) return;
  std::array<Places, 2> inner;
  for (std::size_t wire = 0; wire < count; ++wire) {
    inner[wire + 1 == count ? 1 : wire % 2].push_back(
        wires[wire]);  // the last one of an odd number, with the second ones
  }
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const Switch one{wires[2 * pair], wires[2 * pair + 1]};
    layers_[depth].push_back(one);
    if (count > 2) layers_[layers_.size() - 1 - depth].push_back(one);
  }
  if (count == 2) return;
  for (const Places& one : inner) build(one, depth + 1);
}

SwitchingNetwork::Settings SwitchingNetwork::settings(const Permutation& order) {
  Settings settings(layers_for(order.size()));
  set(order, 0, settings);
  return settings;
}

}  // namespace tacit::mpc
