#include "net/sha256.h"

#include <gtest/gtest.h>

namespace tacit::net {
namespace {

// Of FIPS 180-2, appendix B, and of the empty text.
TEST(Sha256, IsInBase64WithPadding) {
  EXPECT_EQ(sha256_base64("abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(sha256_base64(""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

}  // namespace
}  // namespace tacit::net
