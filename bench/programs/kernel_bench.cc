// The speed of the matrix product in multiply-adds a second, for each ring and shape, beside
// Eigen's product of words and OpenBLAS' product of doubles.
#include <fmt/format.h>

#include <map>
#include <thread>

#include "bench/programs/micro_bench.h"
#include "bench/programs/other_products.h"
#include "mpc/kernels/matmul.h"

namespace tacit::bench {
namespace {

using namespace mpc;

struct Product {
  std::string name;
  ProductSizes sizes;
  bool a_transposed = false;
};

// Products of a party in a graph network, mainly of Cora's sizes.
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

struct Operands {
  RingTensor a, b;
  std::vector<double> a_doubles, b_doubles;
};

std::vector<double> doubles(const RingTensor& tensor) {
  std::vector<double> values;
  for (const std::uint64_t word : tensor.words()) values.push_back(static_cast<double>(word % 1000));
  return values;
}

// Operands are made at their first use, and are shared by all products.
const Operands& operands_of(const Product& product) {
  static std::map<std::string, Operands> made;
  const auto found = made.find(product.name);
  if (found != made.end()) return found->second;
  const auto [rows, depth, cols] = product.sizes;
  RingTensor a = random_tensor(product.a_transposed ? Shape{depth, rows} : Shape{rows, depth}, kWordBits);
  RingTensor b = random_tensor({depth, cols}, kWordBits);
  std::vector<double> a_doubles = doubles(a), b_doubles = doubles(b);
  return made.emplace(product.name, Operands{std::move(a), std::move(b), std::move(a_doubles), std::move(b_doubles)})
      .first->second;
}

// `multiply` takes both operands.
template <typename Multiply>
void add(const Product& product, const std::string& by, const Multiply& multiply) {
  benchmark::RegisterBenchmark(fmt::format("{}/{}", product.name, by).c_str(), [&product,
                                                                                multiply](benchmark::State& state) {
    const Operands& operands = operands_of(product);
    auto run = multiply(operands);
    for (auto _ : state) {
      run();
      benchmark::ClobberMemory();
    }
    const auto [rows, depth, cols] = product.sizes;
    tell_rate(state, "multiply-adds", rows * depth * cols);
  })->UseRealTime();
}

void add_ours(const Product& product, Instructions instructions, int bits, int threads) {
  add(product, fmt::format("{}, k = {}, {} thread{}", name(instructions), bits, threads, threads == 1 ? "" : "s"),
      [&product, instructions, bits, threads](const Operands& operands) {
        const RingView a = product.a_transposed ? operands.a.view().transposed() : operands.a.view();
        return [&operands, a, instructions, workers = std::make_shared<Workers>(threads),
                out = RingTensor::zeros({product.sizes.rows, product.sizes.cols}, bits)]() mutable {
          matmul(a, operands.b.view(), Into::kSet, out, *workers, instructions);
        };
      });
}

void add_others(const Product& product) {
  const auto size = static_cast<std::size_t>(product.sizes.rows * product.sizes.cols);
  add(product, "Eigen, words, 1 thread", [&product, size](const Operands& operands) {
    return [&product, &operands, out = std::vector<std::uint64_t>(size)]() mutable {
      eigen_product(product.sizes, product.a_transposed, operands.a.data(), operands.b.data(), out.data());
    };
  });
  if (!have_blas()) return;
  add(product, "OpenBLAS, doubles, 1 thread", [&product, size](const Operands& operands) {
    return [&product, &operands, out = std::vector<double>(size)]() mutable {
      blas_product(product.sizes, product.a_transposed, operands.a_doubles.data(), operands.b_doubles.data(),
                   out.data());
    };
  });
}

void add_all() {
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  for (const Product& product : kProducts) {
    for (const int bits : {64, 52, 38}) {
      for (const Instructions instructions : available_instructions()) add_ours(product, instructions, bits, 1);
      if (cores > 1) add_ours(product, best_instructions(), bits, cores);
    }
    add_others(product);
  }
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  tacit::bench::add_all();
  return tacit::bench::run_micro_benchmarks(argc, argv);
}
