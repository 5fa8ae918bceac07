// protect_memory — keeps this process' data, shares, seeds and keys from files and other processes.
#pragma once

namespace tacit::net {

// From now on a crash writes no core file, and no other process of the same user may attach or read
// the memory (root may). A child process has to call this function itself, though the ban on core
// files is inherited. The command calls it first of all, and tacit.net.from_env() does in Python.
void protect_memory();

}  // namespace tacit::net
