// Fiber — a function on a stack of its own, which may pause in the middle and go on later, on one and the same thread.
//
// An exception that leaves the function leaves resume(). The end of a Fiber ends a function that has paused: pause() throws in it, so
// that its destructors run. The function must not pause in a catch block or in a destructor: exceptions in progress belong to
// the thread.
//
// The stack's unused pages take no memory. A page below the stack is never mapped, so a function that needs more than kStackBytes ends
// the process. Thread: one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace tacit::mpc {

class Fiber {
 public:
  static constexpr std::size_t kStackBytes = 256 * 1024;

  explicit Fiber(std::function<void()> body);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Runs the function until it pauses or ends. Not from within a fiber's own function, and not after its end.
  void resume();
  bool ended() const;

  // From within the function: returns at the next resume().
  void pause();

 private:
  class Stack;
  struct Side;
  struct State;

  // Goes to the other side, and returns when that side comes back.
  static void cross(Side& from, Side& to, bool for_good);
  static void enter(unsigned high, unsigned low);
  void run();

  std::unique_ptr<State> state_;
};

}  // namespace tacit::mpc
