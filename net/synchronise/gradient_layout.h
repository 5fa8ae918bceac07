// GradientLayout is the place of each parameter's words among the words of a step, and the pieces in
// which these words are added up. The layout depends on sizes and settings only, so all parties have
// the same one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "net/collectives/all_reduce.h"
#include "net/synchronise/gradient_sum.h"

namespace tacit::net {

class GradientLayout {
 public:
  // Words of 64 bits with two gradients each.
  struct Range {
    std::int64_t begin = 0;
    std::int64_t count = 0;
    std::int64_t end() const { return begin + count; }
  };
  // One all-reduce.
  struct Piece {
    Range words;
    AllReduce algorithm = AllReduce::kTwoPhase;
  };

  // Throws ConfigError for sizes or settings that make no sense.
  GradientLayout(std::span<const std::int64_t> sizes, const SyncSettings& settings, int parties);

  std::int64_t words() const { return parameters_.empty() ? 0 : parameters_.back().end(); }
  const Range& parameter(std::size_t i) const { return parameters_[i]; }
  const std::vector<Piece>& pieces() const { return pieces_; }
  // The pieces [first, last) that hold words of this parameter.
  struct PieceRange {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  PieceRange pieces_of(std::size_t parameter) const;

 private:
  std::vector<Range> parameters_;
  std::vector<Piece> pieces_;
};

// "parameter 3", or its name.
std::string parameter_name(std::size_t parameter, std::span<const std::string> names);
// Throws ConfigError if there is no parameter, a negative size, or another number of names.
void check_sizes(std::span<const std::int64_t> sizes, std::span<const std::string> names);

}  // namespace tacit::net
