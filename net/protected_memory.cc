#include "net/protected_memory.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include "net/error.h"

namespace tacit::net {

void protect_memory() {
  const rlimit none{0, 0};
  TACIT_CHECK(::setrlimit(RLIMIT_CORE, &none) == 0 && ::prctl(PR_SET_DUMPABLE, 0) == 0);
}

}  // namespace tacit::net
