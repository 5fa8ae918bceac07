// Into — what becomes of a result: it replaces what was there, or is added to it, or subtracted from it.
#pragma once

namespace tacit::mpc {

enum class Into : unsigned char { kSet, kAdd, kSubtract };

}  // namespace tacit::mpc
