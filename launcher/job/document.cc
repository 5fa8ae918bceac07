#include "launcher/job/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "gnn/settings/setting_value.h"
#include "launcher/text_file.h"
#include "net/error.h"
#include "net/printable.h"

namespace tacit::launcher {

namespace {

// Sets the source of every value in the document.
void set_source(DocumentValue& value, const Source& source) {
  value.source = source;
  if (auto* list = std::get_if<DocumentValue::List>(&value.content)) {
    for (DocumentValue& item : *list) set_source(item, source);
  }
  if (auto* table = std::get_if<DocumentValue::Table>(&value.content)) {
    for (DocumentValue::Entry& entry : *table) {
      entry.source = source;
      set_source(entry.value, source);
    }
  }
}

// The single value of a document of one line.
DocumentValue& innermost(DocumentValue& value) {
  auto* table = std::get_if<DocumentValue::Table>(&value.content);
  return table == nullptr || table->size() != 1 ? value : innermost(table->front().value);
}

bool is_toml(const std::string& line) {
  try {
    parse_document(line, "");
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

}  // namespace

const DocumentValue::Entry* DocumentValue::find(std::string_view key) const {
  if (table() == nullptr) return nullptr;
  for (const Entry& entry : *table()) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

std::string describe(const DocumentValue& value) {
  using Date = DocumentValue::Date;
  using List = DocumentValue::List;
  using Table = DocumentValue::Table;
  struct Describe {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return fmt::format("the number {}", number); }
    std::string operator()(double number) const { return gnn::describe_real(number); }
    std::string operator()(const std::string& text) const {
      return fmt::format("the text \"{}\"", net::printable(text, 80));
    }
    std::string operator()(Date) const { return "a date or time"; }
    std::string operator()(const List& list) const { return fmt::format("a list of {}", list.size()); }
    std::string operator()(const Table&) const { return "a table"; }
  };
  return std::visit(Describe(), value.content);
}

DocumentValue load_document(const std::filesystem::path& path) {
  return parse_document(read_text_file(path, kMostDocumentBytes, "a file of settings"), path.string());
}

DocumentValue parse_override(std::string_view text, const std::string& flag) {
  const Source source = Source::flag(fmt::format("{} {}", flag, text));
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw ConfigError(
        fmt::format("{}: expected KEY=VALUE, as in `{} training.epochs=10`", net::printable(source.name, 80), flag));
  }
  const std::string key(text.substr(0, equals)), value(text.substr(equals + 1));
  if (text.find('\n') != std::string_view::npos || !is_toml(key + " = 0")) {
    throw ConfigError(fmt::format("{}: \"{}\" is not the name of a setting; expected one as training.epochs",
                                  net::printable(source.name, 80), net::printable(key, 80)));
  }
  const std::string line = fmt::format("{} = {}", key, value);
  const bool toml = is_toml(line);
  DocumentValue document = parse_document(toml ? line : key + " = 0", flag);
  if (!toml) innermost(document).content = value;
  set_source(document, source);
  return document;
}

void overlay(DocumentValue& lower, const DocumentValue& upper) {
  auto* table = std::get_if<DocumentValue::Table>(&lower.content);
  if (table == nullptr || upper.table() == nullptr) {
    lower = upper;
    return;
  }
  for (const DocumentValue::Entry& entry : *upper.table()) {
    const auto old = std::find_if(table->begin(), table->end(), [&](const auto& one) { return one.key == entry.key; });
    if (old == table->end()) {
      table->push_back(entry);
    } else {
      old->source = entry.source;
      overlay(old->value, entry.value);
    }
  }
}

}  // namespace tacit::launcher
