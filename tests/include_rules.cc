#include "tests/include_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace tacit {
namespace {

namespace fs = std::filesystem;

// From the bottom up.
constexpr std::array<std::string_view, 4> kLayers = {"net", "mpc", "gnn", "launcher"};
constexpr std::array<std::string_view, 3> kNobodyIncludes = {"tests", "tools", "python"};
constexpr std::string_view kBindings = "python";  // beside the layers; may include every layer
constexpr std::string_view kLaboratory = "bench", kUsesLaboratory = "launcher/commands/";
constexpr std::string_view kLaboratoryPrograms = "bench/programs/";  // programs may include headers of tests

// Among the layers, only some files may include a header that starts with `header`: files with a path that starts with
// one of `homes` and ends with `ending`.
struct Home {
  std::string_view header;
  std::vector<std::string_view> homes;
  std::string_view ending = "";
};

const std::vector<Home>& dependency_homes() {
  static const std::vector<Home> homes = {
      {"net/tcp/", {"net/tcp/", "net/rendezvous/", "net/connect", "launcher/"}},
      {"net/rendezvous/", {"net/rendezvous/", "net/connect", "launcher/"}},
      {"mpc/session/inside.h", {"mpc/"}},
      {"openssl/ssl.h", {"net/tcp/tls"}},
      {"openssl/", {"net/", "mpc/random", "mpc/ot/fixed_key_aes"}},
      {"boost/asio", {"net/", "launcher/serve/http_door"}},
      {"boost/beast", {"launcher/serve/http_door"}},
      {"sys/socket.h", {"net/", "launcher/run/text_server"}},
      {"netinet/", {"net/"}},
      {"sodium",
       {"mpc/lattice", "mpc/ot/base_ot", "mpc/ot/block", "mpc/ot/ferret", "mpc/random", "mpc/sealed", "mpc/sets"}},
      {"google/protobuf", {"gnn/", "launcher/"}},
      {"Eigen/", {"mpc/", "gnn/"}},
      {"zlib.h", {"gnn/data/"}},
      {"toml++/", {"launcher/job/toml"}},
      {"CLI/", {"launcher/commands/"}},
      {"pybind11/", {"python/"}},
      {"nlohmann/", {"launcher/json"}},
      {"cuda", {"mpc/", "gnn/"}, ".cu"},
      {"cublas", {"mpc/", "gnn/"}, ".cu"},
  };
  return homes;
}

std::optional<int> layer_of(std::string_view folder) {
  const auto found = std::find(kLayers.begin(), kLayers.end(), folder);
  if (found == kLayers.end()) return std::nullopt;
  return static_cast<int>(found - kLayers.begin());
}

std::string_view top_folder(std::string_view path) { return path.substr(0, path.find('/')); }

bool is_source(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".h" || ending == ".cc" || ending == ".cu" || ending == ".cuh";
}

// The header that the line includes, or nothing.
std::optional<std::string> included_header(std::string_view line) {
  const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(std::string_view("include").size());
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const std::size_t end = line.find(line.front() == '"' ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(1, end - 1));
}

// A header next to the includer, or reached by "..", as a path from the root; any other header
// unchanged.
std::string from_root(const fs::path& root, const fs::path& includer, const std::string& header) {
  const fs::path beside = includer.parent_path() / header;
  return fs::exists(root / beside) ? beside.lexically_normal().generic_string() : header;
}

// The laboratory may include all layers, except for the part that includes the laboratory.
std::string objection_to_laboratory(std::string_view file, std::string_view header) {
  if (file.starts_with(kLaboratoryPrograms)) return "";
  if (header.starts_with(kUsesLaboratory)) return fmt::format("{} includes {}/", kUsesLaboratory, kLaboratory);
  const std::string_view target = top_folder(header);
  const bool nobodys = std::find(kNobodyIncludes.begin(), kNobodyIncludes.end(), target) != kNobodyIncludes.end();
  return nobodys ? fmt::format("{}/ is included by no library", target) : "";
}

std::string objection_to_bindings(std::string_view header) {
  const std::string_view target = top_folder(header);
  const bool of_layers = target != "tests" && target != "tools" && target != kLaboratory;
  return of_layers ? "" : fmt::format("{}/ includes the layers alone", kBindings);
}

// The reason why `file` (a path from the root) must not include `header`; empty if it may.
std::string objection(std::string_view file, std::string_view header) {
  const std::string_view target = top_folder(header);
  if (top_folder(file) == kLaboratory) return objection_to_laboratory(file, header);
  if (top_folder(file) == kBindings) return objection_to_bindings(header);
  const int own = *layer_of(top_folder(file));
  if (target == kLaboratory && !file.starts_with(kUsesLaboratory)) {
    return fmt::format("{}/ is included by {} alone", target, kUsesLaboratory);
  }
  if (std::find(kNobodyIncludes.begin(), kNobodyIncludes.end(), target) != kNobodyIncludes.end()) {
    return fmt::format("no layer may include {}/; move the common part down into {}/", target, top_folder(file));
  }
  const std::optional<int> above = layer_of(target);
  if (above && *above > own) {
    return fmt::format("{}/ is above {}/ and arrows go down only (launcher → gnn → mpc → net)", target,
                       top_folder(file));
  }
  for (const Home& home : dependency_homes()) {
    if (!header.starts_with(home.header)) continue;
    const bool at_home =
        file.ends_with(home.ending) && std::any_of(home.homes.begin(), home.homes.end(),
                                                   [file](std::string_view place) { return file.starts_with(place); });
    if (!at_home) return fmt::format("its home is {}*{}", fmt::join(home.homes, "* and "), home.ending);
    break;  // the first match is the narrowest
  }
  return "";
}

using Folders = std::map<std::string, std::set<std::string>>;  // by folder, the other folders that it includes

// net/connect, by which ranks find each other and talk, uses the folders of net/, and these use the files beside it.
std::string folder_of(const fs::path& file) {
  const fs::path name = fs::path(file).replace_extension();
  return (name == "net/connect" ? name : file.parent_path()).generic_string();
}

// Goes from `way`'s last folder along includes: true if that leads back to a folder of the way, which then is a circle.
bool leads_back(const Folders& folders, std::vector<std::string>& way, std::set<std::string>& without) {
  const auto found = folders.find(way.back());
  if (found == folders.end() || without.contains(way.back())) return false;
  for (const std::string& next : found->second) {
    const auto before = std::find(way.begin(), way.end(), next);
    if (before != way.end()) {
      way.erase(way.begin(), before);
      return true;
    }
    way.push_back(next);
    if (leads_back(folders, way, without)) return true;
    way.pop_back();
  }
  without.insert(way.back());
  return false;
}

std::vector<std::string> circle_in(const Folders& folders) {
  std::set<std::string> without;
  for (const auto& [folder, included] : folders) {
    std::vector<std::string> way = {folder};
    if (leads_back(folders, way, without)) return way;
  }
  return {};
}

void check_file(const fs::path& root, const fs::path& file, IncludeCheck& check, Folders& folders) {
  std::ifstream text(root / file);
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    const std::optional<std::string> written = included_header(line);
    if (!written) continue;
    ++check.includes;
    const std::string header = from_root(root, file, *written);
    const std::string wrong = objection(file.generic_string(), header);
    const std::string from = folder_of(file), to = folder_of(header);
    if (from != to && fs::exists(root / header)) folders[from].insert(to);
    if (!wrong.empty()) {
      check.broken.push_back(fmt::format("{}:{}: includes {}, but {}", file.generic_string(), number, header, wrong));
    }
  }
}

}  // namespace

IncludeCheck check_includes(const fs::path& root) {
  IncludeCheck check;
  Folders folders;
  std::vector<std::string_view> tops(kLayers.begin(), kLayers.end());
  tops.insert(tops.end(), {kLaboratory, kBindings});
  for (std::string_view layer : tops) {
    if (!fs::is_directory(root / layer)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / layer)) {
      if (entry.is_regular_file() && is_source(entry.path())) {
        check_file(root, entry.path().lexically_relative(root), check, folders);
      }
    }
  }
  std::sort(check.broken.begin(), check.broken.end());
  check.circle = circle_in(folders);
  return check;
}

}  // namespace tacit
