#include "net/rendezvous/hello.h"

#include "net/error.h"
#include "net/printable.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const auto body = [](const std::vector<std::byte>& message) {
    return fuzz_text(message).substr(kMessageHeaderBytes);
  };
  return {body(encode(tacit::net::Failure{Exit::kConfig, -1, "rank 2 has no \"job\""})),
          body(encode(tacit::net::Failure{Exit::kNet, 2, "gone\x1b[2J"}))};
}

}  // namespace tacit::net

// The result is safe for a terminal and within its limit. Encoding and decoding it again changes
// nothing unless it was cut.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  const auto body = fuzz_bytes(data, size);
  try {
    const Failure failure = parse_failure(body);
    fuzz_require(std::ssize(failure.text) <= kMaxFailureText);
    fuzz_require(printable(failure.text, kMaxFailureText) == failure.text);
    const auto again = encode(failure);
    fuzz_require(parse_failure(std::span(again).subspan(kMessageHeaderBytes)) == failure);
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
