#include "gnn/data/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "gnn/data/npy_header.h"
#include "gnn/data/zip_format.h"

namespace tacit::gnn {

namespace {

static_assert(std::endian::native == std::endian::little, "values are read as they are in memory");

constexpr std::int64_t kMostHeader = 64 * 1024;  // NumPy's own headers have 118 bytes

void expect_left(const ZipMemberReader& member, std::int64_t bytes, const Place& place) {
  if (member.left() < bytes) place.wrong("it is no .npy, or cut short; expected what numpy.save writes");
}

NpyHeader read_header(ZipMemberReader& member, const Place& place) {
  std::array<std::byte, 8> front;
  expect_left(member, std::ssize(front), place);
  member.read(front);
  if (zip::text(front, 0, std::ssize(kNpyMagic)) != kNpyMagic) {
    place.wrong("it does not begin as a .npy; expected what numpy.save writes");
  }
  const int major = std::to_integer<int>(front[6]), minor = std::to_integer<int>(front[7]);
  if (major < 1 || major > 3 || minor != 0) {
    place.wrong(fmt::format("version {}.{} of the format; expected 1.0, 2.0 or 3.0", major, minor));
  }
  std::array<std::byte, 4> length_bytes{};
  const auto used = std::span(length_bytes).first(major == 1 ? 2 : 4);
  expect_left(member, std::ssize(used), place);
  member.read(used);
  const std::int64_t length = zip::get32(length_bytes, 0);
  if (length > kMostHeader) place.wrong(fmt::format("a header of {} bytes; at most {} are read", length, kMostHeader));
  expect_left(member, length, place);
  std::vector<std::byte> dict(static_cast<std::size_t>(length));
  member.read(dict);
  return parse_npy_header(zip::text(dict, 0, length), place);
}

template <class T>
std::vector<T> row_after_row(const std::vector<T>& columns, std::int64_t rows, std::int64_t cols) {
  std::vector<T> values;
  values.reserve(columns.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t col = 0; col < cols; ++col) values.push_back(columns[static_cast<std::size_t>(col * rows + row)]);
  }
  return values;
}

template <class T>
std::vector<T> read_values(ZipMemberReader& member, const NpyHeader& header) {
  std::vector<T> values(static_cast<std::size_t>(elements_of(header.shape)));
  const auto bytes = std::as_writable_bytes(std::span(values));
  member.read(bytes);
  member.finish();
  if (header.big_endian) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) std::ranges::reverse(bytes.subspan(at, sizeof(T)));
  }
  if (!header.fortran_order || header.shape.size() < 2) return values;
  return row_after_row(values, header.shape[0], header.shape[1]);
}

void check_bools(const std::vector<NpyBool>& values, const Place& place) {
  const auto wrong = std::find_if(values.begin(), values.end(), [](NpyBool value) { return value > NpyBool::kTrue; });
  if (wrong != values.end()) place.wrong(fmt::format("element {} is neither False nor True", wrong - values.begin()));
}

}  // namespace

NpyArray read_npy(ZipMemberReader& member, const Place& place) {
  const NpyHeader header = read_header(member, place);
  const std::int64_t bytes = elements_of(header.shape) * bytes_of(header.type);
  if (member.left() != bytes) {
    place.wrong(fmt::format("{} bytes for values of {} bytes; the file is damaged or cut short", member.left(), bytes));
  }
  switch (header.type) {
    case NpyType::kBool: {
      NpyArray array{header.shape, read_values<NpyBool>(member, header)};
      check_bools(std::get<std::vector<NpyBool>>(array.values), place);
      return array;
    }
    case NpyType::kUint8:
      return {header.shape, read_values<std::uint8_t>(member, header)};
    case NpyType::kInt32:
      return {header.shape, read_values<std::int32_t>(member, header)};
    case NpyType::kInt64:
      return {header.shape, read_values<std::int64_t>(member, header)};
    case NpyType::kFloat32:
      return {header.shape, read_values<float>(member, header)};
    case NpyType::kFloat64:
      break;
  }
  return {header.shape, read_values<double>(member, header)};
}

}  // namespace tacit::gnn
