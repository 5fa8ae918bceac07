// The values that requests for correlations stand for, computed element by element from the requests of all parties, by rank.
//
// They follow the comments of the request types, and share no code with the dealer's values (mpc/dealt), nor with the source
// that the parties make.
#pragma once

#include <cstdint>
#include <vector>

#include "mpc/correlations/correlations.h"

namespace tacit::mpc {

// Words of a matrix, row after row.
using Plain = std::vector<std::uint64_t>;
// Bits of a matrix: 0 or 1 for each element.
using PlainBits = std::vector<std::uint64_t>;

// One for each tensor. Words hold more bits than the tensor has.
std::vector<Plain> values(const std::vector<const ProductRequest*>& all);
std::vector<Plain> values(const std::vector<const RowProductRequest*>& all);
std::vector<Plain> values(const std::vector<const MatrixProductRequest*>& all);
std::vector<Plain> values(const std::vector<const WrapRequest*>& all);
std::vector<Plain> values(const std::vector<const LiftedProductRequest*>& all);
std::vector<Plain> values(const std::vector<const LiftedMultipleRequest*>& all);
std::vector<Plain> values(const std::vector<const MaskProductsRequest*>& all);
std::vector<Plain> values(const std::vector<const WideningRequest*>& all);
std::vector<Plain> values(const std::vector<const SelectionRequest*>& all);
std::vector<Plain> values(const std::vector<const LookUpRequest*>& all);
std::vector<Plain> values(const std::vector<const NoiseRequest*>& all);
std::vector<Plain> values(const std::vector<const RouteRequest*>& all);
std::vector<Plain> values(const std::vector<const WinnerRequest*>& all);
std::vector<PlainBits> values(const std::vector<const GroupProductsRequest*>& all);
std::vector<PlainBits> values(const std::vector<const CarryProductsRequest*>& all);

}  // namespace tacit::mpc
