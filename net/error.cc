#include "net/error.h"

#include <cstdio>

namespace tacit {

void report_broken_invariant(const char* condition, const char* file, int line) {
  throw BrokenInvariant(std::string("this is a bug in Tacit: ") + condition + " does not hold at " + file + ":" +
                        std::to_string(line) + "; please report it with the command that you ran");
}

int report_and_exit_code(const std::exception& error, const char* program) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  const auto* ours = dynamic_cast<const Error*>(&error);
  if (ours != nullptr && !ours->local_detail().empty()) {
    std::fprintf(stderr, "%s: %s\n", program, ours->local_detail().c_str());
  }
  return static_cast<int>(ours != nullptr ? ours->exit() : Exit::kBug);
}

}  // namespace tacit
