// Wire traces — all bytes that the ranks of a run send, as a text: one line for each link and step,
// with a digest. A test compares the text with a file, so that a change of the wire is seen, and is
// meant.
//
// A trace is the same in every run, since the test fixes every source of randomness: the keys of
// the links, and libsodium's generator.
#pragma once

#include <filesystem>

#include "tests/mpc/recording_mesh.h"

namespace tacit::mpc {

// Replaces the keys that the links export, and lets libsodium return one constant in this process for as long as the meshes'
// channels live. Later meshes of the process have the system's randomness. Shares are no secret: for tests alone.
net::Meshes with_fixed_randomness(net::Meshes meshes);

std::string wire_trace(const net::Record& record);

// Fails if the text of `expected` is different. Writes the found text into the working folder, under the
// same name, and says so.
void expect_wire_trace(const std::filesystem::path& expected, const std::string& found);

}  // namespace tacit::mpc
