// Reads one .npy file, a member of an archive, and verifies its end and checksum.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/npy_array.h"
#include "gnn/data/zip_member_reader.h"

namespace tacit::gnn {

// Bytes before the values: the magic, the version, the length of the header and the header.
// NumPy's own files have 128.
constexpr std::int64_t kMostNpyHeader = 64 * 1024;
constexpr std::int64_t kMostNpyPreamble = 12 + kMostNpyHeader;

// Accepts both byte orders, and both orders of rows and columns. Throws ConfigError. Memory for the
// values is allocated after their number was compared with its limit and with the size of the
// member.
NpyArray read_npy(ZipMemberReader& member, const Place& place);

// Reads a vector of text as UTF-8, from elements of type U (UTF-32) or S, or from whole numbers as
// decimal digits. NumPy pads all elements to one width with zeros, which are removed.
std::vector<std::string> read_npy_text(ZipMemberReader& member, const Place& place);

// True for an array of text. Reads the header alone.
bool is_npy_text(ZipMemberReader& member, const Place& place);

}  // namespace tacit::gnn
