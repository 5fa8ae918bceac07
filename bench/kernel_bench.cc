// How many G multiply-adds a second the matrix product does, ring by ring and shape by shape, next to Eigen's product
// of words and OpenBLAS' of doubles.
//
// In every repetition each of them takes its turn, so that a machine whose speed drifts drifts for all of them alike.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <random>

#include "bench/bench_report.h"
#include "bench/other_products.h"
#include "mpc/kernels/matmul.h"

namespace tacit::bench {
namespace {

using namespace mpc;

struct Settings {
  int repeats = 7;
  int threads = 1;
  double seconds_per_sample = 0.03;
  std::vector<int> rings = {64, 52, 38};
  std::vector<std::string> instructions;
  std::string json;
};

struct Product {
  std::string name;
  ProductSizes sizes;
  bool a_transposed = false;
};

// What a party of a graph network multiplies, Cora's sizes above all.
const std::vector<Product> kProducts = {
    {"512x512 * 512x512", {512, 512, 512}},
    {"2708x1433 * 1433x16", {2708, 1433, 16}},
    {"300x300 * 300x16", {300, 300, 16}},
    {"2708x16 * 16x7", {2708, 16, 7}},
    {"T(2708x1433) * 2708x16", {1433, 2708, 16}, true},
    {"16x2708 * 2708x1433", {16, 2708, 1433}},
    {"T(2708x16) * 2708x7", {16, 2708, 7}, true},
    {"2708x1433 * 1433x1", {2708, 1433, 1}},
    {"300x300 * 300x1", {300, 300, 1}},
    {"T(300x300) * 300x1", {300, 300, 1}, true},
    {"300x1 * 1x300", {300, 1, 300}},
};

struct Contender {
  Samples* samples;
  std::function<void()> run;
};

double seconds_of(const std::function<void()>& run, std::int64_t calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < calls; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(const Settings& settings, double multiplications, const std::vector<Contender>& contenders) {
  for (int repeat = -1; repeat < settings.repeats; ++repeat) {  // the first one warms caches
    for (const Contender& contender : contenders) {
      const double once = seconds_of(contender.run, 1);
      const auto calls = 1 + static_cast<std::int64_t>(settings.seconds_per_sample / once);
      const double took = seconds_of(contender.run, calls);
      if (repeat >= 0) contender.samples->add(1e-9 * multiplications * static_cast<double>(calls) / took);
    }
  }
}

RingTensor random_tensor(Shape shape, int bits) {
  std::mt19937_64 random(1);
  RingTensor tensor(shape, bits);
  for (std::uint64_t& word : tensor.words()) word = random() & low_bits(bits);
  return tensor;
}

std::vector<double> doubles(const RingTensor& tensor) {
  std::vector<double> values;
  for (const std::uint64_t word : tensor.words()) values.push_back(static_cast<double>(word % 1000));
  return values;
}

std::vector<Instructions> chosen(const Settings& settings) {
  if (settings.instructions.empty()) return {best_instructions()};
  std::vector<Instructions> all;
  for (const std::string& each : settings.instructions) all.push_back(best_instructions(each.c_str()));
  return all;
}

void measure(const Settings& settings, const Product& product, Workers& workers, BenchReport& report) {
  const auto [rows, depth, cols] = product.sizes;
  const Shape a_shape = product.a_transposed ? Shape{depth, rows} : Shape{rows, depth};
  const RingTensor a = random_tensor(a_shape, kWordBits), b = random_tensor({depth, cols}, kWordBits);
  const RingView a_view = product.a_transposed ? a.view().transposed() : a.view();
  const std::vector<double> a_doubles = doubles(a), b_doubles = doubles(b);
  std::vector<double> out_doubles(static_cast<std::size_t>(rows * cols));
  std::vector<RingTensor> outs;
  for (const int bits : settings.rings) outs.push_back(RingTensor::zeros({rows, cols}, bits));
  RingTensor eigen_out = RingTensor::zeros({rows, cols}, kWordBits);

  Row& row = report.add({{"product", product.name}});
  std::vector<std::string> names;
  for (const Instructions instructions : chosen(settings)) {
    for (const int bits : settings.rings) names.push_back(fmt::format("{}, k = {}", name(instructions), bits));
  }
  names.insert(names.end(), {"Eigen, words", "OpenBLAS, doubles"});
  for (const std::string& each : names) row.figure(each, "G/s");  // before any is pointed to

  std::vector<Contender> contenders;
  for (const Instructions instructions : chosen(settings)) {
    for (std::size_t i = 0; i < settings.rings.size(); ++i) {
      contenders.push_back({&row.figure(names[contenders.size()], "G/s"), [&, instructions, i] {
                              matmul(a_view, b.view(), Into::kSet, outs[i], workers, instructions);
                            }});
    }
  }
  contenders.push_back({&row.figure("Eigen, words", "G/s"), [&] {
                          eigen_product(product.sizes, product.a_transposed, a.data(), b.data(), eigen_out.data());
                        }});
  if (have_blas()) {
    contenders.push_back({&row.figure("OpenBLAS, doubles", "G/s"), [&] {
                            blas_product(product.sizes, product.a_transposed, a_doubles.data(), b_doubles.data(),
                                         out_doubles.data());
                          }});
  }
  measure(settings, static_cast<double>(rows * depth * cols), contenders);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("The throughput of the matrix product over Z_2^k");
  app.add_option("--repeats", settings.repeats, "repetitions that count")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--threads", settings.threads, "threads of ours; the others take one")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_option("--rings", settings.rings, "bits of the rings")->check(CLI::Range(1, 64))->capture_default_str();
  app.add_option("--instructions", settings.instructions, "of these kinds instead of the best")
      ->check(CLI::IsMember({"portable", "avx2", "avx512", "ifma", "amx"}));
  app.add_option("--seconds-per-sample", settings.seconds_per_sample, "products in a row fill so much")
      ->capture_default_str();
  app.add_option("--json", settings.json, "write the figures to this file (-: standard output)");
  CLI11_PARSE(app, argc, argv);
  BenchReport report("kernel", argc, argv);
  Workers workers(settings.threads);
  for (const Product& product : kProducts) measure(settings, product, workers, report);
  report.finish(settings.json);
  return 0;
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  try {
    return tacit::bench::run(argc, argv);
  } catch (const std::exception& error) {
    return tacit::report_and_exit_code(error, "kernel_bench");
  }
}
