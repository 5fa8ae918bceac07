// fresh_secret — secret bytes of this rank alone, from the operating system's generator.
#pragma once

#include "net/secret.h"

namespace tacit::mpc {

net::Secret fresh_secret(std::int64_t size);

}  // namespace tacit::mpc
