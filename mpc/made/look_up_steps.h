// The public parameters of the steps of a look-up: for look_up.h, which makes entries, and for the bound of their errors.
#pragma once

#include <vector>

#include "mpc/protocols/cell_table.h"

namespace tacit::mpc {

// For polynomials: the powers have kMoreBits fraction bits more than an entry, and the coefficients have kGuardBits.
inline constexpr int kMoreBits = 3;
inline constexpr int kGuardBits = 3;
inline int power_bits(const CellTable& table) { return table.entry_bits() + kMoreBits; }

inline constexpr int kExponentialBits = 24;

// s = u + f, of step_bits and fine_bits.
struct ExponentialSteps {
  explicit ExponentialSteps(const CellTable& table);

  int step_bits, fine_bits;
  int degree;                // of the polynomial in f
  std::vector<double> fit;   // e^(-rate·f), f = z/2^step_bits, in powers of z
  std::vector<double> step;  // e^(-rate·u) for each u
};

inline bool is_table_of_values(const CellTable& table) { return table.position_bits() == 0 && table.terms() == 1; }

// a_k·binomial(k, i)·(-1)^(k-i), the multiple of s^(k-i) in entry i of cell `cell`, in units of an entry.
double multiple_of_power(const CellTable& table, std::int64_t cell, std::int64_t k, std::int64_t i);

}  // namespace tacit::mpc
