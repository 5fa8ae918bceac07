// Document — a parsed TOML file, each value with its place, before any check against the job's
// schema.
//
// The file may hold any bytes. The parser accepts kMostDocumentBytes bytes and kDeepestDocument
// levels of nesting at most.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "launcher/settings/source.h"

namespace tacit::launcher {

inline constexpr std::int64_t kMostDocumentBytes = 256 * 1024;
inline constexpr int kDeepestDocument = 16;

struct DocumentValue {
  struct Entry;
  struct Date {};  // a TOML date or time; no setting has this type
  using List = std::vector<DocumentValue>;
  using Table = std::vector<Entry>;  // in the order of the file
  std::variant<Table, List, bool, std::int64_t, double, std::string, Date> content;
  Source source;

  const Table* table() const { return std::get_if<Table>(&content); }
  const Entry* find(std::string_view key) const;  // in a table; null if absent, or if this is no table
};

struct DocumentValue::Entry {
  std::string key;
  Source source;  // place of the key
  DocumentValue value;
};

// The kind of the value, for an error: `the text "abc"`, `a list`.
std::string describe(const DocumentValue& value);

// `name` is the file's name in errors. Throws ConfigError with line and column.
DocumentValue parse_document(std::string_view text, const std::string& name);
DocumentValue load_document(const std::filesystem::path& path);

// A value for one place in a document. A step is a key of a table, or the number of an entry of a list.
struct Override {
  using Step = std::variant<std::string, std::int64_t>;
  std::vector<Step> path;
  DocumentValue value;
};

// Parses "training.epochs=10" or "model.layers[0].outputs=32": one value, with the flag as its source. A right side that is not
// valid TOML is read as a text, so a shell needs no second pair of quotes. Throws ConfigError.
Override parse_override(std::string_view text, const std::string& flag);

// Puts the value into its place, as overlay() does. Missing tables are made; a missing list or entry throws ConfigError.
void apply(DocumentValue& document, const Override& override_of);

// Replaces values of `lower` by values of `upper`, table by table. A list is replaced as a whole.
void overlay(DocumentValue& lower, const DocumentValue& upper);

}  // namespace tacit::launcher
