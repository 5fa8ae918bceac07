#include "launcher/data/node_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "gnn/data/node_ids.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::size_t kMostShown = 60;

class NodeList {
 public:
  NodeList(const std::filesystem::path& file, const gnn::GraphData& part) : file_(file), part_(part) {
    if (!part.ids) return;
    const std::int64_t first = std::ssize(*part.ids) == part.nodes || !part.own_rows ? 0 : part.own_rows->first;
    for (std::size_t i = 0; i < part.ids->size(); ++i) {
      of_id_.emplace(gnn::normalised_id((*part.ids)[i]), first + static_cast<std::int64_t>(i));
    }
  }

  gnn::Rows rows() {
    const std::string text = read_text_file(file_, kMostBytes, "a list of nodes");
    gnn::Rows rows;
    std::size_t begin = 0;
    for (std::int64_t line = 1; begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view word = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      word = word.substr(0, word.find('#'));
      const std::size_t first = word.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) continue;
      word = word.substr(first, word.find_last_not_of(" \t\r") + 1 - first);
      rows.push_back(node(word, line));
    }
    if (rows.empty()) throw ConfigError(fmt::format("{}: it names no node; write one on each line", file_.string()));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

 private:
  std::int64_t node(std::string_view word, std::int64_t line) const {
    if (part_.ids) {
      const auto known = of_id_.find(gnn::normalised_id(word));
      if (known != of_id_.end()) return known->second;
      if (std::ssize(*part_.ids) == part_.nodes) {
        wrong(line, fmt::format("\"{}\" is no id in this rank's part of the data; name nodes that it has",
                                net::printable(word, kMostShown)));
      }
    }
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) {
      wrong(line, fmt::format("\"{}\" is neither an id in this rank's part of the data nor the number of a node",
                              net::printable(word, kMostShown)));
    }
    if (number >= 0 && (part_.nodes == 0 || number < part_.nodes)) return number;
    wrong(line, part_.nodes == 0
                    ? fmt::format("there is no node {}", number)
                    : fmt::format("there is no node {}: the data have nodes 0 ... {}", number, part_.nodes - 1));
  }

  [[noreturn]] void wrong(std::int64_t line, const std::string& what) const {
    throw ConfigError(fmt::format("{}, line {}: {}", file_.string(), line, what), "",
                      "names a node that the data do not have");
  }

  const std::filesystem::path& file_;
  const gnn::GraphData& part_;
  std::unordered_map<std::string, std::int64_t> of_id_;
};

}  // namespace

gnn::Rows read_node_list(const std::filesystem::path& file, const gnn::GraphData& part) {
  return NodeList(file, part).rows();
}

}  // namespace tacit::launcher
