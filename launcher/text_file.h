// read_text_file — reads a small text file that the user names.
//
// Follows links, since the name is the user's own. Refuses a FIFO or a device, so opening never
// waits, and compares the size with the limit before it allocates. For a file that another machine
// or user may have written: UntrustedFile, which follows no link.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tacit::launcher {

// Without a byte order mark at its beginning. Throws ConfigError. `what` names the expected kind of file ("a job") in the error for a file of
// more than `most` bytes.
std::string read_text_file(const std::filesystem::path& path, std::int64_t most, std::string_view what);

}  // namespace tacit::launcher
