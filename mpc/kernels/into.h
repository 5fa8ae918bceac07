// Into tells how a kernel stores a result: it replaces the old value, or is added to it, or subtracted from it.
#pragma once

namespace tacit::mpc {

enum class Into : unsigned char { kSet, kAdd, kSubtract };

}  // namespace tacit::mpc
