// agree_on_kept_order — parties that align their parts again keep the order of their aligned files, if they can.
//
// A checkpoint is of rows in the order of the aligned files. An intersection finds a new random order every time, so a second
// alignment in that order would end all checkpoints. The parties keep the order of their files if each file has exactly the
// nodes that all parties have now, and all files have them in one order. The first party with a file sends this order to the
// parties without a file. Otherwise a file is replaced only if its party says --force.
//
// Reveals     to every party: which parties have an aligned file and say --force; which files have exactly the common nodes,
//             with a digest of the nodes' order. All parties know these nodes, and nearly always have this order already
// Rounds      1; 2 if some parties have no file
// Sends       34 bytes to each other party; the first party with a file 4 bytes for each common node to each party without one
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "net/mesh.h"

namespace tacit::launcher {

// A party's aligned file before the parties align again.
struct AlignedBefore {
  enum class Has {
    kNothing,
    kOther,
    kCommon
  };  // no file; a file with other nodes, or an unreadable one; the common nodes
  Has has = Has::kNothing;
  std::vector<std::int64_t> order;  // of kCommon: for each node of the file, its place in the common list
  bool force = false;               // the party's user lets the file be replaced
};

// `common`: this party's ids of the common nodes, normalised, in the common list. `ids`: the ids of the aligned file.
AlignedBefore aligned_before(std::span<const std::string> common, std::span<const std::string> ids, bool force);

// Every party of the mesh calls it. Returns the order to write, as places in the common list; nothing: the order of this
// intersection. Throws ConfigError at every party if a file would be replaced and its party does not say --force.
std::optional<std::vector<std::int64_t>> agree_on_kept_order(net::Mesh& mesh, AlignedBefore own, std::int64_t common);

}  // namespace tacit::launcher
