// FerretSet are the parameters of Ferret (ferret.h): learning parity with noise of 2^log_base secret bits and trees·2^depth samples
// with ten ones, with one error in each 2^depth samples.
#pragma once

#include <cstdint>

namespace tacit::mpc {

struct FerretSet {
  int trees = 0;  // a multiple of 4
  int log_base = 0;
  int depth = 0;

  constexpr std::int64_t base() const { return std::int64_t{1} << log_base; }
  constexpr std::int64_t tree_transfers() const { return std::int64_t{trees} * depth; }
  constexpr std::int64_t rows() const { return std::int64_t{trees} << depth; }
  // The first rows of an extension serve the next extension, the rest serves callers.
  constexpr std::int64_t kept() const { return base() + tree_transfers(); }
  constexpr std::int64_t left() const { return rows() - kept(); }
};

// The set of sessions. docs/spec/lpn_estimate.py has its estimate.
inline constexpr FerretSet kFerretSet{2000, 18, 11};

}  // namespace tacit::mpc
