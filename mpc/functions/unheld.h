// Values without contents: what the costs of protocols are asked with, before anything ran.
#pragma once

#include "mpc/session/cost.h"
#include "mpc/session/inside.h"

namespace tacit::mpc {

inline Shown unheld_shown(const Spec& spec) { return Inside::shown(spec.shape, spec.format, nullptr, nullptr); }
inline Bits unheld_bits(Shape shape) { return Inside::bits(shape, nullptr, nullptr); }

}  // namespace tacit::mpc
