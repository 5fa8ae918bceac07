#include "mpc/kernels/freed_memory.h"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>

namespace tacit::mpc {

#ifdef __GLIBC__

namespace {

constexpr std::uintptr_t kHeap = std::uintptr_t{1} << 30;

// Makes the heap grow by kHeap at once, and asks for huge pages there. A system without them, or with less memory, refuses, and
// nothing is lost.
void ask_for_huge_pages() {
  for (const auto what : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(what, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return;  // kHeap would count at once
  }
  constexpr int kDefaultPad = 128 << 10;
  constexpr std::size_t kMoreThanIsLeft = 4 << 20;
  ::mallopt(M_TOP_PAD, static_cast<int>(kHeap));
  void* const first = std::malloc(kMoreThanIsLeft);
  ::mallopt(M_TOP_PAD, kDefaultPad);
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(first) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  if (first != nullptr && begin < end && end - begin < 2 * kHeap) {
    ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
  std::free(first);
}

}  // namespace

#endif

void keep_freed_memory() {
#ifdef __GLIBC__
  // The most that older versions take is 32 MB.
  if (::mallopt(M_MMAP_THRESHOLD, 1 << 30) == 0) ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  ::mallopt(M_ARENA_MAX, 1);  // the arena of another thread returns its memory at any threshold
  ask_for_huge_pages();
#endif
}

}  // namespace tacit::mpc
