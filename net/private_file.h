// Reads and writes files with keys: mode 0600, owned by this user, never overwritten. The contents
// are wiped from memory.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/secret.h"

namespace tacit::net {

// Refuses a file with permissions beyond 0600, a file that is not regular, and a file of more than
// `most_bytes`. Throws ConfigError with the remedy. `what` names the expected content in messages:
// "private key".
Secret read_private_file(const std::string& path, std::string_view what, std::int64_t most_bytes);

// Writes a file with mode 0600, and returns when the file is on disk. Throws ConfigError, with the
// remedy, if the file exists or cannot be written.
void write_private_file(const std::string& path, std::string_view what, std::span<const std::byte> content);

}  // namespace tacit::net
