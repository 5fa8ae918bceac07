// What the kernels that are bound by memory move, in GB of words a second: elementwise ones, bit planes, packing for
// the wire, a sparse matrix times a dense one. In the core's own cache, and out of it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <random>
#include <set>

#include "bench/bench_report.h"
#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/sparse.h"
#include "net/collectives/pack.h"

namespace tacit::bench {
namespace {

using namespace mpc;

struct Settings {
  int repeats = 7;
  int threads = 1;
  double seconds_per_sample = 0.02;
  std::vector<std::int64_t> words = {1 << 14, 1 << 22};
  std::vector<int> rings = {38, 51, 64};
  std::string json;
};

double seconds_of(const std::function<void()>& run, std::int64_t calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < calls; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// `amount`: of what the figure counts, in a call.
void measure(const Settings& settings, double amount, const std::function<void()>& run, Samples& samples) {
  for (int repeat = -1; repeat < settings.repeats; ++repeat) {  // the first one warms caches
    const auto calls = 1 + static_cast<std::int64_t>(settings.seconds_per_sample / seconds_of(run, 1));
    const double took = seconds_of(run, calls);
    if (repeat >= 0) samples.add(1e-9 * amount * static_cast<double>(calls) / took);
  }
}

RingTensor random_tensor(Shape shape, int bits) {
  std::mt19937_64 random(1);
  RingTensor tensor(shape, bits);
  for (std::uint64_t& word : tensor.words()) word = random() & low_bits(bits);
  return tensor;
}

using Kernels = std::vector<std::pair<std::string, std::function<void()>>>;

void measure_words(const Settings& settings, std::int64_t words, int bits, Workers& workers, BenchReport& report) {
  const Shape shape = {1, words};
  const RingTensor a = random_tensor(shape, bits), b = random_tensor(shape, bits);
  RingTensor out = random_tensor(shape, bits), dropped(shape, bits - 13);
  std::vector<BitTensor> planes(static_cast<std::size_t>(bits), BitTensor(shape));
  std::vector<std::byte> packed(static_cast<std::size_t>(net::packed_bytes(words, bits)));
  const net::Words net_out = {out.words(), bits};
  const Kernels kernels = {
      {"add", [&] { add(a, b, out, workers); }},
      {"multiply", [&] { multiply(a, b, out, workers); }},
      {"product",
       [&] {
         product({a, b, a, b, a, true}, out, workers);
       }},
      {"drop_bits", [&] { drop_bits(a, 13, 4096, dropped, workers); }},
      {"bit_planes", [&] { bit_planes(a, 0, planes, workers); }},
      {"widen", [&] { widen(planes[0], out, workers); }},
      {"pack",
       [&] {
         net::pack({a.words(), bits}, packed);
       }},
      {"unpack", [&] { net::unpack(packed, net_out); }},
      {"add_packed", [&] { net::add_packed(packed, net_out); }},
  };
  for (const auto& [name, run] : kernels) {
    Row& row = report.add({{"kernel", name}, {"words", std::to_string(words)}, {"k", std::to_string(bits)}});
    measure(settings, static_cast<double>(words) * sizeof(std::uint64_t), run, row.figure("words", "GB/s"));
  }
}

// As many entries in every row as the nodes of a graph have neighbours, anywhere.
SparseMatrix random_sparse(std::int64_t nodes, std::int64_t per_row) {
  std::mt19937_64 random(1);
  SparseMatrix m;
  m.shape = {nodes, nodes};
  m.row_begin.push_back(0);
  for (std::int64_t row = 0; row < nodes; ++row) {
    std::set<std::int32_t> cols;
    while (std::ssize(cols) < per_row)
      cols.insert(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(nodes)));
    m.cols.insert(m.cols.end(), cols.begin(), cols.end());
    m.row_begin.push_back(m.entries());
  }
  for (std::int64_t e = 0; e < m.entries(); ++e) m.values.push_back(random());
  return m;
}

void measure_sparse(const Settings& settings, Workers& workers, BenchReport& report) {
  struct Size {
    std::int64_t nodes, per_row, cols;
  };
  for (const Size& size : {Size{2708, 5, 16}, Size{2708, 5, 1433}, Size{169'343, 14, 16}, Size{169'343, 14, 128}}) {
    const SparseMatrix m = random_sparse(size.nodes, size.per_row);
    const RingTensor x = random_tensor({size.nodes, size.cols}, kWordBits);
    RingTensor out(x.shape(), kWordBits);
    Row& row = report.add({{"kernel", fmt::format("sparse, {} a row, times dense", size.per_row)},
                           {"words", fmt::format("{} x {}", size.nodes, size.cols)},
                           {"k", "64"}});
    measure(
        settings, static_cast<double>(m.entries() * size.cols), [&] { matmul(m, x, out, workers); },
        row.figure("multiply-adds", "G/s"));
  }
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("The throughput of the kernels that are bound by memory");
  app.add_option("--repeats", settings.repeats, "repetitions that count")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "threads of the kernels; packing has one")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--words", settings.words, "sizes of tensors")->capture_default_str();
  app.add_option("--rings", settings.rings, "bits of the rings")->check(CLI::Range(14, 64))->capture_default_str();
  app.add_option("--seconds-per-sample", settings.seconds_per_sample, "calls in a row fill so much")
      ->capture_default_str();
  app.add_option("--json", settings.json, "write the figures to this file (-: standard output)");
  CLI11_PARSE(app, argc, argv);
  BenchReport report("stream", argc, argv);
  Workers workers(settings.threads);
  for (const std::int64_t words : settings.words) {
    for (const int bits : settings.rings) measure_words(settings, words, bits, workers, report);
  }
  measure_sparse(settings, workers, report);
  report.finish(settings.json);
  return 0;
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  try {
    return tacit::bench::run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "stream_bench");
  }
}
