#include "net/rendezvous/endpoint.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {"node1:4711", "10.0.0.3:1", "[::1]:65535", "[fe80::1%eth0]:80", "::1:4711", "a:0"};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  try {
    const Endpoint endpoint = Endpoint::parse(fuzz_text(fuzz_bytes(data, size)));
    fuzz_require(Endpoint::parse(endpoint.text()) == endpoint);
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
