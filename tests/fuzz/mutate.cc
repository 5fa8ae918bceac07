// Runs a fuzz target over its seeds and over a fixed set of mutations, for a second or two, so that
// every test run covers the targets. `--write-seeds FOLDER` prepares a corpus for libFuzzer.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/fuzz/fuzz.h"

namespace {

using Random = std::mt19937_64;

constexpr int kMutations = 20'000;
constexpr std::chrono::milliseconds kMostTime{1500};  // for slow targets and slow builds
constexpr std::size_t kMostBytes = 64 * 1024;

std::size_t any(Random& random, std::size_t below) {
  return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
}

std::string mutated(std::string input, const std::vector<std::string>& seeds, Random& random) {
  constexpr std::string_view kTellingBytes("\x00\x01\x7f\x80\xff\n\r :.[]%#-0", 17);
  const std::size_t changes = 1 + any(random, 4);
  for (std::size_t change = 0; change < changes; ++change) {
    const std::size_t at = any(random, input.size() + 1);
    const char telling = kTellingBytes[any(random, kTellingBytes.size())];
    switch (any(random, 6)) {
      case 0:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << any(random, 8)));
        break;
      case 1:
        if (at < input.size()) input[at] = telling;
        break;
      case 2:
        input.insert(at, 1, telling);
        break;
      case 3:
        input.erase(at, 1 + any(random, 8));
        break;
      case 4:
        input.insert(at, input.substr(any(random, input.size() + 1), any(random, 64)));
        break;
      default: {
        const std::string& other = seeds[any(random, seeds.size())];
        input = input.substr(0, at) + other.substr(any(random, other.size() + 1));
      }
    }
  }
  return input.substr(0, kMostBytes);
}

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& seed : tacit::net::fuzz_seeds()) {
    std::ofstream(folder / std::to_string(number++), std::ios::binary) << seed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--write-seeds") {
    write_seeds(argv[2]);
    return 0;
  }
  const std::vector<std::string> seeds = tacit::net::fuzz_seeds();
  for (const std::string& seed : seeds) run(seed);
  run("");
  Random random(20240607);
  std::vector<std::string> pool = seeds;  // mutants of mutants go further
  const auto end = std::chrono::steady_clock::now() + kMostTime;
  int done = 0;
  for (; done < kMutations && std::chrono::steady_clock::now() < end; ++done) {
    const std::string input = mutated(pool[any(random, pool.size())], seeds, random);
    run(input);
    if (pool.size() < 1000) pool.push_back(input);
  }
  std::printf("%zu seeds, %d mutations\n", seeds.size(), done);
  return 0;
}
