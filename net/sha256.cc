#include "net/sha256.h"

#include <openssl/evp.h>

#include <array>

#include "net/error.h"

namespace tacit::net {

std::string sha256_base64(std::string_view text) {
  std::array<unsigned char, 32> digest;
  unsigned int size = 0;
  TACIT_CHECK(EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1);
  std::array<unsigned char, 45> base64;  // with a zero at its end
  EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(digest.size()));
  return {base64.begin(), base64.end() - 1};
}

}  // namespace tacit::net
