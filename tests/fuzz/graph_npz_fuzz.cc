#include "gnn/data/graph_npz.h"

#include <algorithm>
#include <array>

#include "gnn/data/npy_header.h"
#include "gnn/data/zip_format.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

// An archive's checksums would stop most mutations early. An input is therefore a list of .npy
// files, which are put into an archive here: for each, the number of its key, its length in two
// bytes, and its bytes.
namespace {

constexpr std::array<std::string_view, 15> kKeys = {"x",          "x_indptr", "x_indices",  "x_data",   "x_shape",
                                                    "edge_index", "y",        "train_mask", "val_mask", "test_mask",
                                                    "num_nodes",  "pos",      "ids",        "graph",    "own_rows"};

std::string input_of(const std::vector<tacit::gnn::NamedArray>& arrays) {
  using namespace tacit::gnn;
  zip::Record input;
  for (const auto& [key, array, text] : arrays) {
    const std::string preamble = npy_preamble(array.type(), array.shape);
    const auto number = std::find(kKeys.begin(), kKeys.end(), key) - kKeys.begin();
    std::visit(
        [&](const auto& values) {
          const auto bytes = std::as_bytes(std::span(values));
          const char first = static_cast<char>(number);
          input.put(std::string_view(&first, 1)).put16(preamble.size() + bytes.size()).put(preamble);
          input.put(zip::text(bytes, 0, std::ssize(bytes)));
        },
        array.values);
  }
  return std::string(zip::text(input.bytes(), 0, std::ssize(input.bytes())));
}

std::string archive_of(std::span<const std::byte> input) {
  using namespace tacit::gnn;
  std::string text;
  ZipWriter archive([&](std::span<const std::byte> bytes) { text += zip::text(bytes, 0, std::ssize(bytes)); });
  while (input.size() >= 3) {
    const std::size_t key = std::to_integer<std::size_t>(input[0]) % kKeys.size();
    const std::size_t length = std::min<std::size_t>(zip::get16(input, 1), input.size() - 3);
    archive.add(std::string(kKeys[key]).append(".npy"), input.subspan(3, length), {}, Compression::kStored);
    input = input.subspan(3 + length);
  }
  archive.finish();
  return text;
}

}  // namespace

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  using Wide = std::vector<std::int64_t>;
  return {input_of({{"num_nodes", {{1}, Wide{5}}},
                    {"own_rows", {{2}, Wide{1, 3}}},
                    {"graph", {{5}, Wide{0, 0, 1, 1, 2}}},
                    {"y", {{1}, Wide{4}}},
                    {"train_mask", {{3}, std::vector<std::uint8_t>{1, 0, 1}}}}),
          input_of({{"x", {{3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}}},
                    {"edge_index", {{2, 2}, Wide{0, 1, 1, 2}}},
                    {"y", {{3}, std::vector<std::int32_t>{0, 1, 2}}},
                    {"train_mask", {{3}, std::vector<gnn::NpyBool>(3)}},
                    {"num_nodes", {{}, std::vector<std::uint8_t>{3}}}}),
          input_of({{"x_indptr", {{3}, Wide{0, 1, 2}}},
                    {"x_indices", {{2}, Wide{1, 0}}},
                    {"x_data", {{2}, std::vector{1.0, 2.0}}},
                    {"x_shape", {{2}, Wide{2, 2}}},
                    {"y", {{2, 1}, std::vector{0.5, 0.25}}},
                    {"pos", {{1}, Wide{0}}}})};
}

}  // namespace tacit::net

// Accepted bytes are a valid graph.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::gnn;
  const std::string archive = archive_of(tacit::net::fuzz_bytes(data, size));
  try {
    const GraphData graph =
        read_graph_npz(Npz(std::make_unique<MemorySource>("a.npz", std::as_bytes(std::span(archive)))));
    check(graph, "what was read");
    tacit::net::fuzz_require(graph.nodes > 0);
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
