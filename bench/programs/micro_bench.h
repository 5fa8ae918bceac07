// micro_bench — Google Benchmark as the programs here use it: in turns, and with machine and commit in what they write.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "mpc/ring/ring_tensor.h"

namespace tacit::bench {

// Runs what was registered, as Google Benchmark's flags say; --json FILE writes a file as its --benchmark_out does.
// Unless they say otherwise each runs for 0.03 s, seven times, all of them in random turns: a machine whose speed
// drifts drifts for all alike.
int run_micro_benchmarks(int argc, char** argv);

// `amount` of it in every iteration, told as a rate.
void tell_rate(benchmark::State& state, const char* name, std::int64_t amount);

mpc::RingTensor random_tensor(mpc::Shape shape, int bits);  // always the same

}  // namespace tacit::bench
