// Document — what a TOML file says, each value with its place, before anything is known of what it should say.
//
// Any bytes may stand in the file: it is of at most kMostDocumentBytes, nested at most kDeepestDocument levels.
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
  struct Date {};  // a TOML date or time: no setting is one
  using List = std::vector<DocumentValue>;
  using Table = std::vector<Entry>;  // in the order of their places
  std::variant<Table, List, bool, std::int64_t, double, std::string, Date> content;
  Source source;

  const Table* table() const { return std::get_if<Table>(&content); }
  const Entry* find(std::string_view key) const;  // of a table; null if it has none, or is no table
};

struct DocumentValue::Entry {
  std::string key;
  Source source;  // of the key
  DocumentValue value;
};

// What a value is, in an error: `the text "abc"`, `a list`.
std::string describe(const DocumentValue& value);

// `name` stands for the file in errors. Throws ConfigError with line and column.
DocumentValue parse_document(std::string_view text, const std::string& name);
DocumentValue load_document(const std::filesystem::path& path);

// "training.epochs=10": one value, whose source is that flag. What is not TOML to the right of the "=" is taken for
// text, so that a shell needs no second quotes. Throws ConfigError.
DocumentValue parse_override(std::string_view text, const std::string& flag);

// Values of `upper` replace those of `lower`, table by table; a list as a whole.
void overlay(DocumentValue& lower, const DocumentValue& upper);

}  // namespace tacit::launcher
