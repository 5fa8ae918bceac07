// take_memory and return_memory hand out the memory of tensors, planes of bits and messages. A thread keeps the blocks that it
// returns for its next ones.
//
// A call of a protocol makes several tensors. The C library's allocator, which all threads share, would take longer than the
// arithmetic of a small tensor. A call for a large block merges the small blocks that were freed before, and makes the next calls
// for small blocks slow. A block has a power of two bytes, at most 512 KiB. A thread keeps at most 64 blocks of each size, and at
// most 4 MiB in all. Other blocks go back to the allocator. Thread: any; another thread than the taker may return a block.
#pragma once

#include <cstddef>
#include <new>

namespace tacit::mpc {

// At a border of 16 bytes, not initialised. 0 bytes are allowed.
void* take_memory(std::size_t bytes);
// `bytes`: the number that take_memory got.
void return_memory(void* memory, std::size_t bytes) noexcept;

// The allocator of the standard library's containers and shared pointers that take their memory here.
template <typename T>
struct KeptAllocator {
  using value_type = T;
  static_assert(alignof(T) <= alignof(std::max_align_t));

  KeptAllocator() = default;
  template <typename U>
  KeptAllocator(const KeptAllocator<U>& /*other*/) noexcept {}  // NOLINT(google-explicit-constructor): for containers

  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) noexcept { return_memory(memory, count * sizeof(T)); }

  template <typename U>
  bool operator==(const KeptAllocator<U>& /*other*/) const noexcept {
    return true;
  }
};

}  // namespace tacit::mpc
