#include "mpc/functions/exponential_cells.h"

namespace tacit::mpc {

CellTable ExponentialCells::table(int fraction_bits, double shift, CellTable::Precision precision) const {
  return CellTable::exponential({{ring_bits(fraction_bits), fraction_bits}, cell_bits}, largest(), shift, precision);
}

}  // namespace tacit::mpc
