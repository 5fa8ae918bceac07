// The header of a .npy file (numpy.lib.format): magic, version, and a dict that gives type, order and shape.
//
// The dict is Python source. NumPy evaluates it; we take exactly the three keys it may have, written as NumPy writes
// them, and nothing else.
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
  bool fortran_order = false;  // column after column
  std::vector<std::int64_t> shape;
  char text = 0;                // 'U': characters of 4 bytes each, 'S': of 1; `type` means nothing then
  std::int64_t text_width = 0;  // characters of an element
};

constexpr std::int64_t kMostTextWidth = 1024;

// From the dict. Throws ConfigError, also for other types, more than 2 dimensions and more than kMostElements.
NpyHeader parse_npy_header(std::string_view dict, const Place& place);

// Everything before the values, of version 1.0 and as long as a multiple of 64.
std::string npy_preamble(NpyType type, const std::vector<std::int64_t>& shape);
std::string npy_text_preamble(std::int64_t width, const std::vector<std::int64_t>& shape);  // for elements of type U

// "its dtype is '<U5'; expected one of ...".
[[noreturn]] void refuse_dtype(std::string_view descr, const Place& place);

}  // namespace tacit::gnn
