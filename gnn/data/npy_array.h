// NpyArray — a NumPy array of one of six types, with 0 to 3 dimensions, in row-major order.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

namespace tacit::gnn {

enum class NpyBool : std::uint8_t { kFalse = 0, kTrue = 1 };

// The alternatives are in the order of NpyType.
using NpyValues = std::variant<std::vector<NpyBool>, std::vector<std::uint8_t>, std::vector<std::int32_t>,
                               std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

enum class NpyType : std::size_t { kBool, kUint8, kInt32, kInt64, kFloat32, kFloat64 };

constexpr std::int64_t kMostElements = std::int64_t{1} << 30;  // limit for an array and for each of its dimensions

struct NpyArray {
  std::vector<std::int64_t> shape;
  NpyValues values;

  NpyType type() const { return static_cast<NpyType>(values.index()); }
  bool is_float() const { return type() >= NpyType::kFloat32; }
};

std::string_view name(NpyType type);  // "float32"
std::int64_t bytes_of(NpyType type);  // of one element
std::int64_t elements_of(const std::vector<std::int64_t>& shape);

// Converts all values to T, in their order. The caller has checked the type: a float becomes an
// integer unchecked.
template <class T>
std::vector<T> values_as(const NpyArray& array) {
  return std::visit(
      [](const auto& values) {
        std::vector<T> converted;
        converted.reserve(values.size());
        for (const auto value : values) converted.push_back(static_cast<T>(value));
        return converted;
      },
      array.values);
}

}  // namespace tacit::gnn
