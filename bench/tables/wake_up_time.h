// The time until a thread that waits for a message runs again: what a round costs in addition to the CPU time of its ranks,
// if each rank has a core of its own.
#pragma once

namespace tacit::launcher {

// Seconds: the median between two threads that wake each other. Takes less than a second.
double wake_up_time();

}  // namespace tacit::launcher
