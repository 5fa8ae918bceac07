#include "mpc/kernels/loops_body.h"

namespace tacit::mpc {

const Loops& loops_avx2() { return kLoops; }

}  // namespace tacit::mpc
