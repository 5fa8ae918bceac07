#include "launcher/model/safetensors.h"

#include <algorithm>
#include <bit>
#include <span>

#include "gnn/data/atomic_file.h"
#include "launcher/json.h"
#include "net/error.h"

namespace tacit::launcher {

namespace {

static_assert(std::endian::native == std::endian::little, "the file has the bytes of values in memory");

constexpr std::size_t kAlignment = 8;  // the first array begins at a multiple, in bytes

std::span<const std::byte> bytes_of_values(const gnn::NpyArray& array) {
  return std::visit([](const auto& values) { return std::as_bytes(std::span(values)); }, array.values);
}

const char* dtype_of(const gnn::NpyArray& array) {
  TACIT_CHECK(array.is_float());
  return array.type() == gnn::NpyType::kFloat32 ? "F32" : "F64";
}

// The wider type comes first, so that every array is aligned.
std::vector<const gnn::NamedArray*> in_order(const DescribedModel& model) {
  std::vector<const gnn::NamedArray*> order;
  for (const gnn::NamedArray& one : model.arrays) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->array.type() > b->array.type(); });
  return order;
}

std::string header_of(const std::vector<const gnn::NamedArray*>& arrays, const std::string& description) {
  Json header = {{"__metadata__", {{"format", "pt"}, {"tacit", description}}}};
  std::size_t at = 0;
  for (const gnn::NamedArray* one : arrays) {
    const std::size_t end = at + bytes_of_values(one->array).size();
    header[one->key] = {{"dtype", dtype_of(one->array)}, {"shape", one->array.shape}, {"data_offsets", {at, end}}};
    at = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + kAlignment - 1) / kAlignment * kAlignment, ' ');
  return text;
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, const DescribedModel& model) {
  const std::vector<const gnn::NamedArray*> arrays = in_order(model);
  const std::string header = header_of(arrays, text_of(model.description));
  const std::uint64_t length = header.size();
  gnn::AtomicFile file(path);
  file.write(std::as_bytes(std::span(&length, 1)));
  file.write(std::as_bytes(std::span(header)));
  for (const gnn::NamedArray* one : arrays) file.write(bytes_of_values(one->array));
  file.commit();
}

}  // namespace tacit::launcher
