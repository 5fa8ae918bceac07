#include "net/rendezvous/hello.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const auto body = [](const std::vector<std::byte>& message) {
    return fuzz_text(message).substr(kMessageHeaderBytes);
  };
  Hello small;
  small.world = {1, 2, 0};
  small.listening.port = 4711;
  Hello large = small;
  large.world = {3, 3, 1};
  large.listening.host = "node3";
  large.agreement.set("job", "0123456789abcdef");
  large.agreement.set("ring", "64");
  return {body(encode(small)), body(encode(large))};
}

}  // namespace tacit::net

// Accepted bytes equal the encoding of their decoded value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  const auto body = fuzz_bytes(data, size);
  try {
    const auto again = encode(parse_hello(body));
    fuzz_require(fuzz_text(again).substr(kMessageHeaderBytes) == fuzz_text(body));
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
