// EndSignals — SIGINT, SIGTERM and SIGHUP, told as something to poll for instead of ending the process, while this
// lives. One at a time, before threads are started.
#pragma once

#include <signal.h>

#include "net/descriptor.h"

namespace tacit::launcher {

class EndSignals {
 public:
  EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals();

  int fd() const { return fd_.get(); }  // readable when one has come
  int take();                           // its number, 0 if none has come

 private:
  sigset_t before_{};
  net::Descriptor fd_;
};

}  // namespace tacit::launcher
