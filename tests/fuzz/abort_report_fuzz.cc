#include "net/tcp/frame.h"

#include "net/printable.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {fuzz_text(encode(AbortReport{Exit::kNet, 2, "rank 2 is gone"})),
          fuzz_text(encode(AbortReport{Exit::kProtocol, -1, "odd\x1b[2J"}))};
}

}  // namespace tacit::net

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::net;
  try {
    const AbortReport report = parse_abort_report(fuzz_bytes(data, size), 4);
    fuzz_require(report.culprit >= -1 && report.culprit < 4);
    fuzz_require(printable(report.reason, kMaxReportBytes) == report.reason);
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
