// UninitialisedVector is a std::vector that does not initialise new elements: for memory that is written before it is read. The
// memory comes from the blocks that a thread keeps (kept_memory.h).
#pragma once

#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "mpc/ring/kept_memory.h"

namespace tacit::mpc {

template <typename T>
struct UninitialisedAllocator : KeptAllocator<T> {
  static_assert(std::is_trivially_copyable_v<T>);
  UninitialisedAllocator() = default;
  template <typename U>
  UninitialisedAllocator(const UninitialisedAllocator<U>& /*other*/) noexcept {}  // NOLINT(google-explicit-constructor)
  template <typename U>
  struct rebind {
    using other = UninitialisedAllocator<U>;
  };
  template <typename U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <typename U, typename... From>
  void construct(U* place, From&&... from) {
    ::new (static_cast<void*>(place)) U(std::forward<From>(from)...);
  }
};

template <typename T>
using UninitialisedVector = std::vector<T, UninitialisedAllocator<T>>;

}  // namespace tacit::mpc
