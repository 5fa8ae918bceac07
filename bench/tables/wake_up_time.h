// The time until a thread that waits for a message runs again. If each rank has a core of its own, a round costs this
// time and the CPU time of its ranks.
#pragma once

namespace tacit::launcher {

// Seconds: the median between two threads that wake each other. Takes less than a second.
double wake_up_time();

}  // namespace tacit::launcher
