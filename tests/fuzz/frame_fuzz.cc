#include "net/tcp/frame.h"

#include <algorithm>

#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  FrameHeader small;
  small.length = small.size = 100;
  FrameHeader last;
  last.stream = 7;
  last.number = 3;
  last.offset = kFrameBytes;
  last.length = 1;
  last.size = kFrameBytes + 1;
  FrameHeader heartbeat;
  heartbeat.kind = FrameKind::kHeartbeat;
  return {fuzz_text(encode(small)), fuzz_text(encode(last)), fuzz_text(encode(heartbeat))};
}

}  // namespace tacit::net

// Accepted bytes equal the encoding of their decoded value.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  FrameHeaderBytes bytes{};
  if (size != bytes.size()) return 0;
  std::ranges::copy(fuzz_bytes(data, size), bytes.begin());
  try {
    fuzz_require(encode(parse_frame_header(bytes)) == bytes);
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
