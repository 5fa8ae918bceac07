// For tests of kernels: the orders in which the emulated device runs threads, and random words.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "mpc/device/kernel_language.h"

namespace tacit::mpc::device {

// Calls `check` with each order of the threads. If a kernel's result depends on the order, the kernel lacks a barrier.
inline void in_every_order(const std::function<void()>& check) {
  using emulated::Order;
  for (const Order order : {Order::kForward, Order::kBackward, Order::kRandom}) {
    emulated::machine().set_order(order);
    check();
  }
  emulated::machine().set_order(Order::kForward);
}

class RandomWords {
 public:
  explicit RandomWords(std::uint64_t seed) : generator_(seed) {}
  Word word() { return generator_(); }
  std::vector<Word> words(std::int64_t count, Word mask = ~Word{0}) {
    std::vector<Word> made(static_cast<std::size_t>(count));
    for (Word& w : made) w = generator_() & mask;
    return made;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace tacit::mpc::device
