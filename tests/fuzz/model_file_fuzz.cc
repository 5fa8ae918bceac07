#include "gnn/data/zip_format.h"
#include "launcher/model/described_model.h"
#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

using Kind = gnn::LayerSpec::Kind;

// The archive of a model: stored, so that mutations reach the description.
std::vector<std::string> fuzz_seeds() {
  using namespace tacit::launcher;
  ModelDescription model{"0.1.0", "4dd57cf", {}, {}, {}, std::nullopt, 2, {"no", "yes"}, {"a", "b"}};
  model.layers = {
      {.kind = Kind::kMeanAggregation, .inputs = 2, .outputs = 3, .arrays = {"w", "v", "s", "t", "b"}},
      {.kind = Kind::kRelu},
      {.kind = Kind::kGraphConvolution, .inputs = 3, .outputs = 3, .residual = true, .arrays = {"u", "", "", "", ""}},
      {.kind = Kind::kLayerNorm, .epsilon = 0.01},
      {.kind = Kind::kDense, .inputs = 6, .outputs = 2, .jump = true, .arrays = {"x", "", "", "", ""}}};
  model.features.scaling = Scaling::kFolded;
  std::vector<gnn::NamedArray> arrays;
  for (const ExpectedArray& one : arrays_of(model)) {
    const auto count = static_cast<std::size_t>(gnn::elements_of(one.shape));
    arrays.push_back({one.name, {one.shape, std::vector<float>(count, 0.5f)}});
  }
  const std::string text = text_of(model);
  arrays.push_back({"tacit", {{std::ssize(text)}, std::vector<std::uint8_t>(text.begin(), text.end())}});
  std::string archive;
  gnn::ZipWriter writer(
      [&](std::span<const std::byte> bytes) { archive += gnn::zip::text(bytes, 0, std::ssize(bytes)); });
  gnn::write_npz(writer, arrays, gnn::Compression::kStored);
  return {archive, text};
}

}  // namespace tacit::net

// Any bytes as a model's file, and as the description in it. An accepted model has all arrays that it names, and
// reading its written description gives the same description.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::launcher;
  const auto bytes = tacit::net::fuzz_bytes(data, size);
  const tacit::gnn::Place place("model.npz");
  try {
    const tacit::gnn::Npz file(std::make_unique<tacit::gnn::MemorySource>("model.npz", bytes));
    const DescribedModel model = read_described_model(file);
    for (const ExpectedArray& one : arrays_of(model.description)) {
      tacit::net::fuzz_require(model.array(one.name).shape == one.shape);
    }
  } catch (const tacit::ConfigError&) {
  }
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::string again = text_of(read_description(text, place));
    tacit::net::fuzz_require(text_of(read_description(again, place)) == again);
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
