// protect_memory — keeps data, shares, seeds and keys of this process from files and other processes.
#pragma once

namespace tacit::launcher {

// For the rest of this process: no core file is written when it crashes, and no other process of the same user may
// attach to it or read its memory (root may). What it starts has to call this for itself, though it writes no core
// file.
void protect_memory();

}  // namespace tacit::launcher
