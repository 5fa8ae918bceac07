// OfThisProcess — owns an object with threads or sockets. A forked process has neither: there, any use is refused, and the
// object is left alone.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>

#include "net/error.h"

namespace tacit::python {

template <typename T>
class OfThisProcess {
 public:
  // `what` names the object in errors: "the simulation".
  OfThisProcess(std::string what, std::unique_ptr<T> object)
      : what_(std::move(what)), object_(std::move(object)), process_(getpid()) {}
  OfThisProcess(const OfThisProcess&) = delete;
  OfThisProcess& operator=(const OfThisProcess&) = delete;
  ~OfThisProcess() {
    // The destructor of the object would wait for threads that the fork lacks, and end the first process' connections.
    if (getpid() != process_) static_cast<void>(object_.release());
  }

  bool is_here() const { return getpid() == process_; }
  T& operator*() const {
    if (is_here()) return *object_;
    throw ConfigError(
        fmt::format("{} was opened by process {}, and this is its child {}: a fork has none of its threads and "
                    "connections; open one after the fork, or start the child with multiprocessing's method \"spawn\"",
                    what_, process_, getpid()));
  }
  T* operator->() const { return &**this; }

 private:
  const std::string what_;
  std::unique_ptr<T> object_;
  const pid_t process_;
};

}  // namespace tacit::python
