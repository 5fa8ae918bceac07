#include "net/error.h"
#include "net/tcp/identity.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const std::string digits = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF";
  return {digits, Fingerprint::parse(digits).grouped(), digits.substr(1)};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  try {
    const Fingerprint fingerprint = Fingerprint::parse(fuzz_text(fuzz_bytes(data, size)));
    fuzz_require(Fingerprint::parse(fingerprint.text()) == fingerprint);
    fuzz_require(Fingerprint::parse(fingerprint.grouped()) == fingerprint);
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
