// The speed of this machine's matrix product over Z_2^64 on a number of threads: multiply-adds a second.
#pragma once

namespace tacit::launcher {

double multiplication_speed(int threads = 1);  // measured: takes some milliseconds

}  // namespace tacit::launcher
