// Ids, the names of nodes: validation, normalisation, and the digest of a list of ids.
//
// Two ids are the same if their normalised forms are the same bytes. The rules, in order:
//   - an id is 1 to 256 bytes of UTF-8, without control characters;
//   - spaces, tabs, U+00A0 and U+3000 at both ends are removed, and several in a row inside become one
//     space;
//   - A to Z become a to z; other letters keep their case;
//   - characters that Unicode can also write as a letter and a mark are refused in that second form:
//     a combining mark (U+0300 ... U+036F) or a Hangul jamo (U+1100 ... U+11FF) is an error, so that
//     no two ids differ invisibly.
// The rules need no Unicode tables, because the version of a table would decide which ids are the
// same.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mpc/sealed/storage_key.h"

namespace tacit::gnn {

inline constexpr std::size_t kMostIdBytes = 256;

// True if the id follows the rules.
bool is_id(std::string_view id);
// Requires is_id(id).
std::string normalised_id(std::string_view id);
std::vector<std::string> normalised_ids(std::span<const std::string> ids);

// Throws ConfigError unless every id follows the rules and all ids differ. The message begins with
// `where`, a file's name, and names rows. Ids appear in the local detail alone.
void check_ids(std::span<const std::string> ids, std::string_view where);

// A digest of the normalised ids in their order. Keep it in this process: a reader of the digest
// can test guesses of the whole list. mpc/sets/equality.h compares two digests without showing
// them.
mpc::Digest digest_of_ids(std::span<const std::string> ids);

}  // namespace tacit::gnn
