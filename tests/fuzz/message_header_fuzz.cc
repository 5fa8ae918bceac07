#include "net/rendezvous/hello.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const auto header = [](const std::vector<std::byte>& message) {
    return fuzz_text(message).substr(0, kMessageHeaderBytes);
  };
  return {header(encode(MessageKind::kGo)), header(encode(LinkHello{})), header(encode(Missing{{1}}))};
}

}  // namespace tacit::net

// No length is accepted for which an allocation would be wrong.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  const auto bytes = fuzz_bytes(data, size);
  try {
    const MessageHeader header = parse_message_header(bytes);
    if (header.version == kRendezvousVersion) fuzz_require(header.length <= 512 * 1024);
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
