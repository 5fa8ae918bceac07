// stack_problem — why the stack of this process is too small for the program.
#pragma once

#include <string>

namespace tacit::launcher {

// A sentence if `ulimit -s` leaves less than 256 KiB; else "". Matrix products keep tiles of 50 KiB on the stack, each thread's
// stack is as large as the limit, and a stack that overflows ends the process without a message.
std::string stack_problem();

}  // namespace tacit::launcher
