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

// The keys on the way to the single value of a document of one line, and the value.
DocumentValue& innermost(DocumentValue& value, std::vector<Override::Step>& path) {
  auto* table = std::get_if<DocumentValue::Table>(&value.content);
  if (table == nullptr || table->size() != 1) return value;
  path.emplace_back(table->front().key);
  return innermost(table->front().value, path);
}

bool is_toml(const std::string& line) {
  try {
    parse_document(line, "");
    return true;
  } catch (const ConfigError&) {
    return false;
  }
}

// Adds the steps of "model.layers[0].outputs". False if the text is not the name of a setting.
bool add_steps(std::string_view key, std::vector<Override::Step>& path) {
  constexpr std::size_t kMostDigits = 9;
  const std::size_t open = key.find('[');
  const std::string name(key.substr(0, open));
  if (name.find('\n') != std::string::npos || !is_toml(name + " = 0")) return false;
  DocumentValue document = parse_document(name + " = 0", "");
  innermost(document, path);
  if (open == std::string_view::npos) return true;
  std::string_view rest = key.substr(open);
  while (rest.starts_with('[')) {
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return false;
    const std::string digits(rest.substr(1, close - 1));
    if (digits.empty() || digits.size() > kMostDigits || digits.find_first_not_of("0123456789") != std::string::npos) {
      return false;
    }
    path.emplace_back(std::int64_t{std::stoll(digits)});
    rest.remove_prefix(close + 1);
  }
  return rest.empty() || (rest.starts_with('.') && add_steps(rest.substr(1), path));
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

Override parse_override(std::string_view text, const std::string& flag) {
  const Source source = Source::flag(fmt::format("{} {}", flag, text));
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw ConfigError(
        fmt::format("{}: expected KEY=VALUE, as in `{} training.epochs=10`", net::printable(source.name, 80), flag));
  }
  const std::string key(text.substr(0, equals)), value(text.substr(equals + 1));
  Override made;
  if (!add_steps(key, made.path)) {
    throw ConfigError(fmt::format(
        "{}: \"{}\" is not the name of a setting; expected one as training.epochs or model.layers[0].outputs",
        net::printable(source.name, 80), net::printable(key, 80)));
  }
  if (value.find('\n') != std::string::npos) {  // a second line of TOML could be another setting
    throw ConfigError(fmt::format("{}: the value has a line end; expected one line, also of a path",
                                  net::printable(source.name, 80)));
  }
  const std::string line = "value = " + value;
  if (is_toml(line)) {
    made.value = parse_document(line, flag).table()->front().value;
  } else {
    made.value.content = value;
  }
  set_source(made.value, source);
  return made;
}

void apply(DocumentValue& document, const Override& override_of) {
  const Source& source = override_of.value.source;
  DocumentValue* place = &document;
  std::string path;
  const auto refuse = [&](const std::string& why) {
    throw ConfigError(fmt::format("{}: {}: {}", source.place(), path, why));
  };
  for (const Override::Step& step : override_of.path) {
    if (const auto* entry = std::get_if<std::int64_t>(&step)) {
      auto* list = std::get_if<DocumentValue::List>(&place->content);
      if (list == nullptr) refuse(fmt::format("expected a list before [{}], not {}", *entry, describe(*place)));
      const std::int64_t entries = std::ssize(*list);
      if (entries == 0) refuse(fmt::format("the list is empty, so there is no entry {}; give the whole list", *entry));
      if (*entry >= entries) {
        refuse(fmt::format("there is no entry {}; the list has the entries 0 ... {}", *entry, entries - 1));
      }
      place = &(*list)[static_cast<std::size_t>(*entry)];
      path += fmt::format("[{}]", *entry);
      continue;
    }
    const auto& key = std::get<std::string>(step);
    const bool before_entry = &step != &override_of.path.back() && std::holds_alternative<std::int64_t>(*(&step + 1));
    path += path.empty() ? key : "." + key;
    if (place->table() == nullptr) *place = {DocumentValue::Table(), source};
    auto& table = std::get<DocumentValue::Table>(place->content);
    auto found = std::find_if(table.begin(), table.end(), [&](const auto& one) { return one.key == key; });
    if (found == table.end()) {
      if (before_entry) refuse("the job states no such list, so it has no entries to set; give the whole list");
      found = table.insert(table.end(), {key, source, {DocumentValue::Table(), source}});
    }
    found->source = source;
    place = &found->value;
  }
  overlay(*place, override_of.value);
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
