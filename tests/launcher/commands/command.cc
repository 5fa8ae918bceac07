#include "tests/launcher/commands/command.h"

#include <sstream>

#include "launcher/commands/command_line.h"

namespace tacit::launcher {

std::ostream& operator<<(std::ostream& text, const Ran& ran) {
  return text << "exit code " << ran.exit_code << "\n" << ran.out << ran.err;
}

Ran tacit(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  const int exit_code = run_command(words, out, err);
  return {exit_code, out.str(), err.str()};
}

}  // namespace tacit::launcher
