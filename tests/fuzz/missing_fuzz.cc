#include "net/rendezvous/hello.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const auto body = [](const std::vector<std::byte>& message) {
    return fuzz_text(message).substr(kMessageHeaderBytes);
  };
  return {body(encode(Missing{})), body(encode(Missing{{1, 2, 7}}))};
}

}  // namespace tacit::net

// Accepted bytes equal the encoding of their decoded value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  const auto body = fuzz_bytes(data, size);
  try {
    const auto again = encode(parse_missing(body, 8));
    fuzz_require(fuzz_text(again).substr(kMessageHeaderBytes) == fuzz_text(body));
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
