#include <unistd.h>

#include <csignal>
#include <iostream>

#include "launcher/commands/command_line.h"
#include "launcher/processes/console_stream.h"
#include "launcher/processes/reopened.h"
#include "launcher/processes/stack.h"
#include "mpc/kernels/freed_memory.h"
#include "net/error.h"
#include "net/protected_memory.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);    // writing to a closed pipe is then an ordinary error
  std::signal(SIGXFSZ, SIG_IGN);    // and so is a file beyond the size limit
  tacit::mpc::keep_freed_memory();  // every epoch allocates and frees the same large tensors
  tacit::net::protect_memory();
  tacit::launcher::open_missing_standard_files();
  tacit::launcher::Console console(STDERR_FILENO);
  tacit::launcher::ConsoleStream err(console, std::chrono::seconds(1));
  if (const std::string problem = tacit::launcher::stack_problem(); !problem.empty()) {
    err << "tacit: " << problem << std::endl;
    return static_cast<int>(tacit::Exit::kConfig);
  }
  return tacit::launcher::run_command({argv + 1, argv + argc}, std::cout, err);
}
