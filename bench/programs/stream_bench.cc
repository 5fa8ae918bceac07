// The speed of memory-bound kernels, in words or multiply-adds a second: elementwise kernels, bit
// planes, packing for the wire, a sparse matrix times a dense one. Sizes lie inside the core's own
// cache and outside.
#include <fmt/format.h>

#include <random>
#include <set>

#include "bench/programs/micro_bench.h"
#include "mpc/kernels/bit_slice.h"
#include "mpc/kernels/elementwise.h"
#include "mpc/kernels/sparse.h"
#include "net/collectives/pack.h"

namespace tacit::bench {
namespace {

using namespace mpc;

// All memory that the kernels read and write.
struct Buffers {
  Buffers(std::int64_t words, int bits)
      : shape{1, words},
        a(random_tensor(shape, bits)),
        b(random_tensor(shape, bits)),
        out(random_tensor(shape, bits)),
        dropped(shape, bits - 13),
        planes(BitTensor::several(shape, bits)),
        packed(static_cast<std::size_t>(net::packed_bytes(words, bits))) {}

  net::Words words() { return {out.words(), out.bits()}; }

  Shape shape;
  RingTensor a, b, out, dropped;
  std::vector<BitTensor> planes;
  std::vector<std::byte> packed;
  Workers workers{1};
};

using Kernel = void (*)(Buffers&);

const std::vector<std::pair<const char*, Kernel>> kKernels = {
    {"add", [](Buffers& its) { add(its.a, its.b, its.out, its.workers); }},
    {"multiply", [](Buffers& its) { multiply(its.a, its.b, its.out, its.workers); }},
    {"product",
     [](Buffers& its) {
       product({its.a, its.b, its.a, its.b, its.a, true}, its.out, its.workers);
     }},
    {"drop_bits", [](Buffers& its) { drop_bits(its.a, 13, 4096, its.dropped, its.workers); }},
    {"bit_planes", [](Buffers& its) { bit_planes(its.a, 0, its.planes, its.workers); }},
    {"widen", [](Buffers& its) { widen(its.planes[0], its.out, its.workers); }},
    {"pack",
     [](Buffers& its) {
       net::pack({its.a.words(), its.a.bits()}, its.packed);
     }},
    {"unpack", [](Buffers& its) { net::unpack(its.packed, its.words()); }},
    {"add_packed", [](Buffers& its) { net::add_packed(its.packed, its.words()); }},
};

void add_words(const char* name, Kernel kernel, std::int64_t words, int bits) {
  benchmark::RegisterBenchmark(fmt::format("{}/{} words/k = {}", name, words, bits).c_str(),
                               [kernel, words, bits](benchmark::State& state) {
                                 Buffers buffers(words, bits);
                                 for (auto _ : state) {
                                   kernel(buffers);
                                   benchmark::ClobberMemory();
                                 }
                                 tell_rate(state, "words", words);
                               });
}

// Every row has `per_row` entries at random places, like the neighbours of a node.
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

struct SparseProduct {
  std::int64_t nodes, per_row, cols;
};

void add_sparse(const SparseProduct& size) {
  benchmark::RegisterBenchmark(
      fmt::format("sparse, {} a row, times dense/{} x {}", size.per_row, size.nodes, size.cols).c_str(),
      [size, m = SparseMatrix()](benchmark::State& state) mutable {
        if (m.entries() == 0) m = random_sparse(size.nodes, size.per_row);  // takes longer than to multiply it
        const RingTensor x = random_tensor({size.nodes, size.cols}, kWordBits);
        RingTensor out(x.shape(), kWordBits);
        Workers workers(1);
        for (auto _ : state) {
          matmul(m, x, out, workers);
          benchmark::ClobberMemory();
        }
        tell_rate(state, "multiply-adds", m.entries() * size.cols);
      });
}

void add_all() {
  for (const auto& [name, kernel] : kKernels) {
    for (const std::int64_t words : {1 << 14, 1 << 22}) {
      for (const int bits : {38, 51, 64}) add_words(name, kernel, words, bits);
    }
  }
  for (const SparseProduct& size :
       {SparseProduct{2708, 5, 16}, {2708, 5, 1433}, {169'343, 14, 16}, {169'343, 14, 128}}) {
    add_sparse(size);
  }
}

}  // namespace
}  // namespace tacit::bench

int main(int argc, char** argv) {
  tacit::bench::add_all();
  return tacit::bench::run_micro_benchmarks(argc, argv);
}
