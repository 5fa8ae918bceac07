// reopened_without_waiting — opens the file behind `fd` a second time, for writes that never wait.
//
// O_NONBLOCK belongs to an open file, and other processes share the one behind stderr, so setting
// the flag there would change their writes. A pipe or a terminal can be opened again under
// /proc/self/fd, with flags of its own.
#pragma once

#include "net/descriptor.h"

namespace tacit::launcher {

// Empty for a regular file, where writes never wait for a reader, and if a second open is refused
// (a socket, a terminal of another user). The caller then polls, and writes small pieces.
net::Descriptor reopened_without_waiting(int fd);

// Opens /dev/null for each of stdin, stdout and stderr that was closed at the start.
// Otherwise the next file or socket would get the free number, and receive printed text.
void open_missing_standard_files();

}  // namespace tacit::launcher
