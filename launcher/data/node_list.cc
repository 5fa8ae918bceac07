#include "launcher/data/node_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "gnn/data/several_graphs.h"
#include "gnn/data/snapshots.h"
#include "launcher/data/node_names.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
constexpr std::size_t kMostShown = 60;

// The line without its comment. A # within a word belongs to an id.
std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  }
  return line;
}

class NodeList {
 public:
  NodeList(const std::filesystem::path& file, const gnn::GraphData& part, bool pairs)
      : file_(file), names_(part, subjects_in(part, pairs), pairs) {}

  gnn::Rows rows() {
    const std::string text = read_text_file(file_, kMostBytes, "a list of nodes");
    gnn::Rows rows;
    std::size_t begin = 0;
    for (std::int64_t line = 1; begin < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      std::string_view word = without_comment(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      const std::size_t first = word.find_first_not_of(" \t\r");
      if (first == std::string_view::npos) continue;
      word = word.substr(first, word.find_last_not_of(" \t\r") + 1 - first);
      rows.push_back(node(word, line));
    }
    if (rows.empty())
      throw ConfigError(fmt::format("{}: it names no {}; write one on each line", file_.string(), names_.what()));
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }

 private:
  static std::int64_t subjects_in(const gnn::GraphData& part, bool pairs) {
    if (pairs) return part.pairs ? part.pairs->size() : 0;
    return part.graphs.empty() ? part.graph_nodes() : gnn::number_of_graphs(part);
  }

  std::int64_t node(std::string_view word, std::int64_t line) const {
    if (names_.has_ids()) {
      if (const std::optional<std::int64_t> known = names_.node_of(word)) return *known;
      if (names_.has_all_ids()) {
        wrong(line, fmt::format("\"{}\" is no id in this rank's part of the data; name nodes that it has",
                                net::printable(word, kMostShown)));
      }
    }
    std::int64_t number = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) {
      wrong(line, fmt::format("\"{}\" is neither an id in this rank's part of the data nor the number of a {}",
                              net::printable(word, kMostShown), names_.what()));
    }
    if (number >= 0 && (names_.nodes() == 0 || number < names_.nodes())) return number;
    wrong(line, names_.nodes() == 0 ? fmt::format("there is no {} {}", names_.what(), number)
                                    : fmt::format("there is no {} {}: the data have {}s 0 ... {}", names_.what(),
                                                  number, names_.what(), names_.nodes() - 1));
  }

  [[noreturn]] void wrong(std::int64_t line, const std::string& what) const {
    throw ConfigError(fmt::format("{}, line {}: {}", file_.string(), line, what), "",
                      fmt::format("names a {} that the data do not have", names_.what()));
  }

  const std::filesystem::path& file_;
  const NodeNames names_;
};

}  // namespace

gnn::Rows read_node_list(const std::filesystem::path& file, const gnn::GraphData& part, bool pairs) {
  return gnn::rows_of_nodes(NodeList(file, part, pairs).rows(), part.snapshots);
}

}  // namespace tacit::launcher
