// SHA-256 as a content security policy and subresource integrity write it.
#pragma once

#include <string>
#include <string_view>

namespace tacit::net {

// The hash in base64, with padding.
std::string sha256_base64(std::string_view text);

}  // namespace tacit::net
