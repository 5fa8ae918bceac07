#include "net/rendezvous/roster.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  const std::string a(64, 'a'), b(64, 'b'), c(64, 'c');
  return {"0 party " + a + "\n1 party " + b + " node1:4711\n2 dealer " + c + " [::1]:1\n",
          "# who\n\n1 party " + b + "\r\n0 party " + a + "  # first\n", "0 dealer " + a};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  try {
    const Roster roster = Roster::parse(fuzz_text(fuzz_bytes(data, size)), "roster");
    fuzz_require(Roster::parse(roster.text(), "again").text() == roster.text());
    for (int rank = 0; rank < roster.size(); ++rank) {
      fuzz_require(roster.rank_of(roster.at(rank).fingerprint) == rank);
    }
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
