#include "gnn/data/npz.h"

#include "gnn/data/graph_npz.h"
#include "gnn/data/zip_format.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  using namespace tacit::gnn;
  const std::vector<NamedArray> arrays = {{"x", {{3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}}},
                                          {"edge_index", {{2, 2}, std::vector<std::int64_t>{0, 1, 1, 2}}},
                                          {"y", {{3}, std::vector<std::int32_t>{0, 1, 2}}},
                                          {"train_mask", {{3}, std::vector<NpyBool>(3)}},
                                          {"num_nodes", {{}, std::vector<std::uint8_t>{3}}}};
  std::vector<std::string> seeds;
  for (const Zip64 zip64 : {Zip64::kWhereNeeded, Zip64::kAlways}) {
    for (const Compression compression : {Compression::kStored, Compression::kDeflated}) {
      std::string& text = seeds.emplace_back();
      ZipWriter archive([&](std::span<const std::byte> bytes) { text += zip::text(bytes, 0, std::ssize(bytes)); },
                        zip64);
      write_npz(archive, arrays, compression);
    }
  }
  return seeds;
}

}  // namespace tacit::net

// Any bytes as an archive: the number of bytes limits all declared sizes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::gnn;
  const auto bytes = tacit::net::fuzz_bytes(data, size);
  const auto open = [&] { return std::make_unique<MemorySource>("a.npz", bytes); };
  try {
    const Npz npz(open());
    for (const std::string& key : npz.keys()) {
      try {
        const NpyArray array = npz.read(key);
        tacit::net::fuzz_require(elements_of(array.shape) * bytes_of(array.type()) <=
                                 static_cast<std::int64_t>(size) * zip::kMostExpansion);
      } catch (const tacit::ConfigError&) {
      }
    }
    read_graph_npz(npz);
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
