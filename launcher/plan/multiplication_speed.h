// The speed of matrix products over Z_2^64: multiply-adds a second.
#pragma once

namespace tacit::launcher {

// The speed of this machine's processor with a number of threads. Measures for some milliseconds.
double multiplication_speed(int threads = 1);

// The assumed speed of a card (GPU), for plans on a machine without one. An NVIDIA H200 did 12.9e12 on matrices of
// 4096 x 4096 (bench/results/h200-2026-11). The lower value here is an estimate for long thin products, which read
// more memory.
inline constexpr double kCardSpeed = 8e12;

}  // namespace tacit::launcher
