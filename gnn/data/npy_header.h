// The header of a .npy file (numpy.lib.format): magic, version, and a dict with the type, the order
// and the shape.
//
// The dict is Python source, which NumPy evaluates. This parser accepts exactly the three allowed
// keys, in NumPy's spelling, and nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gnn/data/npy_array.h"
#include "gnn/data/place.h"

namespace tacit::gnn {

constexpr std::string_view kNpyMagic = "\x93NUMPY";

struct NpyHeader {
  NpyType type = NpyType::kFloat64;
  bool big_endian = false;
  bool fortran_order = false;  // column-major
  std::vector<std::int64_t> shape;
  char text = 0;                // 'U': text with 4 bytes a character, 'S': with 1; `type` is then unused
  std::int64_t text_width = 0;  // characters in an element
};

constexpr std::int64_t kMostTextWidth = 1024;

// Parses the dict. Throws ConfigError, also for other types, more than 3 dimensions and more than
// kMostElements.
NpyHeader parse_npy_header(std::string_view dict, const Place& place);

// All bytes before the values, in version 1.0. The length is a multiple of 64.
std::string npy_preamble(NpyType type, const std::vector<std::int64_t>& shape);
std::string npy_text_preamble(std::int64_t width, const std::vector<std::int64_t>& shape);  // for elements of type U

// Throws the error for an unsupported type: "its dtype is '<U5'; expected one of ...".
[[noreturn]] void refuse_dtype(std::string_view descr, const Place& place);

}  // namespace tacit::gnn
