#include "mpc/ot/fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <new>
#include <utility>

#include "net/error.h"

// g++ defines macros for the sanitizers, clang answers __has_feature.
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TACIT_ADDRESSES_CHECKED
#endif
#if __has_feature(thread_sanitizer)
#define TACIT_THREADS_CHECKED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define TACIT_ADDRESSES_CHECKED
#endif
#ifdef __SANITIZE_THREAD__
#define TACIT_THREADS_CHECKED
#endif
#ifdef TACIT_ADDRESSES_CHECKED
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef TACIT_THREADS_CHECKED
#include <sanitizer/tsan_interface.h>
#endif

namespace tacit::mpc {

namespace {

// Thrown by pause() in a function that is to end.
struct FiberEnds {};

}  // namespace

// Memory above a page that is not mapped.
class Fiber::Stack {
 public:
  Stack() : guard_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    mapping_ = mmap(nullptr, guard_ + kStackBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (mapping_ == MAP_FAILED) throw std::bad_alloc();
    if (mprotect(mapping_, guard_, PROT_NONE) != 0) {
      munmap(mapping_, guard_ + kStackBytes);
      throw std::bad_alloc();
    }
  }
  ~Stack() {
#ifdef TACIT_ADDRESSES_CHECKED
    __asan_unpoison_memory_region(begin(), kStackBytes);  // the next mapping may be here
#endif
    munmap(mapping_, guard_ + kStackBytes);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  void* begin() const { return static_cast<std::byte*>(mapping_) + guard_; }

 private:
  const std::size_t guard_;
  void* mapping_ = nullptr;
};

// One side of a change of stacks, and its notices to the sanitizers.
struct Fiber::Side {
  ucontext_t context{};
#ifdef TACIT_ADDRESSES_CHECKED
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
#endif
#ifdef TACIT_THREADS_CHECKED
  void* thread = nullptr;
#endif
};

// One function, so that the thread sanitizer sees its call and its end on one stack.
void Fiber::cross(Side& from, Side& to, [[maybe_unused]] bool for_good) {
#ifdef TACIT_ADDRESSES_CHECKED
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#ifdef TACIT_THREADS_CHECKED
  from.thread = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.thread, 0);
#endif
  swapcontext(&from.context, &to.context);
#ifdef TACIT_ADDRESSES_CHECKED
  __sanitizer_finish_switch_fiber(from.fake_stack, &to.bottom, &to.size);
#endif
}

struct Fiber::State {
  explicit State(std::function<void()> of) : body(std::move(of)) {
#ifdef TACIT_ADDRESSES_CHECKED
    inside.bottom = stack.begin();
    inside.size = kStackBytes;
#endif
#ifdef TACIT_THREADS_CHECKED
    inside.thread = __tsan_create_fiber(0);
#endif
  }
#ifdef TACIT_THREADS_CHECKED
  ~State() { __tsan_destroy_fiber(inside.thread); }
#endif

  const std::function<void()> body;
  const Stack stack;
  Side inside, outside;
  std::exception_ptr error;
  bool begun = false, ended = false, ends = false;
};

Fiber::Fiber(std::function<void()> body) : state_(std::make_unique<State>(std::move(body))) {}

Fiber::~Fiber() {
  if (!state_->begun || state_->ended) return;
  state_->ends = true;
  cross(state_->outside, state_->inside, false);
  TACIT_CHECK(state_->ended);
}

bool Fiber::ended() const { return state_->ended; }

void Fiber::resume() {
  TACIT_CHECK(!state_->ended);
  if (!std::exchange(state_->begun, true)) {
    ucontext_t& context = state_->inside.context;
    getcontext(&context);
    context.uc_stack.ss_sp = state_->stack.begin();
    context.uc_stack.ss_size = kStackBytes;
    context.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    // The type of its function has no arguments, but it passes integers.
    makecontext(&context, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
  }
  cross(state_->outside, state_->inside, false);
  if (state_->error) std::rethrow_exception(std::exchange(state_->error, nullptr));
}

void Fiber::pause() {
  if (!state_->ends) cross(state_->inside, state_->outside, false);
  if (state_->ends) throw FiberEnds();
}

void Fiber::enter(unsigned high, unsigned low) {
  reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low)->run();
}

void Fiber::run() {
#ifdef TACIT_ADDRESSES_CHECKED
  __sanitizer_finish_switch_fiber(nullptr, &state_->outside.bottom, &state_->outside.size);
#endif
  try {
    state_->body();
  } catch (const FiberEnds&) {
  } catch (...) {
    state_->error = std::current_exception();
  }
  state_->ended = true;
  cross(state_->inside, state_->outside, true);
}

}  // namespace tacit::mpc
