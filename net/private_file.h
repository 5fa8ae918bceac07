// Private files — where keys lie: mode 0600, nobody else's, wiped from memory, never overwritten.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/secret.h"

namespace tacit::net {

// `what` the file should hold, for the messages: "private key". Refuses a file that others may read or write (anything
// laxer than 0600), that is not a regular file, or is larger than `most_bytes`. Throws ConfigError with the remedy.
Secret read_private_file(const std::string& path, std::string_view what, std::int64_t most_bytes);

// With mode 0600, on disk when it returns. ConfigError if the file exists, or cannot be written, with the remedy.
void write_private_file(const std::string& path, std::string_view what, std::span<const std::byte> content);

}  // namespace tacit::net
