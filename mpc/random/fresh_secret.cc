#include "mpc/random/fresh_secret.h"

#include <sodium.h>

#include "net/error.h"

namespace tacit::mpc {

net::Secret fresh_secret(std::int64_t size) {
  TACIT_CHECK(sodium_init() >= 0);
  net::Secret bytes(size);
  randombytes_buf(bytes.bytes().data(), bytes.bytes().size());
  return bytes;
}

}  // namespace tacit::mpc
