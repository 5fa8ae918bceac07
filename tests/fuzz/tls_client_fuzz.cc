// Any answer of a stranger without a key to a rank that calls.
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tls_input.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {first_flight_of_server(), "HTTP/1.1 400 Bad Request\r\n\r\n", std::string("\x15\x03\x03\x00\x02\x02\x28", 7)};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tacit::net::fuzz_require(!tacit::net::client_completes_on(data, size));
  return 0;
}
