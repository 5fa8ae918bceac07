// WordMemory is the uninitialised memory of a tensor, from the blocks that a thread keeps (kept_memory.h). The first word lies at
// a border of 64 bytes, so that no vector of the widest registers crosses a border. Thread: a WordMemory is a plain value, and
// another thread may free it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tacit::mpc {

class WordMemory {
 public:
  WordMemory() = default;
  explicit WordMemory(std::int64_t size);
  WordMemory(const WordMemory& other) : WordMemory(other.size_) { std::copy_n(other.words_, other.size_, words_); }
  WordMemory(WordMemory&& other) noexcept
      : words_(std::exchange(other.words_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        block_(std::exchange(other.block_, nullptr)) {}
  WordMemory& operator=(WordMemory other) noexcept {
    std::swap(words_, other.words_);
    std::swap(size_, other.size_);
    std::swap(block_, other.block_);
    return *this;
  }
  ~WordMemory();

  std::uint64_t* data() { return words_; }
  const std::uint64_t* data() const { return words_; }
  std::int64_t size() const { return size_; }

 private:
  std::uint64_t* words_ = nullptr;
  std::int64_t size_ = 0;
  void* block_ = nullptr;  // before the border
};

}  // namespace tacit::mpc
