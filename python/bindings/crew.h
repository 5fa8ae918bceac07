// Crew — threads that all run one task at the same time, while the caller waits and hears signals.
//
// Thread: one caller at a time. A caller that was interrupted may leave a task running: the next run(), and the destructor,
// wait for it, so end its waits before: abort the meshes.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace tacit::python {

class Crew {
 public:
  using Task = std::function<void(int member)>;
  using Poll = std::function<void()>;

  explicit Crew(int size);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  struct Outcome {
    std::vector<std::exception_ptr> errors;  // by member; null: it returned
    int first = -1;                          // the member that threw first; -1: none
  };

  // Returns when every member has returned or thrown. `poll` is called every tenth of a second, on this thread and
  // without a lock. If it throws, so does run(), at once, although the task goes on. `give_up` is called if a member
  // waits two seconds after another has thrown, and must end every wait of the task.
  Outcome run(Task task, const Poll& poll, const std::function<void()>& give_up);

  // Waits for a task that still runs, and ends the threads. run() is over then.
  void stop();

 private:
  struct Job {
    Task task;
    Outcome outcome;
    int running = 0;
  };
  void work(int member);

  std::mutex mutex_;  // guards the following members
  std::condition_variable changed_;
  std::shared_ptr<Job> job_;
  std::int64_t jobs_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tacit::python
