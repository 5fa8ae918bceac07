#include "gnn/data/graph_csv.h"

#include "net/error.h"
#include "tests/fuzz/fuzz.h"

namespace {

// Separates the files nodes.csv, edges.csv and graphs.csv; no CSV file has a zero byte.
constexpr char kBetween = '\0';

}  // namespace

namespace tacit::net {

std::vector<std::string> fuzz_seeds() {
  return {
      std::string("id,pm10,class,train_mask,val_mask,test_mask\na,21.5,1,1,0,false\n\"b, c\",9e-1,0,0,true,False\n") +
          kBetween + "from,to,w\na,\"b, c\"\r\n\"b, c\",a,\"1\"\"2\"\n",
      std::string("\xef\xbb\xbfx0,y0,y1\r\n1,-2,+3.5\r\n4,5,6\r\n") + kBetween + "source,target\n0,1\n1,0\n",
      std::string("x,graph\n1,a\n2,a\n3,b\n") + kBetween + "from,to\n0,1\n" + kBetween +
          "graph,class,train_mask\nb,1,0\na,,0\n",
      "x0,y\n1,2\n\n"};
}

}  // namespace tacit::net

// Accepted bytes are a valid graph.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tacit::gnn;
  const std::string text = tacit::net::fuzz_text(tacit::net::fuzz_bytes(data, size));
  const std::size_t between = text.find(kBetween);
  const std::string nodes_text = text.substr(0, between);
  const std::string rest = between == std::string::npos ? "" : text.substr(between + 1);
  const std::size_t second = rest.find(kBetween);
  const std::string edges_text = rest.substr(0, second);
  const std::string graphs_text = second == std::string::npos ? "" : rest.substr(second + 1);
  const MemorySource nodes("nodes.csv", std::as_bytes(std::span(nodes_text)));
  const MemorySource edges("edges.csv", std::as_bytes(std::span(edges_text)));
  const MemorySource graphs("graphs.csv", std::as_bytes(std::span(graphs_text)));
  try {
    // Every other text may lack features.
    const GraphData graph =
        read_graph_csv(nodes, between == std::string::npos ? nullptr : &edges, {.missing_features = size % 2 == 1},
                       second == std::string::npos ? nullptr : &graphs);
    check(graph, "what was read");
    tacit::net::fuzz_require(graph.edges.has_value() == (between != std::string::npos));
  } catch (const tacit::ConfigError&) {
  }
  return 0;
}
