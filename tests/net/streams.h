// A second stream: several streams of one link are open at once.
#pragma once

#include "net/channel.h"

namespace tacit::net {

inline constexpr Stream kOtherStream = 1;

}  // namespace tacit::net
