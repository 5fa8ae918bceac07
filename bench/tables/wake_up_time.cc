#include "bench/tables/wake_up_time.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "launcher/report/figure.h"
#include "net/descriptor.h"

namespace tacit::launcher {

namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe(ends) != 0) {
      throw std::system_error(errno, std::generic_category(), "no pipe for a measurement");
    }
    from = net::Descriptor(ends[0]);
    to = net::Descriptor(ends[1]);
  }
  bool send() const { return ::write(to.get(), "", 1) == 1; }
  bool receive() const {
    char byte;
    return ::read(from.get(), &byte, 1) == 1;
  }

  net::Descriptor from, to;
};

}  // namespace

double wake_up_time() {
  constexpr int kToAndFro = 2000;
  Pipe there, back;
  std::thread other([&] {
    for (int i = 0; i < kToAndFro && there.receive() && back.send(); ++i) {
    }
  });
  std::vector<double> seconds;
  for (int i = 0; i < kToAndFro; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    if (!there.send() || !back.receive()) break;
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 2);
  }
  there.to.reset();  // ends the other thread after an error, too
  other.join();
  return median(std::move(seconds)).value_or(0);
}

}  // namespace tacit::launcher
