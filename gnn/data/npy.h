// Reading one .npy, a member of an archive, to its checked end.
#pragma once

#include <string>
#include <vector>

#include "gnn/data/npy_array.h"
#include "gnn/data/zip_member_reader.h"

namespace tacit::gnn {

// Either byte order and either order of rows and columns. Throws ConfigError. Memory is allocated for the values when
// their number is below its limit and makes exactly the bytes that the member has, and not before.
NpyArray read_npy(ZipMemberReader& member, const Place& place);

// A vector of text, in UTF-8: from elements of type U (UTF-32) or S, or from whole numbers in decimal digits. NumPy
// fills each element up to one width; an element ends before the zeros at its end.
std::vector<std::string> read_npy_text(ZipMemberReader& member, const Place& place);

}  // namespace tacit::gnn
