#include "gnn/checkpoint/checkpoint_header.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  gnn::CheckpointHeader header;
  header.parties = 3;
  header.rank = 1;
  header.layout = {20,
                   20,
                   7,
                   1,
                   3,
                   {{"layer 0 weight", {8, 16}, {64, 13}, 16},
                    {"velocity", {8, 16}, {51, 13}, 511},
                    {"means of features", {1, 8}, {64, 24}, 1 << 30},
                    {"inverse deviations of features", {1, 8}, {64, 28}, 1 << 30},
                    {"deviations of features", {1, 8}, {64, 24}, 1 << 30}},
                   {8, 8},
                   {1, 0},
                   true,
                   false};
  header.reveals = {{"training loss", mpc::To::everyone(), 20, 20}, {"test rmse", mpc::To::rank(2), 1, 1}};
  return {encode(header), encode(header.layout)};
}

}  // namespace tacit::net

// Any bytes as a header and as a layout: an accepted one is within limits, and writing it gives the bytes that were
// read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::gnn;
  const std::string text = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  const auto require_bounded = [](const StateLayout& layout) {
    tacit::net::fuzz_require(layout.content_bytes() >= 0 && layout.content_bytes() <= std::int64_t{1} << 40);
    tacit::net::fuzz_require(layout.parameters <= std::ssize(layout.tensors));
  };
  try {
    const CheckpointHeader header = parse_header(text);
    require_bounded(header.layout);
    tacit::net::fuzz_require(encode(parse_header(encode(header))) == encode(header));
  } catch (const tacit::ProtocolError&) {
  }
  try {
    const StateLayout layout = parse_layout(text);
    require_bounded(layout);
    tacit::net::fuzz_require(encode(parse_layout(encode(layout))) == encode(layout));
  } catch (const tacit::ProtocolError&) {
  }
  return 0;
}
