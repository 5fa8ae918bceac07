// EndSignals — makes SIGINT, SIGTERM and SIGHUP pollable while this object exists, instead of
// ending the process. One object at a time, made before threads start.
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

  int fd() const { return fd_.get(); }  // readable when a signal has come
  int take();                           // the signal's number; 0: no signal

 private:
  sigset_t before_{};
  net::Descriptor fd_;
};

}  // namespace tacit::launcher
