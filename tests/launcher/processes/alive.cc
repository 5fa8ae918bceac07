#include "tests/launcher/processes/alive.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

namespace tacit::launcher {

bool runs(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(stat, line)) return false;
  const std::size_t name_end = line.rfind(')');  // "PID (NAME) STATE ..."
  return name_end != std::string::npos && name_end + 2 < line.size() && line[name_end + 2] != 'Z';
}

bool all_gone(const std::vector<pid_t>& pids, std::chrono::milliseconds within) {
  const auto deadline = std::chrono::steady_clock::now() + within;
  while (std::any_of(pids.begin(), pids.end(), runs)) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

}  // namespace tacit::launcher
