// Rows and columns of a tensor times numbers of a row, on shares.
#pragma once

#include "gnn/arithmetic/arithmetic.h"

namespace tacit::gnn {

// Row r of x times element r of the row `factors`, |result| <= bound; as fine as values. One round, and one where x must
// be lifted.
Tensor scaled_rows(Arithmetic& arithmetic, const Tensor& x, const Tensor& factors, double bound,
                   const std::string& name);
// Column c of x times element c of the row `factors`.
Tensor scaled_columns(Arithmetic& arithmetic, const Tensor& x, const Tensor& factors, double bound,
                      const std::string& name);

}  // namespace tacit::gnn
