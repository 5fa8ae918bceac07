#include "mpc/kernels/loops_body.h"

namespace tacit::mpc {

const Loops& loops_portable() { return kLoops; }

}  // namespace tacit::mpc
