#include "mpc/device/emulated/machine.h"

#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

// g++ defines a macro for the address sanitizer, clang answers __has_feature. Each change of the stack is reported to the
// sanitizer.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TACIT_WATCHED_STACKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TACIT_WATCHED_STACKS
#endif
#ifdef TACIT_WATCHED_STACKS
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace tacit::mpc::device::emulated {

namespace {

constexpr std::size_t kStackBytes = 256 * 1024;
constexpr std::size_t kSharedBytes = 48 * 1024;
constexpr char kPattern = static_cast<char>(0xA5);

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "emulated device: %s\n", what);
  std::abort();
}

}  // namespace

struct Machine::Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;  // null: the stack of the process
  dim3 index;
  unsigned number = 0;
  bool finished = false, waiting = false;
  // For the address sanitizer.
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
};

Machine::Machine() : main_(std::make_unique<Fiber>()) {}
Machine::~Machine() = default;

Machine& machine() {
  static thread_local Machine one;
  return one;
}

const dim3& Machine::thread_index() const { return current_->index; }

void Machine::run(dim3 grid, dim3 block, const std::function<void()>& kernel) {
  const unsigned threads = block.x * block.y * block.z;
  if (threads == 0 || threads > 1024) fail("a block has 1 to 1,024 threads");
  grid_ = grid;
  block_ = block;
  kernel_ = &kernel;
  while (fibers_.size() < threads) fibers_.push_back(std::make_unique<Fiber>());
  for (unsigned z = 0; z < grid.z; ++z) {
    for (unsigned y = 0; y < grid.y; ++y) {
      for (unsigned x = 0; x < grid.x; ++x) run_block({x, y, z}, threads);
    }
  }
}

void Machine::prepare(Fiber& fiber, unsigned number) {
  fiber.number = number;
  fiber.index = {number % block_.x, number / block_.x % block_.y, number / (block_.x * block_.y)};
  fiber.finished = fiber.waiting = false;
  if (!fiber.stack) fiber.stack = std::make_unique<char[]>(kStackBytes);
  fiber.stack_bottom = fiber.stack.get();
  fiber.stack_size = kStackBytes;
#ifdef TACIT_WATCHED_STACKS
  __asan_unpoison_memory_region(fiber.stack.get(), kStackBytes);  // the last fiber here did not return
#endif
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = kStackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, &Machine::enter, 0);
}

void Machine::run_block(dim3 index, unsigned threads) {
  block_index_ = index;
  threads_ = running_ = threads;
  at_barrier_ = 0;
  shared_.clear();
  shared_bytes_ = 0;
  warps_.assign((threads + 31) / 32, Warp{});
  for (unsigned i = 0; i < threads; ++i) prepare(*fibers_[i], i);
  std::vector<unsigned> turn(threads);
  std::iota(turn.begin(), turn.end(), 0U);
  if (order_ == Order::kBackward) std::reverse(turn.begin(), turn.end());
  while (running_ > 0) {
    if (order_ == Order::kRandom) std::shuffle(turn.begin(), turn.end(), random_);
    bool any = false;
    for (const unsigned i : turn) {
      Fiber& fiber = *fibers_[i];
      if (fiber.finished || fiber.waiting) continue;
      any = true;
      resume(fiber);
    }
    if (!any) fail("threads wait for others that never come");
  }
}

void Machine::enter() {
  Machine& self = machine();
#ifdef TACIT_WATCHED_STACKS
  __sanitizer_finish_switch_fiber(nullptr, &self.main_->stack_bottom, &self.main_->stack_size);
#endif
  (*self.kernel_)();
  self.current_->finished = true;
  --self.running_;
  if (self.running_ > 0 && self.at_barrier_ == self.running_) self.release_barrier();
  self.leave(true);
}

void Machine::resume(Fiber& fiber) {
  current_ = &fiber;
#ifdef TACIT_WATCHED_STACKS
  __sanitizer_start_switch_fiber(&main_->fake_stack, fiber.stack_bottom, fiber.stack_size);
#endif
  swapcontext(&main_->context, &fiber.context);
#ifdef TACIT_WATCHED_STACKS
  __sanitizer_finish_switch_fiber(main_->fake_stack, nullptr, nullptr);
#endif
}

void Machine::leave([[maybe_unused]] bool for_good) {
  Fiber& self = *current_;
#ifdef TACIT_WATCHED_STACKS
  __sanitizer_start_switch_fiber(for_good ? nullptr : &self.fake_stack, main_->stack_bottom, main_->stack_size);
#endif
  swapcontext(&self.context, &main_->context);
#ifdef TACIT_WATCHED_STACKS
  __sanitizer_finish_switch_fiber(self.fake_stack, nullptr, nullptr);
#endif
}

void Machine::wait() {
  current_->waiting = true;
  leave(false);
}

void Machine::barrier() {
  if (++at_barrier_ == running_) {
    release_barrier();  // and the last one goes on
  } else {
    wait();
  }
}

void Machine::release_barrier() {
  at_barrier_ = 0;
  for (std::size_t i = 0; i < threads_; ++i) fibers_[i]->waiting = false;
}

void Machine::in_warp(void* mine, int place, const std::function<void(void**)>& together) {
  Warp& warp = warps_[current_->number / 32];
  if (warp.arrived == 0) warp.place = place;
  if (warp.place != place) fail("lanes of a warp meet in different places");
  warp.given[current_->number % 32] = mine;
  if (++warp.arrived < 32) {
    wait();
    return;
  }
  together(warp.given);
  warp.arrived = 0;
  const std::size_t first = current_->number / 32 * 32;
  for (std::size_t lane = first; lane < first + 32; ++lane) fibers_[lane]->waiting = false;
}

void* Machine::shared(std::size_t bytes, int place) {
  const auto at = static_cast<std::size_t>(place);
  if (shared_.size() <= at) shared_.resize(at + 1);
  if (shared_[at].empty()) {
    shared_[at].assign(bytes, kPattern);
    shared_bytes_ += bytes;
    if (shared_bytes_ > kSharedBytes) fail("more than 48 KiB of shared memory");
  }
  return shared_[at].data();
}

}  // namespace tacit::mpc::device::emulated
