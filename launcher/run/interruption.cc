#include "launcher/run/interruption.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <future>
#include <system_error>

#include "net/error.h"
#include "net/thread.h"

namespace tacit::launcher {

namespace {

constexpr std::chrono::milliseconds kForever{-1};

bool is_ignored(int signal) {
  struct sigaction now {};
  ::sigaction(signal, nullptr, &now);
  return (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN;
}

sigset_t wanted() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  return set;
}

class Blocked {
 public:
  Blocked() : set_(wanted()) { pthread_sigmask(SIG_BLOCK, &set_, nullptr); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;
  // Discards a signal that came during the end of the run, so that it does not kill the process
  // before the error is printed.
  ~Blocked() {
    const timespec at_once{};
    while (::sigtimedwait(&set_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_UNBLOCK, &set_, nullptr);
  }

 private:
  const sigset_t set_;
};

}  // namespace

Interruption::Interruption(std::function<void(int)> last_words)
    : blocked_(std::make_shared<Blocked>()), last_words_(std::move(last_words)) {
  const sigset_t set = wanted();
  signals_ = net::Descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  over_ = net::Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!signals_ || !over_) {
    throw ConfigError("cannot listen for signals: " + std::system_category().message(errno) +
                      "; raise the limit on open files, as `ulimit -n 4096` does");
  }
  thread_ = net::start_thread("listens for signals", [this] { watch(); });
}

Interruption::~Interruption() {
  const std::uint64_t one = 1;
  TACIT_CHECK(::write(over_.get(), &one, sizeof one) == sizeof one);
  thread_.join();
}

void Interruption::tell(std::function<void()> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
  if (signal() != 0 && listener_) listener_();
}

void Interruption::watch() {
  const int first = next_signal(kForever);
  if (first == 0) return;
  {
    const std::lock_guard lock(mutex_);
    signal_.store(first);
    if (listener_) listener_();
  }
  std::array<pollfd, 1> over{{{over_.get(), POLLIN, 0}}};
  next_signal(time_to_unwind_.load());
  if (::poll(over.data(), over.size(), 0) > 0) return;
  if (last_words_) say_last_words(first);
  ::_exit(exit_code(first));
}

// Runs in a thread that may hang for ever. This thread goes on and ends the process.
void Interruption::say_last_words(int signal) const {
  const auto said = std::make_shared<std::promise<void>>();
  try {
    std::thread([words = last_words_, signal, said] {
      words(signal);
      said->set_value();
    }).detach();
  } catch (const std::system_error&) {
    return;  // no thread can be started, so there are no last words
  }
  said->get_future().wait_for(kTimeForLastWords);
}

// Schedulers and launchers send SIGTERM, so the sentence does not name the user as its cause.
std::string interrupted(int rank, int signal) {
  return fmt::format("rank {} {}", rank,
                     signal == SIGTERM  ? "has received SIGTERM"
                     : signal == SIGHUP ? "has lost its terminal (SIGHUP)"
                                        : "was interrupted by its user");
}

int Interruption::next_signal(std::chrono::milliseconds within) const {
  std::array<pollfd, 2> waits{{{signals_.get(), POLLIN, 0}, {over_.get(), POLLIN, 0}}};
  while (::poll(waits.data(), waits.size(), static_cast<int>(within.count())) < 0 && errno == EINTR) {
  }
  signalfd_siginfo came{};
  if (::read(signals_.get(), &came, sizeof came) != sizeof came) return 0;
  return static_cast<int>(came.ssi_signo);
}

}  // namespace tacit::launcher
