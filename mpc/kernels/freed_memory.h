// keep_freed_memory chooses how the process treats memory.
#pragma once

namespace tacit::mpc {

// Keeps freed memory for the next tensor. Otherwise the process returns it to the system and gets it back zeroed, page
// by page: with kept memory, ReLUs of 2^20 values take less than half the time. The first GB of the heap gets huge pages if
// the system has them: planes and tensors then take fewer entries of the processor's page tables. The choice is for the whole
// process, and its memory then stays at its peak. The program calls this once, before it starts threads. Does nothing if the
// C library has no such choice.
void keep_freed_memory();

}  // namespace tacit::mpc
