// Machine — a device made of fibers, for tests. Each thread of a block is a fiber, which runs until it waits for others at
// a barrier or in a warp.
//
// Blocks run one after the other. `order` chooses the order of the threads between two barriers: if a kernel's result
// depends on it, the kernel lacks a barrier. Shared memory is filled with a pattern before each block. Device memory is
// the heap of the process, so the address sanitizer sees a kernel's accesses as any code's.
//
// These errors of a kernel end the process with a sentence: threads that wait for others that never come, lanes of a
// warp that meet in different places, more than 48 KiB of shared memory.
//
// The machine does not see: the order of operands in PTX, weak memory order, limits of registers, streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace tacit::mpc::device::emulated {

struct dim3 {
  constexpr dim3(unsigned of_x = 1, unsigned of_y = 1, unsigned of_z = 1) : x(of_x), y(of_y), z(of_z) {}
  unsigned x, y, z;
};

// The order of the threads between two barriers.
enum class Order { kForward, kBackward, kRandom };

class Machine {
 public:
  Machine();
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  void set_order(Order order) { order_ = order; }

  // Runs `kernel` in every thread of every block.
  void run(dim3 grid, dim3 block, const std::function<void()>& kernel);

  // The calls of a kernel.
  void barrier();
  // Every lane of the warp brings a pointer; the last lane calls `together` with all 32. `place` tells calls apart.
  void in_warp(void* mine, int place, const std::function<void(void**)>& together);
  // The block's memory for the declaration number `place`.
  void* shared(std::size_t bytes, int place);
  const dim3& thread_index() const;
  const dim3& block_index() const { return block_index_; }
  const dim3& grid_size() const { return grid_; }

 private:
  struct Fiber;
  struct Warp {
    void* given[32] = {};
    int arrived = 0;
    int place = 0;
  };

  static void enter();
  void run_block(dim3 index, unsigned threads);
  void prepare(Fiber& fiber, unsigned number);
  void resume(Fiber& fiber);
  void leave(bool for_good);
  void wait();
  void release_barrier();

  Order order_ = Order::kForward;
  std::mt19937 random_{1};
  std::unique_ptr<Fiber> main_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Fiber* current_ = nullptr;
  const std::function<void()>* kernel_ = nullptr;
  dim3 grid_, block_, block_index_;

  // The state of the running block.
  std::vector<Warp> warps_;
  std::vector<std::vector<char>> shared_;
  std::size_t shared_bytes_ = 0;
  std::size_t threads_ = 0;
  std::size_t running_ = 0, at_barrier_ = 0;
};

// The machine of the calling thread. Kernels name threadIdx without an argument, so they need one that is global.
Machine& machine();

}  // namespace tacit::mpc::device::emulated
