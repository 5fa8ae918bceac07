#include "mpc/kernels/freed_memory.h"

#include <malloc.h>

namespace tacit::mpc {

void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that it takes
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  ::mallopt(M_ARENA_MAX, 1);  // the arena of another thread returns its memory whatever the threshold
#endif
}

}  // namespace tacit::mpc
