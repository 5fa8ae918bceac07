// How fast this machine multiplies matrices over Z_2^64, on one core: multiply-adds a second.
#pragma once

namespace tacit::launcher {

double multiplication_speed();  // measured: takes some milliseconds

}  // namespace tacit::launcher
