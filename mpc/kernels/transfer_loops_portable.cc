#include "mpc/kernels/transfer_loops_body.h"

namespace tacit::mpc {

const TransferLoops& transfer_loops_portable() { return kTransferLoops; }

}  // namespace tacit::mpc
