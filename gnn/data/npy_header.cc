#include "gnn/data/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "net/decimal.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::gnn {

namespace {

constexpr std::array<std::string_view, 6> kDescr = {"b1", "u1", "i4", "i8", "f4", "f8"};  // in NpyType's order
constexpr std::array<std::string_view, 6> kNames = {"bool", "uint8", "int32", "int64", "float32", "float64"};
constexpr std::size_t kMostDimensions = 3;

// Parses the dict from front to back.
class DictParser {
 public:
  DictParser(std::string_view dict, const Place& place) : dict_(dict), place_(place) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_descr = false, has_order = false, has_shape = false;
    const auto first = [&](bool& seen, std::string_view key) {
      if (seen) wrong(fmt::format("'{}' is there twice", key));
      seen = true;
    };
    expect('{');
    while (!take('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        first(has_descr, key);
        take_descr(header);
      } else if (key == "fortran_order") {
        first(has_order, key);
        header.fortran_order = boolean();
      } else if (key == "shape") {
        first(has_shape, key);
        header.shape = tuple();
      } else {
        wrong(fmt::format("'{}' is no key of it", net::printable(key, 40)));
      }
      if (!take(',') && !at('}')) wrong("expected , or }");
    }
    if (at_ != dict_.size()) wrong("expected its end");
    if (!has_descr || !has_order || !has_shape) wrong("it lacks a key");
    return header;
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    place_.wrong(
        fmt::format("its header, character {}: {}; expected {{'descr': ..., 'fortran_order': ..., 'shape': ...}}, as "
                    "numpy.save writes it",
                    at_, what));
  }

  void skip_blanks() {
    while (at_ < dict_.size() && (dict_[at_] == ' ' || dict_[at_] == '\n' || dict_[at_] == '\t')) ++at_;
  }

  bool at(char c) const { return at_ < dict_.size() && dict_[at_] == c; }

  bool take(char c) {
    skip_blanks();
    if (!at(c)) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  void expect(char c) {
    if (!take(c)) wrong(fmt::format("expected {}", c));
  }

  bool take(std::string_view word) {
    if (!dict_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    skip_blanks();
    return true;
  }

  std::string_view string() {
    if (!at('\'') && !at('"')) wrong("expected a string");
    const std::size_t begin = at_ + 1;
    const std::size_t end = dict_.find(dict_[at_], begin);
    const std::string_view content = dict_.substr(begin, end == std::string_view::npos ? end : end - begin);
    if (end == std::string_view::npos || content.find_first_of("\\\n") != std::string_view::npos) {
      wrong("expected a plain string");
    }
    at_ = end + 1;
    skip_blanks();
    return content;
  }

  bool boolean() {
    if (take("True")) return true;
    if (!take("False")) wrong("expected True or False");
    return false;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      std::int64_t extent = 0;
      const auto [end, error] = std::from_chars(dict_.data() + at_, dict_.data() + dict_.size(), extent);
      const bool too_large = error == std::errc::result_out_of_range || extent > kMostElements;
      if (!too_large && (error != std::errc() || extent < 0)) wrong("expected a number of elements");
      if (too_large) wrong(fmt::format("more than {} elements along a dimension", kMostElements));
      if (shape.size() == kMostDimensions) wrong(fmt::format("more than {} dimensions; reshape it", kMostDimensions));
      shape.push_back(extent);
      at_ = static_cast<std::size_t>(end - dict_.data());
      take('L');  // suffix of Python 2's long integers
      if (!take(',') && (!at(')') || shape.size() == 1)) wrong("expected ,");
    }
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
      if (extent != 0 && elements > kMostElements / extent) {
        wrong(fmt::format("{} elements; at most {} are read", fmt::join(shape, " x "), kMostElements));
      }
      elements *= extent;
    }
    return shape;
  }

  void take_descr(NpyHeader& header) {
    if (at('[')) place_.wrong("it is a structured array; expected one of plain numbers: save each field by itself");
    const std::string_view descr = string();
    const std::string_view kind = descr.substr(std::min<std::size_t>(1, descr.size()));
    if (kind.starts_with('O')) {
      place_.wrong(
          "it holds Python objects; object arrays are refused, as reading them can run any program: save it "
          "with a dtype of numbers");
    }
    const auto found = std::find(kDescr.begin(), kDescr.end(), kind);
    const char order = descr.empty() ? ' ' : descr.front();
    const bool has_order = order == '<' || order == '>' || (order == '|' && kind.ends_with('1'));
    if (take_text(descr, header)) return;
    if (found == kDescr.end() || !has_order) refuse_dtype(descr, place_);
    header.type = static_cast<NpyType>(found - kDescr.begin());
    header.big_endian = order == '>' && bytes_of(header.type) > 1;
  }

  // Parses a text type: "<U12", "|S12".
  bool take_text(std::string_view descr, NpyHeader& header) const {
    if (descr.size() < 3 || (descr[1] != 'U' && descr[1] != 'S')) return false;
    const auto width = net::parse_decimal(descr.substr(2), 0, kMostTextWidth);
    if (!width) place_.wrong(fmt::format("its text has other than 0 ... {} characters", kMostTextWidth));
    header.text = descr[1];
    header.text_width = *width;
    header.big_endian = descr[0] == '>' && header.text == 'U';
    return true;
  }

  std::string_view dict_;
  const Place& place_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view name(NpyType type) { return kNames[static_cast<std::size_t>(type)]; }

std::int64_t bytes_of(NpyType type) { return kDescr[static_cast<std::size_t>(type)][1] - '0'; }

std::int64_t elements_of(const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  return elements;
}

NpyHeader parse_npy_header(std::string_view dict, const Place& place) { return DictParser(dict, place).parse(); }

void refuse_dtype(std::string_view descr, const Place& place) {
  place.wrong(fmt::format("its dtype is '{}'; expected one of {}: convert it with .astype", net::printable(descr, 40),
                          fmt::join(kNames, ", ")));
}

namespace {

std::string preamble_of(const std::string& descr, const std::vector<std::int64_t>& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t kBefore = 10, kAlignment = 64;  // bytes of magic, version and length
  const std::size_t unpadded = kBefore + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ').append("\n");
  TACIT_CHECK(dict.size() <= 0xffff);
  std::string preamble(kNpyMagic);
  preamble.append({'\1', '\0', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)});
  return preamble + dict;
}

}  // namespace

std::string npy_preamble(NpyType type, const std::vector<std::int64_t>& shape) {
  const std::string_view descr = kDescr[static_cast<std::size_t>(type)];
  return preamble_of(fmt::format("{}{}", bytes_of(type) == 1 ? '|' : '<', descr), shape);
}

std::string npy_text_preamble(std::int64_t width, const std::vector<std::int64_t>& shape) {
  return preamble_of(fmt::format("<U{}", width), shape);
}

}  // namespace tacit::gnn
