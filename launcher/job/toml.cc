// The one file that includes the TOML library: compiled in here, so that its limit on nesting is ours.
#define TOML_HEADER_ONLY 1
#define TOML_MAX_NESTED_VALUES 16
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "launcher/job/document.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

static_assert(kDeepestDocument == TOML_MAX_NESTED_VALUES);

// Dotted keys nest without end, and a document's destructor is as deep as its tables: so few dots stand in a line.
constexpr std::int64_t kMostDotsInLine = 128;

[[noreturn]] void wrong(const Source& place, std::string_view what) {
  throw ConfigError(fmt::format("{}: {}", place.place(), what));
}

void expect_few_dots(std::string_view text, const std::string& name) {
  Source place{Source::Kind::kFile, name, 1, 1};
  std::int64_t dots = 0;
  for (const char c : text) {
    if (c == '\n') {
      ++place.line;
      dots = 0;
    }
    if (c == '.' && ++dots > kMostDotsInLine) wrong(place, "there are too many dots in this line; shorten it");
  }
}

class Conversion {
 public:
  explicit Conversion(std::string name) : name_(std::move(name)) {}

  DocumentValue operator()(const toml::node& node, int depth = 0) const {
    DocumentValue value;
    value.source = source_of(node.source());
    if (depth > kDeepestDocument) wrong(value.source, fmt::format("it is nested deeper than {}", kDeepestDocument));
    if (const toml::table* table = node.as_table()) {
      value.content = entries(*table, depth);
    } else if (const toml::array* array = node.as_array()) {
      DocumentValue::List list;
      for (const toml::node& item : *array) list.push_back((*this)(item, depth + 1));
      value.content = std::move(list);
    } else if (const auto* text = node.as_string()) {
      value.content = text->get();
    } else if (const auto* whole = node.as_integer()) {
      value.content = whole->get();
    } else if (const auto* real = node.as_floating_point()) {
      value.content = real->get();
    } else if (const auto* flag = node.as_boolean()) {
      value.content = flag->get();
    } else {
      value.content = DocumentValue::Date();
    }
    return value;
  }

  Source source_of(const toml::source_region& region) const {
    return {Source::Kind::kFile, name_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

 private:
  DocumentValue::Table entries(const toml::table& table, int depth) const {
    DocumentValue::Table all;
    for (const auto& [key, node] : table) {
      all.push_back({std::string(key.str()), source_of(key.source()), (*this)(node, depth + 1)});
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return std::tie(a.source.line, a.source.column) < std::tie(b.source.line, b.source.column);
    });
    return all;
  }

  std::string name_;
};

}  // namespace

DocumentValue parse_document(std::string_view text, const std::string& name) {
  if (std::ssize(text) > kMostDocumentBytes) {
    throw ConfigError(fmt::format("{}: it has {} bytes; a job has at most {}", name, text.size(), kMostDocumentBytes));
  }
  expect_few_dots(text, name);
  const Conversion convert(name);
  try {
    return convert(toml::parse(text, name));
  } catch (const toml::parse_error& error) {
    wrong(convert.source_of(error.source()), fmt::format("this is not TOML: {}", net::printable(error.what(), 300)));
  }
}

}  // namespace tacit::launcher
