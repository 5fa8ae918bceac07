#include <set>

#include "launcher/serve/request_text.h"
#include "net/printable.h"
#include "tests/fuzz/fuzz.h"

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {R"({"nodes": [3, 0, 7]})",
          R"({"nodes": ["north", "east 1", 2]})",
          R"({"nodes": [-1]})",
          R"({"nodes": [18446744073709551615, 1e3, null]})",
          R"({"node": []})",
          R"([[[[[[[[)",
          R"({"nodes": [[1], {"a": 1}]})",
          R"({"nodes": [1], "nodes": [2]})"};
}

}  // namespace tacit::net

// Any bytes as a request: a refusal in plain characters, or nodes that exist, each once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::launcher;
  using tacit::net::fuzz_require;
  tacit::gnn::GraphData part;
  part.nodes = 8;
  part.ids = {{"north", "East 1", "a", "b", "c", "d", "e", "f"}};
  const NodeNames with_ids(part, 8), without_ids({}, 8);
  const std::string text = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  for (const NodeNames* names : {&with_ids, &without_ids}) {
    try {
      const tacit::gnn::Rows nodes = nodes_in_request(text, *names);
      fuzz_require(!nodes.empty() && std::set(nodes.begin(), nodes.end()).size() == nodes.size());
      for (const std::int64_t node : nodes) fuzz_require(node >= 0 && node < 8);
    } catch (const BadRequest& bad) {
      fuzz_require(tacit::net::printable(bad.what(), 4096) == bad.what());
    }
  }
  return 0;
}
