#include "bench/programs/micro_bench.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/job/build_commit.h"

namespace tacit::bench {

namespace {

// Later flags win, so the caller's flags come last.
std::vector<std::string> with_defaults(int argc, char** argv) {
  std::vector<std::string> flags = {argv[0],
                                    "--benchmark_min_time=0.03",
                                    "--benchmark_repetitions=7",
                                    "--benchmark_enable_random_interleaving=true",
                                    "--benchmark_display_aggregates_only=true",
                                    "--benchmark_counters_tabular=true"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--json" && i + 1 < argc) {
      flags.push_back(std::string("--benchmark_out=") + argv[++i]);
      flags.emplace_back("--benchmark_out_format=json");
    } else {
      flags.emplace_back(flag);
    }
  }
  return flags;
}

}  // namespace

int run_micro_benchmarks(int argc, char** argv) {
  std::vector<std::string> flags = with_defaults(argc, argv);
  std::vector<char*> words;
  for (std::string& flag : flags) words.push_back(flag.data());
  int count = static_cast<int>(std::ssize(words));
  words.push_back(nullptr);
  benchmark::AddCustomContext("commit", launcher::build_commit());
  benchmark::Initialize(&count, words.data());
  if (benchmark::ReportUnrecognizedArguments(count, words.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

void tell_rate(benchmark::State& state, const char* name, std::int64_t amount) {
  state.counters[name] = benchmark::Counter(static_cast<double>(amount), benchmark::Counter::kIsIterationInvariantRate);
}

mpc::RingTensor random_tensor(mpc::Shape shape, int bits) {
  std::mt19937_64 random(1);
  mpc::RingTensor tensor(shape, bits);
  for (std::uint64_t& word : tensor.words()) word = random() & mpc::low_bits(bits);
  return tensor;
}

}  // namespace tacit::bench
