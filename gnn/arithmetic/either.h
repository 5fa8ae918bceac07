// either — the logical or of matrices of zeros and ones, element by element: a + b - a·b.
//
// Rounds      1 for two matrices, 2 for up to four, and so on
// Consumes    one dealt word for each element and each matrix but one
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// Takes at least one matrix, all of whole numbers in one ring.
Tensor either(Arithmetic& arithmetic, Tensors matrices, const std::string& name);

}  // namespace tacit::gnn
