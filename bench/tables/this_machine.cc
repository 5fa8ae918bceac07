#include "bench/tables/this_machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

#include "launcher/job/build_commit.h"

namespace tacit::launcher {

namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

Json this_machine() {
  utsname system{};
  ::uname(&system);
  const std::int64_t memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  return {{"cpu", cpu_model()},     {"cores", std::thread::hardware_concurrency()},
          {"memory", memory},       {"kernel", std::string(system.sysname) + " " + system.release},
          {"tacit", TACIT_VERSION}, {"commit", build_commit()}};
}

}  // namespace tacit::launcher
