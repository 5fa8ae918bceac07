// The speed of matrix products over Z_2^64: multiply-adds a second.
#pragma once

namespace tacit::launcher {

// Of this machine's processor, on a number of threads. Measured: takes some milliseconds.
double multiplication_speed(int threads = 1);

// Of a card (GPU), for plans made where there is none. An NVIDIA H200 was measured to do 12.9e12 on matrices of 4096 x 4096
// (bench/results/h200-2026-11). Long thin products read more memory: less than that is an estimate.
inline constexpr double kCardSpeed = 8e12;

}  // namespace tacit::launcher
