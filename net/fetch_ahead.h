// fetch_ahead asks the processor for memory that a loop reads or writes soon.
#pragma once

#include <cstdint>

namespace tacit::net {

// Asks for the cache lines that lie one page behind some bytes. A processor fetches the next lines of a loop by itself, but many
// stop at the end of a page. A loop over memory that is in no near cache then waits at the begin of each page. The lines may lie
// behind the end of an array, since the program does not read them. Always inlined, so that files for other instructions may
// call it.
[[gnu::always_inline]] inline void fetch_ahead(const void* place, std::int64_t bytes) {
  constexpr std::uintptr_t kPage = 4096, kLine = 64;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(place) + kPage;
  const std::uintptr_t end = begin + static_cast<std::uintptr_t>(bytes);
  for (std::uintptr_t line = begin; line < end; line += kLine) __builtin_prefetch(reinterpret_cast<const void*>(line));
}

}  // namespace tacit::net
