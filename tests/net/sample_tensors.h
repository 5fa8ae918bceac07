// Random tensors that every rank can make for every rank, so that each can compute the expected
// results of collectives.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "net/collectives/words.h"

namespace tacit::net {

// Owns the words of a list of tensors.
class SampleTensors {
 public:
  // Words are not reduced: the bits above the ring must never matter.
  SampleTensors(const std::vector<WordShape>& shapes, int rank) {
    std::uint64_t state = static_cast<std::uint64_t>(rank) * 0xA0761D6478BD642F;
    for (const WordShape& shape : shapes) {
      memory_.emplace_back(static_cast<std::size_t>(shape.count));
      for (auto& word : memory_.back()) word = next(state);
    }
    for (std::size_t t = 0; t < shapes.size(); ++t) views_.push_back({memory_[t], shapes[t].bits});
  }
  SampleTensors(SampleTensors&&) = default;  // vectors keep their words where they are
  SampleTensors(const SampleTensors& other) : memory_(other.memory_) {
    for (std::size_t t = 0; t < memory_.size(); ++t) views_.push_back({memory_[t], other.views_[t].bits});
  }

  Tensors tensors() const { return views_; }

  // The same words, reduced.
  std::vector<std::vector<std::uint64_t>> values() const {
    auto all = memory_;
    for (std::size_t t = 0; t < all.size(); ++t) {
      for (auto& word : all[t]) word &= word_mask(views_[t].bits);
    }
    return all;
  }

  // True if these are the words, reduced as results must be.
  bool holds(const std::vector<std::vector<std::uint64_t>>& values) const {
    return std::equal(memory_.begin(), memory_.end(), values.begin(), values.end(), [](const auto& a, const auto& b) {
      return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), 8 * a.size()) == 0);
    });
  }

 private:
  // A Weyl sequence and a mix: samples are large and only their variety matters.
  static std::uint64_t next(std::uint64_t& state) {
    state += 0x9E3779B97F4A7C15;
    const std::uint64_t mixed = (state ^ (state >> 31)) * 0xD6E8FEB86659FD93;
    return mixed ^ (mixed >> 32);
  }

  std::vector<std::vector<std::uint64_t>> memory_;
  std::vector<Words> views_;
};

inline std::vector<std::vector<std::uint64_t>> sum_of_samples(const std::vector<WordShape>& shapes, int parties) {
  auto sum = SampleTensors(shapes, 0).values();
  for (int r = 1; r < parties; ++r) {
    const auto more = SampleTensors(shapes, r).values();
    for (std::size_t t = 0; t < sum.size(); ++t) {
      for (std::size_t i = 0; i < sum[t].size(); ++i) {
        sum[t][i] = (sum[t][i] + more[t][i]) & word_mask(shapes[t].bits);
      }
    }
  }
  return sum;
}

inline std::string describe(const std::vector<WordShape>& shapes) {
  std::string text;
  for (const WordShape& shape : shapes) {
    text += (text.empty() ? "" : " + ") + std::to_string(shape.count) + "x" + std::to_string(shape.bits);
  }
  return text.empty() ? "no tensors" : text;
}

}  // namespace tacit::net
