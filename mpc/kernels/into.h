// Into tells how a kernel stores a result: replace the old value, add the result to it, or subtract the result from it.
#pragma once

namespace tacit::mpc {

enum class Into : unsigned char { kSet, kAdd, kSubtract };

}  // namespace tacit::mpc
