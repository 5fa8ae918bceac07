// micro_bench — the programs' use of Google Benchmark: cases run in turns, and the output names
// machine and commit.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "mpc/ring/ring_tensor.h"

namespace tacit::bench {

// Runs the registered cases under Google Benchmark's flags; --json FILE means --benchmark_out. The
// default is seven repetitions of 0.03 s in random order over all cases, so that a drift of the
// machine's speed affects all cases alike.
int run_micro_benchmarks(int argc, char** argv);

// Reports `amount` in every iteration as a rate.
void tell_rate(benchmark::State& state, const char* name, std::int64_t amount);

mpc::RingTensor random_tensor(mpc::Shape shape, int bits);  // always the same

}  // namespace tacit::bench
