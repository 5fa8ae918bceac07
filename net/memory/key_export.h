// derive_key derives many keys from one shared secret, by label and size. Links without TLS use it
// in place of the TLS exporter.
#pragma once

#include <string_view>

#include "net/secret.h"

namespace tacit::net {

// Random bytes from the operating system's generator.
Secret random_secret(std::int64_t size);

// HKDF-Expand with SHA-256 (RFC 5869) over `label` and `size`. At most 8160 bytes.
Secret derive_key(const Secret& secret, std::string_view label, std::int64_t size);

}  // namespace tacit::net
