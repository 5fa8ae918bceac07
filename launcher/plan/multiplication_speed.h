// How fast this machine multiplies matrices over Z_2^64 on so many threads: multiply-adds a second.
#pragma once

namespace tacit::launcher {

double multiplication_speed(int threads = 1);  // measured: takes some milliseconds

}  // namespace tacit::launcher
