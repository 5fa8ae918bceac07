// read_text_file — the whole of a small text file that the user names.
//
// Links are followed, since the name is the user's own. A FIFO or a device is refused, so opening never waits; the size
// is compared with the limit before anything is allocated. For files that another machine or user may have written:
// UntrustedFile, which follows no link either.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tacit::launcher {

// Throws ConfigError. `what` the file should be is said where it is larger than `most` bytes: "a job".
std::string read_text_file(const std::filesystem::path& path, std::int64_t most, std::string_view what);

}  // namespace tacit::launcher
