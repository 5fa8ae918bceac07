// reopened_without_waiting — a second open file for what `fd` leads to, whose writes never wait.
//
// O_NONBLOCK belongs to an open file, and other processes share the one behind stderr: to set it there would change
// their writes, too. A pipe or a terminal can be opened once more under /proc/self/fd, with flags of its own.
#pragma once

#include "net/descriptor.h"

namespace tacit::launcher {

// Empty for a regular file, whose writes never wait for a reader, and where a second open is refused: a socket, a
// terminal of another user. There the caller polls, and writes small pieces.
net::Descriptor reopened_without_waiting(int fd);

// /dev/null in place of stdin, stdout and stderr, where this process was started without one of them. Otherwise the
// next file or socket would get its number, and what is printed would go into that.
void open_missing_standard_files();

}  // namespace tacit::launcher
