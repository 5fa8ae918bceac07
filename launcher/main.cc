#include <csignal>
#include <iostream>

#include "launcher/commands/command_line.h"
#include "launcher/run/protected_memory.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that is gone is an error like any other,
  std::signal(SIGXFSZ, SIG_IGN);  // and so is a file that may not grow
  tacit::launcher::protect_memory();
  return tacit::launcher::run_command({argv + 1, argv + argc}, std::cout, std::cerr);
}
