#include "launcher/processes/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "net/error.h"

namespace tacit::launcher {

EndSignals::EndSignals() {
  sigset_t ours;
  sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ours, number);
  TACIT_CHECK(pthread_sigmask(SIG_BLOCK, &ours, &before_) == 0);
  fd_ = net::Descriptor(signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK));
  TACIT_CHECK(fd_);
}

EndSignals::~EndSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

int EndSignals::take() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return 0;
  return static_cast<int>(info.ssi_signo);
}

}  // namespace tacit::launcher
