#include "mpc/ring/kept_memory.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tacit::mpc {

namespace {

constexpr int kSmallest = 6;                              // the logarithm of the bytes of the smallest blocks
constexpr int kLargest = 19;                              // and of the largest that are kept
constexpr std::size_t kMostBlocks = 64;                   // the limit of a thread for each size
constexpr std::size_t kMostBytes = std::size_t{4} << 20;  // and for all sizes together

// An address sanitizer sees a use after the end of a tensor only if every block goes back.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool kKeeps = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool kKeeps = false;
#else
constexpr bool kKeeps = true;
#endif
#else
constexpr bool kKeeps = true;
#endif

// Tensors have often 2^n words, and a border of 64 bytes (word_memory.cc). A block of 2^n bytes would then have twice their size.
constexpr std::size_t kBorder = 64;

// The number n of the block of 2^n + kBorder bytes for so many.
int block_for(std::size_t bytes) {
  return bytes <= kBorder ? kSmallest : std::max(kSmallest, static_cast<int>(std::bit_width(bytes - kBorder - 1)));
}

bool is_kept(int block) { return kKeeps && block <= kLargest; }

// A thread may free a tensor after its blocks have ended, for example one in a static variable.
thread_local bool ended = false;

class Blocks {
 public:
  Blocks() = default;
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() {
    ended = true;
    for (Stack& stack : stacks_) {
      while (stack.count > 0) ::operator delete(stack.blocks[--stack.count]);
    }
  }

  void* take(int block) {
    Stack& stack = of(block);
    if (stack.count == 0) return nullptr;
    bytes_ -= std::size_t{1} << block;
    return stack.blocks[--stack.count];
  }
  bool keep(int block, void* memory) {
    Stack& stack = of(block);
    const std::size_t bytes = std::size_t{1} << block;
    if (stack.count == kMostBlocks || bytes_ + bytes > kMostBytes) return false;
    bytes_ += bytes;
    stack.blocks[stack.count++] = memory;
    return true;
  }

 private:
  struct Stack {
    std::array<void*, kMostBlocks> blocks;
    std::size_t count = 0;
  };
  Stack& of(int block) { return stacks_[static_cast<std::size_t>(block - kSmallest)]; }

  std::array<Stack, std::size_t{kLargest - kSmallest + 1}> stacks_;
  std::size_t bytes_ = 0;  // of all kept blocks, without their borders
};

thread_local Blocks kept;

}  // namespace

void* take_memory(std::size_t bytes) {
  const int block = block_for(bytes);
  if (!is_kept(block)) return ::operator new(bytes);
  void* const memory = ended ? nullptr : kept.take(block);
  return memory != nullptr ? memory : ::operator new((std::size_t{1} << block) + kBorder);
}

void return_memory(void* memory, std::size_t bytes) noexcept {
  const int block = block_for(bytes);
  if (is_kept(block) && !ended && kept.keep(block, memory)) return;
  ::operator delete(memory);
}

}  // namespace tacit::mpc
