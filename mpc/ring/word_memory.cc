#include "mpc/ring/word_memory.h"

#include <array>
#include <bit>
#include <cstddef>
#include <new>

namespace tacit::mpc {

namespace {

constexpr std::size_t kBorder = 64;  // bytes
constexpr int kSmallest = 4;  // the logarithm of the words in the smallest blocks that are kept, with their border
constexpr int kLargest = 13;  // and in the largest: 64 kB
constexpr std::size_t kKeptOfEach = 16;

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

// The binary logarithm of the size, in words, of the block that holds `words` words and a border.
int block_for(std::int64_t words) {
  const auto with_border = static_cast<std::uint64_t>(words) + kBorder / sizeof(std::uint64_t);
  return std::max(kSmallest, static_cast<int>(std::bit_width(with_border - 1)));
}

bool is_kept(int block) { return kKeeps && block <= kLargest; }

std::size_t bytes_of(int block, std::int64_t words) {
  if (is_kept(block)) return sizeof(std::uint64_t) << block;
  return static_cast<std::size_t>(words) * sizeof(std::uint64_t) + kBorder;
}

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
    return stack.count > 0 ? stack.blocks[--stack.count] : nullptr;
  }
  bool keep(int block, void* memory) {
    Stack& stack = of(block);
    if (stack.count == kKeptOfEach) return false;
    stack.blocks[stack.count++] = memory;
    return true;
  }

 private:
  struct Stack {
    std::array<void*, kKeptOfEach> blocks;
    std::size_t count = 0;
  };
  Stack& of(int block) { return stacks_[static_cast<std::size_t>(block - kSmallest)]; }

  std::array<Stack, std::size_t{kLargest - kSmallest + 1}> stacks_;
};

thread_local Blocks kept;

}  // namespace

WordMemory::WordMemory(std::int64_t size) : size_(size) {
  const int block = block_for(size);
  if (is_kept(block) && !ended) block_ = kept.take(block);
  if (block_ == nullptr) block_ = ::operator new(bytes_of(block, size));
  const auto address = reinterpret_cast<std::uintptr_t>(block_);
  words_ = reinterpret_cast<std::uint64_t*>((address + kBorder - 1) / kBorder * kBorder);
}

WordMemory::~WordMemory() {
  if (block_ == nullptr) return;
  const int block = block_for(size_);
  if (is_kept(block) && !ended && kept.keep(block, block_)) return;
  ::operator delete(block_);
}

}  // namespace tacit::mpc
