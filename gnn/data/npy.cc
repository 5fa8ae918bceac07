#include "gnn/data/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "gnn/data/npy_header.h"
#include "gnn/data/zip_format.h"

namespace tacit::gnn {

namespace {

static_assert(std::endian::native == std::endian::little, "a file has values in the byte order of memory");

void expect_left(const ZipMemberReader& member, std::int64_t bytes, const Place& place) {
  if (member.left() < bytes) place.wrong("it is no .npy, or cut short; expected an array by numpy.save");
}

NpyHeader read_header(ZipMemberReader& member, const Place& place) {
  std::array<std::byte, 8> front;
  expect_left(member, std::ssize(front), place);
  member.read(front);
  if (zip::text(front, 0, std::ssize(kNpyMagic)) != kNpyMagic) {
    place.wrong("it does not begin as a .npy; expected an array by numpy.save");
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
  if (length > kMostNpyHeader)
    place.wrong(fmt::format("a header of {} bytes; at most {} are read", length, kMostNpyHeader));
  expect_left(member, length, place);
  std::vector<std::byte> dict(static_cast<std::size_t>(length));
  member.read(dict);
  return parse_npy_header(zip::text(dict, 0, length), place);
}

// From Fortran's order, in which the first index is the fastest, to C's order.
template <class T>
std::vector<T> row_after_row(const std::vector<T>& columns, const std::vector<std::int64_t>& shape) {
  const std::int64_t rows = shape[0], cols = shape[1], depth = shape.size() == 3 ? shape[2] : 1;
  std::vector<T> values;
  values.reserve(columns.size());
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t col = 0; col < cols; ++col) {
      for (std::int64_t k = 0; k < depth; ++k) {
        values.push_back(columns[static_cast<std::size_t>((k * cols + col) * rows + row)]);
      }
    }
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
  return row_after_row(values, header.shape);
}

void check_bools(const std::vector<NpyBool>& values, const Place& place) {
  const auto wrong = std::find_if(values.begin(), values.end(), [](NpyBool value) { return value > NpyBool::kTrue; });
  if (wrong != values.end()) place.wrong(fmt::format("element {} is neither False nor True", wrong - values.begin()));
}

void append_utf8(std::uint32_t c, std::string& text) {
  const auto byte = [&text](std::uint32_t bits) { text.push_back(static_cast<char>(bits)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
  } else {
    if (c < 0x10000) {
      byte(0xe0 | c >> 12);
    } else {
      byte(0xf0 | c >> 18);
      byte(0x80 | (c >> 12 & 0x3f));
    }
    byte(0x80 | (c >> 6 & 0x3f));
  }
  byte(0x80 | (c & 0x3f));
}

// Converts one element of type U to UTF-8.
std::string utf8_of(std::span<const std::byte> element, bool big_endian, const Place& place) {
  std::string text;
  std::size_t characters = element.size() / 4;
  const auto character = [&](std::size_t i) {
    const std::uint32_t c = static_cast<std::uint32_t>(zip::get32(element, static_cast<std::int64_t>(4 * i)));
    return big_endian ? __builtin_bswap32(c) : c;
  };
  while (characters > 0 && character(characters - 1) == 0) --characters;
  for (std::size_t i = 0; i < characters; ++i) {
    const std::uint32_t c = character(i);
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) place.wrong("its text is no Unicode; the file is damaged");
    append_utf8(c, text);
  }
  return text;
}

std::vector<std::string> read_text(ZipMemberReader& member, const NpyHeader& header, const Place& place) {
  const std::int64_t width = header.text_width * (header.text == 'U' ? 4 : 1);
  const std::int64_t count = elements_of(header.shape), bytes = count * width;
  if (member.left() != bytes) {
    place.wrong(fmt::format("{} bytes for text of {} bytes; the file is damaged or cut short", member.left(), bytes));
  }
  std::vector<std::byte> all(static_cast<std::size_t>(bytes));
  member.read(all);
  member.finish();
  std::vector<std::string> texts;
  texts.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto element =
        std::span<const std::byte>(all).subspan(static_cast<std::size_t>(i * width), static_cast<std::size_t>(width));
    if (header.text == 'U') {
      texts.push_back(utf8_of(element, header.big_endian, place));
    } else {
      const std::string_view characters(reinterpret_cast<const char*>(element.data()), element.size());
      texts.emplace_back(characters.substr(0, characters.find_last_not_of('\0') + 1));
    }
  }
  return texts;
}

NpyArray read_numbers(ZipMemberReader& member, const NpyHeader& header, const Place& place) {
  if (header.text != 0) {
    refuse_dtype(fmt::format("{}{}{}",
                             header.text == 'S'  ? '|'
                             : header.big_endian ? '>'
                                                 : '<',
                             header.text, header.text_width),
                 place);
  }
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

}  // namespace

NpyArray read_npy(ZipMemberReader& member, const Place& place) {
  return read_numbers(member, read_header(member, place), place);
}

bool is_npy_text(ZipMemberReader& member, const Place& place) { return read_header(member, place).text != 0; }

std::vector<std::string> read_npy_text(ZipMemberReader& member, const Place& place) {
  const NpyHeader header = read_header(member, place);
  if (header.shape.size() != 1) place.wrong("expected a vector, of shape (nodes,)");
  if (header.text != 0) return read_text(member, header, place);
  const NpyArray numbers = read_numbers(member, header, place);
  if (numbers.is_float() || numbers.type() == NpyType::kBool) {
    place.wrong(fmt::format("it has {} elements; expected text or whole numbers", name(numbers.type())));
  }
  std::vector<std::string> texts;
  for (const std::int64_t number : values_as<std::int64_t>(numbers)) texts.push_back(std::to_string(number));
  return texts;
}

}  // namespace tacit::gnn
